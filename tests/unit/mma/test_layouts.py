"""Layouts of matrices over lanes: each is a bijection, and examples of the sources hold."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from mma import machine_code
from mma.layouts import CONTENT, SIDES, cells, metadata, place, size

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


@pytest.mark.parametrize("entry", CONTENT["metadata"], ids=_name)
def test_each_bit_of_metadata_belongs_to_one_register(entry: dict[str, Any]) -> None:
    used = list[tuple[int, int]]()
    for selector in range(entry["selectors"]):
        for register, lane in product(range(entry["registers"]), range(4)):
            holder, first = metadata(entry, selector, register, lane)
            used += [(holder, bit) for bit in range(first, first + entry["bits"])]
    assert sorted(used) == list(product(range(4), range(32)))


@pytest.mark.parametrize("example", CONTENT["indices"], ids=lambda one: f"{one['shape']}-{one['selector']}")
def test_indices_of_the_source_hold(example: dict[str, Any]) -> None:
    entry = next(
        one for one in CONTENT["metadata"] if one["shape"] == example["shape"] and example["type"] in one["types"]
    )
    held = entry["bits"] // 2
    found = {}
    for register, lane, index in product(range(entry["registers"]), range(4), range(held)):
        holder, first = metadata(entry, example["selector"], register, lane)
        found[holder, first // 2 + index] = [lane, register * held + index]
    assert [found[example["lane"], number] for number in range(16)] == example["of"]


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


def test_a_form_without_its_instruction_is_seen() -> None:
    """The reader of machine code itself: the second line of forms.inc is one of halves."""
    code = "_Z9product_2PK:\n  {}\n.Lfunc_end0:\n"
    assert machine_code.wrong(code.format("v_mfma_f32_16x16x16_f16 v[0:3]"), "gfx940", "") == []
    assert len(machine_code.wrong(code.format("v_mfma_f32_16x16x4f32 v[0:3]"), "gfx940", "")) == 1
    assert len(machine_code.wrong(code.format("v_fma_f32 v0"), "gfx940", "")) == 1
    assert len(machine_code.wrong(code.format("v_wmma_f32_16x16x16_f16 v0"), "gfx1030", "")) == 1
