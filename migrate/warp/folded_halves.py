"""Halves of an array that a reduction folds: `if (t < n) s[t + row] = f(s[t + n + row])` reads none of what it writes.

With the thread's number below `n`, the places written are the first `n` of a row and those read the next `n`, whatever
the row, as long as `n` is the same. Rows that change from turn to turn are as far apart as the block has threads, and
`n` is at most half of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cudamigrate.model.warp_graph import Condition, Expression
from cudamigrate.warp.facts import THREAD
from cudamigrate.warp.places import Place
from cudamigrate.warp.transfer import Evaluator

_THREAD, _THREADS = ("k", "thread"), ("k", "threads")
_HALVES = (("/", ("n", 2)), (">>", ("n", 1)))


def folded_by(evaluator: Evaluator, place: Place, written: tuple[Expression, int], read: tuple[Expression, int]) -> str:
    """The variable by which the second half is away from the first, for two indexes and where they are; else empty."""
    first, second = Counter(_terms(written[0])), Counter(_terms(read[0]))
    distance = list((second - first).elements())
    if first - second or len(distance) != 1 or distance[0][0] != "v" or first[_THREAD] != 1:
        return ""
    name = distance[0][1]
    below_it = any(_holds(one, distance[0], written[1], read[1]) for one in place.routine.conditions)
    rows = [one for one in first if one != _THREAD]
    if not below_it or not all(evaluator.value(place, one).level < THREAD for one in rows):
        return ""
    return name if not rows or (all(map(_is_row, rows)) and _is_half(place, name)) else ""


def changes(place: Place, name: str, start: int, end: int) -> bool:
    """Whether a variable gets another value between two places."""
    return any(one.name == name and start <= one.start < end for one in place.routine.definitions)


def _terms(what: Expression) -> Iterator[Expression]:
    if what[:2] == ("o", "+") and len(what) == 4:
        yield from _terms(what[2])
        yield from _terms(what[3])
    else:
        yield what


def _holds(condition: Condition, distance: Expression, *places: int) -> bool:
    """Whether all places are where a condition says that the thread's number is below a distance."""
    if condition.test != ("o", "<", _THREAD, distance) or not condition.regions:
        return False
    return all(any(start <= one < end for start, end in condition.regions[0]) for one in places)


def _is_row(term: Expression) -> bool:
    """Whether a term is a multiple of the number of the block's threads."""
    return term == _THREADS or (term[:2] == ("o", "*") and _THREADS in term[2:])


def _is_half(place: Place, name: str) -> bool:
    """Whether a variable begins as half of the block's threads and only is halved."""
    values = [one.value for one in place.routine.definitions if one.name == name]
    halves = {("o", sign, of, by) for sign, by in _HALVES for of in (_THREADS, ("v", name))}
    return bool(values) and all(one in halves for one in values)
