"""Findings on names that the fix of another finding takes away: there is nothing to do about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.model import Finding, SpanIndex


def without_removed(found: Sequence[Finding]) -> Iterator[Finding]:
    """The findings of a file without those whose place a safe fix of another, larger or not on it, deletes."""
    gone = SpanIndex(
        (edit.span, one)
        for one in found
        if one.fix is not None and one.fix.safety == "safe"
        for edit in one.fix.edits
        if not edit.replacement and edit.span.start < edit.span.end
    )
    for one in found:
        around = gone.touching(one.span.start, one.span.end)
        if not any(other is not one and _deletes(other, one) for other in around):
            yield one


def _deletes(other: Finding, one: Finding) -> bool:
    """Whether a fix deletes the place of a finding whose own fix renames what is there, and no more."""
    edits = one.fix.edits if one.fix is not None else ()
    if len(edits) != 1 or edits[0].span != one.span or not edits[0].replacement or other.fix is None:
        return False
    inside = (edit.span for edit in other.fix.edits if not edit.replacement)
    return any(span.start <= one.span.start and one.span.end <= span.end for span in inside)
