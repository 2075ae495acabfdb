"""layouts.toml as tables: every element's place, and the same as C++ for the emulation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tomli

HERE = Path(__file__).parent
CONTENT: dict[str, Any] = tomli.loads((HERE / "layouts.toml").read_text(encoding="utf-8"))
SIDES = ("a", "b", "c")


def size(shape: str) -> tuple[int, int, int]:
    """Rows, columns and the length of the products of a shape such as m16n8k8."""
    m, rest = shape[1:].split("n")
    n, k = rest.split("k")
    return int(m), int(n), int(k)


def cells(operand: dict[str, Any], lane: int) -> list[tuple[int, int]]:
    """Row and column of each element of a lane's fragment."""
    made = []
    for i in range(operand["count"]):
        known = {"g": lane // 4, "t": lane % 4, "i": i}
        made.append((eval(operand["row"], {}, known), eval(operand["column"], {}, known)))
    return made


def place(side: dict[str, Any], **known: int) -> tuple[int, int]:
    """Lane and place of an element of one of AMD's operands."""
    return eval(side["lane"], {}, known), eval(side["place"], {}, known)


def metadata(entry: dict[str, Any], selector: int, register: int, lane: int) -> tuple[int, int]:
    """Lane of the group of four, and first bit, of the metadata of a lane's register of a sparse matrix."""
    known = {"selector": selector, "r": register, "t": lane}
    return eval(entry["lane"], {}, known), eval(entry["bit"], {}, known)


def cpp() -> str:
    """layouts.inc."""
    return "\n".join(
        [
            "#pragma once",
            "namespace layouts {",
            "struct Cell { int row, column; };",
            "struct Shape { Cell a[32][128], b[32][64], c[32][4]; };",
            "struct Place { int lane, place; };",
            "struct Instruction { int k, places; Place a[16][64], b[64][16], d[16][16]; };",
            "struct Metadata { int selectors; Place of[4][4][4]; };",
            *_nvidia(),
            *_metadata(),
            *_amd(),
            "}",
            "",
        ]
    )


def _nvidia() -> Iterator[str]:
    for entry in CONTENT["nvidia"]:
        sides = []
        for name in SIDES:
            lanes = ("{" + ", ".join(f"{{{r}, {c}}}" for r, c in cells(entry[name], lane)) + "}" for lane in range(32))
            sides.append("{" + ", ".join(lanes) + "}")
        for kind in entry["types"]:
            yield f"static const Shape {entry['shape']}_{kind} = {{{', '.join(sides)}}};"


def _metadata() -> Iterator[str]:
    for entry in CONTENT["metadata"]:
        each = [
            _table([[metadata(entry, selector, r, t) for t in range(4)] for r in range(entry["registers"])])
            for selector in range(entry["selectors"])
        ]
        for kind in entry["types"]:
            yield (
                f"static const Metadata metadata_{entry['shape']}_{kind} = "
                f"{{{entry['selectors']}, {{{', '.join(each)}}}}};"
            )


def _amd() -> Iterator[str]:
    for entry in CONTENT["amd"]:
        k_s, sixteen = range(entry["k"]), range(16)
        a = [[place(entry["a"], i=i, k=k) for k in k_s] for i in sixteen]
        b = [[place(entry["b"], j=j, k=k) for j in sixteen] for k in k_s]
        d = [[place(entry["d"], i=i, j=j) for j in sixteen] for i in sixteen]
        text = ", ".join(_table(side) for side in (a, b, d))
        yield f"static const Instruction {entry['name']} = {{{entry['k']}, {entry['a']['places']}, {text}}};"


def _table(rows: list[list[tuple[int, int]]]) -> str:
    return "{" + ", ".join("{" + ", ".join(f"{{{x}, {y}}}" for x, y in row) + "}" for row in rows) + "}"
