"""What mkdocs calls while it builds the site: rule pages are made, and files beside `docs/` become pages."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from posixpath import normpath, relpath
from typing import Any

ROOT = Path(__file__).parents[2]
for _folder in (ROOT, ROOT / "tests" / "import"):
    sys.path.insert(0, str(_folder))

from mkdocs.structure.files import File, Files  # noqa: E402 - the path comes first

from docs.site import rule_pages  # noqa: E402

OUTSIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "rules/README.md": "rule-files.md",
    "migrate/emulation/README.md": "emulation.md",
}
"""Pages that stand elsewhere in the repository -> their place in the site."""
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the rule pages, and the pages from beside `docs/`."""
    for path, text in rule_pages.pages().items():
        depth = "../" * path.count("/")
        files.append(File.generated(config, path, content=text.replace("(SITE:", f"({depth}")))
    for source, path in OUTSIDE.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Point links at the site's places; a file that the site lacks is named without a link."""
    place = page.file.src_uri
    source = next((key for key, value in OUTSIDE.items() if value == place), f"docs/{place}")

    def mended(link: re.Match[str]) -> str:
        words, path, anchor = link[1], link[2], link[3] or ""
        if place.startswith("rules/"):
            return link[0]
        there = normpath(f"{Path(source).parent.as_posix()}/{path}")
        inside = OUTSIDE.get(there) or (there.removeprefix("docs/") if there.startswith("docs/") else "")
        if not inside or files.get_file_from_path(inside) is None:
            return words if (ROOT / there).exists() else link[0]
        return f"[{words}]({relpath(inside, str(Path(place).parent))}{anchor})"

    return LINK.sub(mended, markdown)
