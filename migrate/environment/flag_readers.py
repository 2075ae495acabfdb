"""Who reads a value of a variable of a script: what is read behind it, before the variable is set to something else.

`FAST="-Ofast"`, `CFLAGS="$FAST"`, and further on `FAST="-use_fast_math"`, `NVCCFLAGS="$FAST"`: two compilers get two
values. Lines are read in their order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from cudamigrate.syntax.shell import Assignment, Script


def readers(read: Script, one: Assignment) -> frozenset[str]:
    """The variables whose values have what `one` sets; none where the order of lines does not tell."""
    places = sorted(at.start for name, at in read.expansions if name == one.name)
    own = [each for each in read.assignments if each.name == one.name]
    first = min(each.value.span.start for each in own)
    if any(at < first for at in places):
        return frozenset()  # in a function, which is called further on
    end = min((each.value.span.start for each in own if _replaces(each, one, places)), default=None)
    begin = one.value.span.end
    read_here = [at for at in places if begin <= at and (end is None or at < end)]
    holders = {each.name for each in read.assignments if _holds(each, read_here)}
    return frozenset(holders - {one.name})


def _replaces(later: Assignment, one: Assignment, places: Sequence[int]) -> bool:
    """Whether an assignment further on sets the variable to something that does not have its value."""
    return later.value.span.start > one.value.span.end and not _holds(later, places)


def _holds(one: Assignment, places: Sequence[int]) -> bool:
    """Whether the value of an assignment has one of some places, which are in order."""
    at = bisect_left(places, one.value.span.start)
    return at < len(places) and places[at] < one.value.span.end
