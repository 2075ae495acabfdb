"""The build files of a tree, and the sources that none of them names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from cudamigrate.compilation import bazel_flags, chosen_makefiles, meson_flags
from cudamigrate.lazy_re import re
from cudamigrate.project.file_access import read_linked

PROJECT = re.compile(r"^[ \t]*project[ \t]*\(", re.IGNORECASE | re.MULTILINE)
"""The command that begins a project of CMake, and so a root: `project(name)`; a subfolder has none."""
_COLLECTS = re.compile(
    r"\*\.(?:cu|cpp|cxx|cc|c|hip)\b|\bGLOB|\bglob\b|\bwildcard\b|aux_source_directory|listdir|walk\("
    r"|\+\s*[\"']\.(?:\w+\.)*(?:cu|cpp|cxx|cc|c|hip)[\"']"
)
"""How build files take sources by patterns: `*.cu`, `file(GLOB`, `$(wildcard`, `os.walk(`, or put
their names together: `name + ".t.cc"`. A rule of make's for `%.o` is none: the objects are named elsewhere."""
_SETTINGS = (bazel_flags.NAME, *bazel_flags.TOPS, meson_flags.NAME)
"""Files read for how sources are compiled, not for which: a `.bazelrc` names none, other systems' are `others`."""
_DEPTH = 12
"""How many folders deep build files are looked for."""


def of(root: Path, ends: tuple[str, ...] = (".cmake",)) -> Iterator[Path]:
    """Build files of the project's own and those with one of some endings, outermost folders first."""
    wanted = {"compile_commands.json", "setup.py", "CMakeLists.txt", *chosen_makefiles.PLAIN}
    level = [root]
    for _ in range(_DEPTH):
        below: list[Path] = []
        for folder in level:
            try:
                entries = sorted(folder.iterdir())
            except OSError:
                continue
            yield from (entry for entry in entries if entry.name in _SETTINGS and entry.is_file())
            files = (entry for entry in entries if entry.name in wanted or entry.suffix in ends)
            found = [entry for entry in files if entry.is_file()]
            yield from found
            if wanted.isdisjoint(entry.name for entry in found) or any(
                one.name in chosen_makefiles.PLAIN for one in found
            ):
                yield from chosen_makefiles.of_folder(entries, text)
            below += [
                entry
                for entry in entries
                if entry.is_dir() and not entry.is_symlink() and not entry.name.startswith((".", "third", "extern"))
            ]
        level = below


def text(path: Path) -> str:
    """The text of a file, empty where it cannot be read."""
    try:
        return read_linked(path).decode("utf-8", "replace")
    except OSError:
        return ""


def unlisted(root: Path, paths: Sequence[str], others: Iterable[str] = ()) -> frozenset[str]:
    """Which of the files no build file of the tree names; none where there is none, or one collects sources.

    `others` are paths of build files whose systems are not followed: they may name sources too.
    """
    builds_named = (path for path in of(root) if path.name not in _SETTINGS)
    texts = [text(path) for path in (*builds_named, *(root / other for other in others))] if paths else []
    builds = any(
        chosen_makefiles.COMPILES.search(text) or PROJECT.search(text) or "ext_modules" in text for text in texts
    )
    if not builds or any(_COLLECTS.search(text) for text in texts):
        return frozenset()
    return frozenset(path for path in paths if not any(Path(path).stem in text for text in texts))
