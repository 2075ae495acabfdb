"""A real run -> `docs/pictures/`: the terminal of a scan as SVG, and the first screen of its HTML report as PNG.

    python -m docs.site.pictures

The SVG loads no font. The PNG needs playwright and a Chromium; without them it is left as it is. What the PNG shows is
written beside it as text, which tells when it is out of date.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
PROJECT = ROOT / "fixtures" / "projects" / "cmake-application" / "before"
WIDTH = 96
FORMAT = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>.{unique_id}-matrix {{ font-family: monospace; font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-family: sans-serif; }}
{styles}</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g></svg>
"""
"""rich's own frame loads a font from the network; this one does not."""
TEXTS = """below => {
  const found = [], range = document.createRange();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    range.selectNodeContents(walk.currentNode);
    const box = range.getBoundingClientRect();
    const inside = box.width > 0 && box.height > 0 && box.top < below && box.bottom > 0;
    if (inside && walk.currentNode.data.trim()) found.push(walk.currentNode.data);
  }
  return found;
}"""
"""The texts of a page that begin above a height in pixels, in its order."""


def scanned() -> str:
    """What a scan of the sample application prints, without colours."""
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(PROJECT, Path(place, "noise"))
        words = [sys.executable, "-c", "from cudamigrate.__main__ import main; main()", "scan", "noise"]
        environment = {"PATH": "/usr/bin:/bin", "COLUMNS": str(WIDTH), "PYTHONPATH": ":".join(sys.path), "HOME": place}
        done = subprocess.run(words, cwd=place, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def lines_of(svg: str) -> list[str]:
    """The lines that a picture shows."""
    rows: dict[float, str] = {}
    for node in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
        if "clip-path" in node.attrib:
            at = float(node.attrib["y"])
            rows[at] = rows.get(at, "") + (node.text or "").replace("\xa0", " ")
    return [" ".join(rows[at].split()) for at in sorted(rows)]


def terminal(printed: str) -> str:
    """A picture of the command and what it printed."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), highlight=False)
    console.print(Text("$ cudamigrate scan noise", style="bold"))
    for line in printed.splitlines():
        head = bool(re.match(r"Port it|What |Component |Files, ", line))
        console.print(Text(line, style="bold" if head else ""), soft_wrap=True)
    return console.export_svg(title="cudamigrate", code_format=FORMAT, unique_id="scan")


def browser() -> str | None:
    """The program of a Chromium, None where none is installed."""
    return next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))), None)


def report() -> tuple[bytes, list[str], list[str]]:
    """The first screen of the HTML report as PNG, the texts on it, and all texts of the page.

    Raises ImportError without playwright.
    """
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as place, sync_playwright() as play:
        page_file = Path(place, "report.html")
        project = shutil.copytree(PROJECT, Path(place, "noise"))
        words = ["scan", str(project), "--format", "html", "-o", str(page_file)]
        code = "from cudamigrate.__main__ import main; main()"
        subprocess.run([sys.executable, "-c", code, *words], capture_output=True, check=True)
        opened = play.chromium.launch(executable_path=browser())
        page = opened.new_page(viewport={"width": 1100, "height": 760})
        page.goto(page_file.as_uri())
        page.wait_for_timeout(300)
        picture = page.screenshot()
        shown, texts = ([" ".join(text.split()) for text in page.evaluate(TEXTS, below)] for below in (760, 100_000))
        opened.close()
    return picture, shown, texts


def main() -> None:
    """Write both."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "scan.svg").write_text(terminal(scanned()), encoding="utf-8")
    try:
        picture, texts, _ = report()
        (FOLDER / "report.png").write_bytes(picture)
        (FOLDER / "report.txt").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    except ImportError:
        sys.stderr.write("playwright is not installed: the picture of the report is left as it is\n")


if __name__ == "__main__":
    main()
