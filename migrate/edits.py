"""Bytes + fixes -> bytes. The only place that makes new bytes.

Result: the edited bytes, and the fixes that were left out because they overlap one applied before. Bytes outside the
spans of applied edits are unchanged.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Sequence

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model import Edit, Fix, Span


@dataclass(frozen=True, slots=True)
class Edited:
    """The result of applying fixes: the bytes, and the fixes applied and rejected, each in file order."""

    data: bytes
    applied: tuple[Fix, ...]
    rejected: tuple[Fix, ...]


def apply(data: bytes, fixes: Iterable[Fix]) -> Edited:
    """Apply `fixes` in the order of their first byte; one that overlaps an applied fix is left out whole.

    Where one fix of a group is left out, its whole group is. Identical edits of several fixes count once. Insertions
    at one offset nest as the fixes that bring them do.
    """
    wanted = sorted(fixes, key=lambda fix: (fix.start, -fix.end))
    accepted, rejected = _chosen(wanted)
    broken = {fix.group for fix in rejected if fix.group}
    if broken:
        whole, rejected = _chosen([fix for fix in wanted if fix.group not in broken])
        broken = {fix.group for fix in rejected if fix.group}
        accepted = [fix for fix in whole if fix.group not in broken]
        kept = {id(fix) for fix in accepted}
        rejected = [fix for fix in wanted if id(fix) not in kept]
    return Edited(_write(data, accepted), tuple(accepted), tuple(rejected))


def _chosen(fixes: Iterable[Fix]) -> tuple[list[Fix], list[Fix]]:
    """The fixes that are accepted, each unless it overlaps one before it, and those that are not."""
    accepted: list[Fix] = []
    rejected: list[Fix] = []
    taken = _Taken()
    for fix in fixes:
        if taken.accepts(fix):
            taken.add(fix)
            accepted.append(fix)
        else:
            rejected.append(fix)
    return accepted, rejected


class _Taken:
    """What applied edits replace and where they insert, each sorted; replaced ranges never overlap."""

    def __init__(self) -> None:
        self.edits: set[Edit] = set()
        self.replaced: list[Span] = []
        self.inserted: list[int] = []

    def accepts(self, fix: Fix) -> bool:
        return all(edit in self.edits or not self._overlaps(edit.span) for edit in fix.edits)

    def add(self, fix: Fix) -> None:
        for edit in fix.edits:
            if edit in self.edits:
                continue
            self.edits.add(edit)
            if edit.span.start < edit.span.end:
                insort(self.replaced, edit.span)
            else:
                insort(self.inserted, edit.span.start)

    def _overlaps(self, span: Span) -> bool:
        at = bisect_left(self.replaced, span)
        around = self.replaced[max(0, at - 1) : at + 1]
        if span.start == span.end:
            return any(other.start < span.start < other.end for other in around)
        inside = bisect_right(self.inserted, span.start)
        if inside < len(self.inserted) and self.inserted[inside] < span.end:
            return True
        return any(other.overlaps(span) for other in around)


class Offsets:
    """Where bytes are before and after `fixes`, which do not overlap: worked out once, to be asked for many places."""

    def __init__(self, fixes: Sequence[Fix]) -> None:
        self._edits = ordered(fixes)
        self._before = [edit.span.start for edit in self._edits]
        self._after, self._shifts = list[int](), list[int]()
        shift = 0
        for edit in self._edits:
            self._after.append(edit.span.start + shift)
            shift += len(edit.replacement) - (edit.span.end - edit.span.start)
            self._shifts.append(shift)

    def origin(self, offset: int) -> int:
        """Where the byte at `offset` of the edited file was before.

        A byte that an edit wrote comes from the start of what the edit replaced.
        """
        at = bisect_right(self._after, offset) - 1
        if at < 0:
            return offset
        inside = offset < self._after[at] + len(self._edits[at].replacement)
        return self._before[at] if inside else offset - self._shifts[at]

    def moved(self, offset: int) -> int:
        """Where the byte at `offset` of the original is afterwards.

        A byte that an edit replaced is where the replacement starts.
        """
        at = bisect_right(self._before, offset) - 1
        if at < 0:
            return offset
        return self._after[at] if self._edits[at].span.end > offset else offset + self._shifts[at]


def ordered(fixes: Sequence[Fix]) -> list[Edit]:
    """Each distinct edit once, in the order of the file."""
    order: dict[Edit, tuple[int, int, int]] = {}
    for rank, fix in enumerate(fixes):
        whole = Span(fix.start, fix.end)
        for edit in fix.edits:
            order.setdefault(edit, _nesting(edit, whole, rank))
    return sorted(order, key=lambda e: (e.span.start, e.span.start != e.span.end, *order[e], e.replacement))


def _write(data: bytes, fixes: Sequence[Fix]) -> bytes:
    """Write the edits from left to right."""
    pieces, at = [], 0
    for edit in ordered(fixes):
        pieces.append(data[at : edit.span.start])
        pieces.append(edit.replacement)
        at = edit.span.end
    pieces.append(data[at:])
    return b"".join(pieces)


def _nesting(edit: Edit, fix: Span, rank: int) -> tuple[int, int, int]:
    """Sort key among insertions at one offset: those that close an inner fix first, then openers from outside in."""
    closes = edit.span.start == fix.end and edit.span.start > fix.start
    return (0, -fix.start, -rank) if closes else (1, fix.start, rank)
