"""Ranges that hold a place, found without looking at all of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Generic, TypeVar

from cudamigrate.model.source import Span

Item = TypeVar("Item")


class SpanIndex(Generic[Item]):
    """Items with the ranges that they are on, which may overlap and nest.

    Ranges of about one length are kept together: of those, few can hold a place that begin much before it.
    """

    def __init__(self, placed: Iterable[tuple[Span, Item]]) -> None:
        self._items: list[Item] = []
        levels: dict[int, list[tuple[int, int, int]]] = {}
        for number, (span, item) in enumerate(placed):
            self._items.append(item)
            levels.setdefault((span.end - span.start).bit_length(), []).append((span.start, span.end, number))
        self._levels = {level: sorted(spans) for level, spans in levels.items()}

    def touching(self, start: int, end: int) -> list[Item]:
        """The items whose ranges share a place with this one, in the order in which they were given."""
        found = []
        for level, spans in self._levels.items():
            first, last = bisect_left(spans, (start - (1 << level), 0, 0)), bisect_left(spans, (end, 0, 0))
            found += [number for _, behind, number in spans[first:last] if behind > start]
        return [self._items[number] for number in sorted(found)]
