"""Ranges that hold a place are those that a look at all of them finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cudamigrate.model import Span, SpanIndex

SPANS = st.tuples(st.integers(0, 60), st.integers(0, 40)).map(lambda pair: Span(pair[0], pair[0] + pair[1]))


@given(st.lists(SPANS, max_size=12), SPANS)
def test_the_index_finds_what_a_look_at_all_finds(spans: list[Span], asked: Span) -> None:
    index = SpanIndex((span, number) for number, span in enumerate(spans))
    wanted = [number for number, one in enumerate(spans) if one.start < asked.end and asked.start < one.end]
    assert index.touching(asked.start, asked.end) == wanted
