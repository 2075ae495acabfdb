"""The picture of the rooms in `docs/how-it-works.md`: an SVG made from the import graph and the layers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

import grimp
import tomli

ROOT = Path(__file__).parents[2]
PACKAGE = "cudamigrate"
FOLDER = "migrate"
WIDTH, ROW, BOX, HEIGHT = 960, 76, 150, 38
"""Pixels: the picture, a layer, and the width and height of a room."""
STYLE = """
    text { font: 14px system-ui, sans-serif; fill: #1f2328; text-anchor: middle }
    rect { fill: #f6f8fa; stroke: #57606a } path { fill: none; stroke: #8c959f; opacity: .7 }
    .ground { fill: #ffffff; stroke: none } #tip path { fill: #8c959f; stroke: none; opacity: 1 }"""


def layers() -> list[list[str]]:
    """The rooms of each layer, from the top, as the contract of import-linter in pyproject.toml has them."""
    settings = tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (rows,) = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [[name.strip() for name in row.split("|")] for row in rows]


def room_imports() -> dict[str, set[str]]:
    """Which rooms the modules of each room import."""
    graph = grimp.build_graph(PACKAGE)
    found: dict[str, set[str]] = {}
    for importer in sorted(graph.modules):
        for imported in graph.find_modules_directly_imported_by(importer):
            inner, outer = (name.split(".")[1:2] for name in (importer, imported))
            if inner and outer and inner != outer:
                found.setdefault(inner[0], set()).add(outer[0])
    return found


def arrows(imports: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """The imports that no longer path of imports implies; all others follow from them."""
    return sorted((room, other) for room in imports for other in imports[room] if not _implied(imports, room, other))


def _implied(imports: Mapping[str, set[str]], room: str, other: str) -> bool:
    return any(other in _reached(imports, between) for between in imports[room] if between != other)


def _reached(imports: Mapping[str, set[str]], room: str) -> set[str]:
    below = imports.get(room, set())
    return below.union(*(_reached(imports, each) for each in below))


def purpose(room: str) -> str:
    """The first sentence of a room's docstring."""
    path = ROOT / FOLDER / room / "__init__.py"
    source = path if path.is_file() else ROOT / FOLDER / f"{room}.py"
    text = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8")))
    assert text, f"{source} needs a docstring: its first line is what the documentation says of the room"
    return text.partition("\n")[0]


def svg(rows: Sequence[Sequence[str]], imports: Mapping[str, set[str]]) -> str:
    """The picture: a row for each layer, an arrow for each import that no longer path implies."""
    places = {
        room: (round((at + 0.5) * WIDTH / len(row)), 20 + level * ROW)
        for level, row in enumerate(rows)
        for at, room in enumerate(row)
    }
    shown = [(room, other) for room, other in arrows(imports) if room in places and other in places]
    body = [*(_arrow(places[room], places[other]) for room, other in shown), *_boxes(places)]
    height = len(rows) * ROW + 4
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="name">'
    tip = '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    parts = [
        head,
        '  <title id="name">The rooms of the package by layer, and which imports which</title>',
        f"  <style>{STYLE}\n  </style>",
        f'  <defs>{tip}<path d="M0 0 8 4 0 8z"/></marker></defs>',
        f'  <rect class="ground" width="{WIDTH}" height="{height}"/>',
        *body,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    (x, y), (to_x, to_y) = (start[0], start[1] + HEIGHT), end
    middle = (y + to_y) // 2
    return f'  <path d="M{x} {y} C{x} {middle} {to_x} {middle} {to_x} {to_y}" marker-end="url(#tip)"/>'


def _boxes(places: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    for room, (x, y) in places.items():
        yield f"  <g><title>{escape(purpose(room))}</title>"
        yield f'    <rect x="{x - BOX // 2}" y="{y}" width="{BOX}" height="{HEIGHT}" rx="6"/>'
        yield f'    <text x="{x}" y="{y + 24}">{room}</text></g>'


def table(rows: Sequence[Sequence[str]]) -> str:
    """The rooms from the top, a line of Markdown for each."""
    lines = ["| room | what it is for |", "|---|---|"]
    lines += [f"| `{room}` | {purpose(room)} |" for row in rows for room in row]
    return "\n".join(lines)
