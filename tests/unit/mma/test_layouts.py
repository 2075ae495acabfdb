"""Layouts of matrices over lanes: each is a bijection, and examples of the sources hold."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from mma.layouts import CONTENT, SIDES, cells, place, size

SHAPES = CONTENT["nvidia"]


def _name(entry: dict[str, Any]) -> str:
    return "-".join(str(part) for part in (entry.get("shape") or entry["name"], *entry.get("types", ())))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("entry", SHAPES, ids=_name)
def test_each_element_lies_in_one_register_of_one_lane(entry: dict[str, Any], side: str) -> None:
    m, n, k = size(entry["shape"])
    rows, columns = {"a": (m, k), "b": (k, n), "c": (m, n)}[side]
    found = [cell for lane in range(32) for cell in cells(entry[side], lane)]
    assert len(found) == rows * columns
    assert set(found) == set(product(range(rows), range(columns)))


@pytest.mark.parametrize(
    "example", CONTENT["example"], ids=lambda one: f"{one['shape']}-{one['type']}-{one['operand']}"
)
def test_examples_of_the_source_hold(example: dict[str, Any]) -> None:
    entry = next(one for one in SHAPES if one["shape"] == example["shape"] and example["type"] in one["types"])
    assert [list(cell) for cell in cells(entry[example["operand"]], example["lane"])] == example["at"]


@pytest.mark.parametrize("entry", CONTENT["amd"], ids=_name)
def test_each_place_of_an_amd_operand_holds_one_element(entry: dict[str, Any]) -> None:
    k_s, sixteen = range(entry["k"]), range(16)
    sides = {
        "a": [place(entry["a"], i=i, k=k) for i, k in product(sixteen, k_s)],
        "b": [place(entry["b"], j=j, k=k) for j, k in product(sixteen, k_s)],
        "d": [place(entry["d"], i=i, j=j) for i, j in product(sixteen, sixteen)],
    }
    lanes, copies = entry.get("lanes", 64), entry.get("copies", 1)
    for side, found in sides.items():
        own = lanes // (copies if side != "d" else 1)
        assert len(found) == own * entry[side]["places"]
        assert set(found) == set(product(range(own), range(entry[side]["places"])))
