"""HTML reports -> screenshots to look at: on a wide screen and on a phone, in light and dark, each view of the page.

    python -m docs.site.screens FOLDER REPORT.html [REPORT.html ...]

Needs playwright and a Chromium, and ends with one line where either is missing. Says of each picture how wide the page
is, and ends with 1 where a page is wider than its window: then a reader has to scroll sideways.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from docs.site.pictures import browser

WIDTHS = (1400, 390)
SCHEMES = ("light", "dark")
VIEWS = ("overview", "findings", "files", "rules")
NO_PLAYWRIGHT = "playwright is not installed: no screenshots. Install the extra `dev`."
NO_BROWSER = "No Chromium was found: no screenshots. Install chromium or chromium-headless-shell."


def taken(pages: Sequence[Path], folder: Path) -> Iterator[tuple[Path, int, int]]:
    """The pictures of each page as they are written, each with the width of its window and of the page in it.

    Raises ImportError without playwright.
    """
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=browser())
        for path in pages:
            for width in WIDTHS:
                for scheme in SCHEMES:
                    context = opened.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
                    yield from _views(context.new_page(), path, folder / f"{path.stem}-{width}-{scheme}", width)
                    context.close()
        opened.close()


def _views(page: Any, path: Path, name: Path, width: int) -> Iterator[tuple[Path, int, int]]:
    """Each view of a page, and the page of its first file; the overview as a whole, of the others one screen."""
    page.goto(path.resolve().as_uri())
    page.wait_for_selector("html[data-ready]")
    first = page.evaluate("(document.querySelector('#overview a[href^=\"#file=\"]') || {}).hash || ''")
    for view in (*VIEWS, *([first.removeprefix("#")] if first else [])):
        page.evaluate("view => { location.hash = view; }", view)
        page.wait_for_timeout(150)
        picture = name.with_name(f"{name.name}-{view if view in VIEWS else 'file'}.png")
        page.screenshot(path=picture, full_page=view == "overview")
        yield picture, width, int(page.evaluate("document.documentElement.scrollWidth"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pictures; the exit code of the command."""
    parser = argparse.ArgumentParser(prog="python -m docs.site.screens", description="Screenshots of HTML reports.")
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("reports", type=Path, nargs="+", help="HTML reports")
    given = parser.parse_args(arguments)
    if browser() is None:
        sys.stderr.write(f"{NO_BROWSER}\n")
        return 2
    wide = 0
    try:
        for picture, window, width in taken(given.reports, given.folder):
            wide += width > window
            said = f" WIDER than its window of {window}" if width > window else ""
            sys.stdout.write(f"{picture}: {width} pixels{said}\n")
    except ImportError:
        sys.stderr.write(f"{NO_PLAYWRIGHT}\n")
        return 2
    return 1 if wide else 0


if __name__ == "__main__":
    sys.exit(main())
