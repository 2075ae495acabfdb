"""Parts of the documentation and of the hook that are made from the code: `python -m tests.architecture.generated`.

`test_generated.py` fails where one is not what the code makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from cudamigrate import plugins
from tests.architecture import picture
from tests.architecture.picture import ROOT


def _suffixes(keys: Iterable[str]) -> list[str]:
    return sorted(key for key in keys if key.startswith(".") and "*" not in key)


def _names(keys: Iterable[str]) -> list[str]:
    return sorted(key for key in keys if not key.startswith(".") or "*" in key)


def hook_pattern(files: Iterable[str]) -> str:
    """The regular expression of the paths that have one of these suffixes, names or globs of names."""
    keys = list(files)
    ends = "|".join(re.escape(key[1:]) for key in _suffixes(keys))
    names = "|".join(re.escape(key).replace(r"\*", ".*" if "/" in key else "[^/]*") for key in _names(keys))
    return rf"(?i)(\.({ends})|(^|/)({names}))$"


def hook(text: str) -> str:
    """The hooks that are offered, with the file pattern that the front ends make."""
    return re.sub(r"(?m)^  files: .*$", lambda _: f"  files: {hook_pattern(_files())}", text)


def _files() -> list[str]:
    return [key for module in plugins.load("cudamigrate.frontends").values() for key in module.FILES]


def file_table(fronts: Mapping[str, Iterable[str]]) -> str:
    """Which files each front end reads, a line of Markdown for each."""
    lines = ["| kind | files |", "|---|---|"]
    for name, keys in sorted(fronts.items()):
        shown = [*(f"`*{key}`" for key in _suffixes(keys)), *(f"`{key}`" for key in _names(keys))]
        lines.append(f"| {name} | {', '.join(shown)} |")
    return "\n".join(lines)


def _fronts() -> dict[str, Iterable[str]]:
    return {name: module.FILES for name, module in plugins.load("cudamigrate.frontends").items()}


def between(mark: str, made: Callable[[], str]) -> Callable[[str], str]:
    """A function that puts what is made between the marks of that name in a page."""

    def filled(text: str) -> str:
        start, end = f"<!-- {mark}: begin -->\n", f"\n<!-- {mark}: end -->"
        assert start in text and end in text, f"the page needs the lines `{start.strip()}` and `{end.strip()}`"
        return text.partition(start)[0] + start + made() + end + text.partition(end)[2]

    return filled


PARTS: dict[str, Callable[[str], str]] = {
    ".pre-commit-hooks.yaml": hook,
    "docs/how-it-works.md": between("rooms", lambda: picture.table(picture.layers())),
    "docs/how-it-works.svg": lambda _: picture.svg(picture.layers(), picture.room_imports()),
    "docs/reference.md": between("files", lambda: file_table(_fronts())),
}
"""How the text of each file is made from the text that is there."""


def main() -> None:
    """Rewrite every part."""
    for name, made in PARTS.items():
        path = ROOT / name
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(made(old), encoding="utf-8")


if __name__ == "__main__":
    main()
