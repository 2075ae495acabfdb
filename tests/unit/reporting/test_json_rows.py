"""JSON in pieces: the bytes that the standard library writes, whichever way a row is encoded."""

from __future__ import annotations

import json as standard
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from cudamigrate.errors import printable_json
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model.estimate import CostItem, Days, Source
from cudamigrate.reporting import json_rows
from cudamigrate.reporting.json_rows import Rows, Texts, entries, plain, rows

TEXT = st.text(st.characters(codec=None)) | st.sampled_from(["", '}, "", {', '"}, "", {"', "a\ud800", "ü", "\x7f"])
NUMBERS = st.none() | st.booleans() | st.integers(-(2**60), 2**60)
OBJECTS = st.dictionaries(TEXT, NUMBERS | TEXT, max_size=3)
ROWS = st.lists(
    st.dictionaries(TEXT, NUMBERS | TEXT | st.lists(TEXT, max_size=3) | st.lists(OBJECTS, max_size=3), max_size=4),
    max_size=5,
)


def one_by_one(items: Sequence[Any]) -> str:
    """What the standard library writes, with what a report spells out."""
    each = (printable_json(standard.JSONEncoder(ensure_ascii=False).encode(item)) for item in items)
    return ",\n    ".join(map(json_rows._readable, each))


@given(ROWS)
def test_rows_are_the_bytes_that_the_standard_library_writes(items: list[Any]) -> None:
    for many in (1, 2, 128):
        with patch.object(json_rows, "_AT_ONCE", many):
            made = Rows(items, lambda item: item, whole=True)
            assert "".join(rows(made)) == one_by_one(items)
            listed = f"[\n    {one_by_one(items)}\n  ]" if items else "[]"
            assert "".join(entries({"a": made}, "{")) == f'{{  "a": {listed}'
            assert "".join(entries({"a": Rows(items, plain)}, "{")) == f'{{  "a": {listed}'


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an item that others have too."""

    text: str
    number: float


@dataclass(frozen=True, slots=True)
class Item:
    """An item of an estimate."""

    name: str
    count: int
    share: float
    right: bool
    part: Part | None
    texts: tuple[str, ...]


ITEMS = st.builds(
    Item,
    TEXT,
    st.integers(0, 9),
    st.floats(allow_nan=False, allow_infinity=False) | st.integers(0, 3).map(float),
    st.booleans(),
    st.none() | st.builds(Part, TEXT, st.floats(0, 1)),
    st.lists(TEXT, max_size=2).map(tuple),
)


@given(st.lists(ITEMS, max_size=6))
def test_items_with_parts_in_common_are_encoded_like_others(items: list[Item]) -> None:
    shared = [*items, *items]
    for most in (0, 1, 4096):
        with patch.object(json_rows, "_MOST", most):
            texts = json_rows._TextsOfParts()
            assert [texts.of(one) for one in shared] == [json_rows._dump(plain(one)) for one in shared]


def test_texts_stay_pieces_of_their_own() -> None:
    texts = ["1,\n    2", "3"]
    pieces = list(entries({"a": Texts(texts)}, "{"))
    assert "".join(pieces) == '{  "a": [\n    1,\n    2,\n    3\n  ]'
    assert any(piece is texts[0] for piece in pieces) and any(piece is texts[1] for piece in pieces)


def test_parts_that_items_share_are_encoded_once() -> None:
    days, source = Days(1, 2.5, 3), Source("words", "2026")
    items = Rows([CostItem("tests", "Test", days, count, source=source) for count in range(50)], plain)
    expected = ",\n    ".join(map(json_rows._dump, items))
    with patch.object(json_rows, "_dump", wraps=json_rows._dump) as dumped:
        assert "".join(rows(items)) == expected
    assert dumped.call_count < 50
