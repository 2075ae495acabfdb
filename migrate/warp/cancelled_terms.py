"""Differences in which what both sides have in common falls out: `last - first`, where `last = first + size - 1`.

What remains may be the same for all threads though neither side is. A variable is replaced by its value where it has
one; what is taken out of both sides has not changed since.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from cudamigrate.model.warp_graph import AGAIN, Definition, Expression
from cudamigrate.warp.expressions import below
from cudamigrate.warp.rounded_values import product

if TYPE_CHECKING:
    from cudamigrate.warp.places import Place
    from cudamigrate.warp.transfer import Evaluator

_DEPTH, _MOST = 6, 24
_NOW = sys.maxsize
_FOLLOWED = ("+", "-")


class _Term(NamedTuple):
    """So many times an expression, with the value that it had where a variable was set `since` when."""

    times: int
    what: Expression
    since: int = _NOW


class CancelledTerms:
    """Answers for one evaluator's routines."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def simpler(self, place: Place, what: Expression) -> Expression | None:
        """Another expression of the same value by which more is known of it: a product or a shorter sum; or None."""
        made = product(what)
        if made is None and what[:2] == ("o", "-") and len(what) == 4:
            return self._of(place, what[2], what[3])
        return made

    def _of(self, place: Place, left: Expression, right: Expression) -> Expression | None:
        """What is left of a difference; None where its sides have nothing in common, or it is too long."""
        ours, theirs = list(self._terms(place, left, 1, _NOW, _DEPTH)), list(self._terms(place, right, 1, _NOW, _DEPTH))
        if not 2 < len(ours) + len(theirs) <= _MOST:
            return None
        rest, kept = list(theirs), list[_Term]()
        for one in ours:
            same = next((each for each in rest if self._is_same(place, one, each)), None)
            if same is None:
                kept.append(one)
            else:
                rest.remove(same)
        if len(rest) == len(theirs):
            return None
        return _sum([*kept, *(one._replace(times=-one.times) for one in rest)])

    def _terms(self, place: Place, what: Expression, times: int, since: int, depth: int) -> Iterator[_Term]:
        """What an expression is the sum of, variables followed to their values."""
        if what[0] == "o" and what[1] in _FOLLOWED and len(what) == 4:
            yield from self._terms(place, what[2], times, since, depth)
            yield from self._terms(place, what[3], times if what[1] == "+" else -times, since, depth)
            return
        made = self._value(place, what[1]) if what[0] == "v" and depth else None
        if made is None:
            yield _Term(times, what, since)
        else:
            yield from self._terms(place, made.value, times, min(since, made.start), depth - 1)

    def _value(self, place: Place, name: str) -> Definition | None:
        """What gives a variable its only value, before all that reads it."""
        routine = place.routine
        known = self.evaluator.definitions(place).get(name, ())
        if len(known) != 1 or name in routine.parameters or not self._is_own(place, name):
            return None
        made = routine.definitions[known[0]]
        is_first = name.endswith(AGAIN) or not made.place  # an assignment to a variable of a block around may be passed
        return made if is_first and made.value[0] in ("o", "v") else None

    def _is_same(self, place: Place, one: _Term, other: _Term) -> bool:
        """Whether two terms are the same number: of the same variables, none of which was given another value since."""
        if one.times != other.times or one.what != other.what or one.what[0] == "n":
            return False
        since = min(one.since, other.since)
        for part in below(one.what):
            if part[0] not in ("v", "n", "o", "k", "r"):
                return False
            if part[0] == "v" and not self._is_settled(place, part[1], since):
                return False
        return True

    def _is_settled(self, place: Place, name: str, since: int) -> bool:
        """Whether a variable keeps from some place on what it has there."""
        definitions, known = place.routine.definitions, self.evaluator.definitions(place).get(name, ())
        return self._is_own(place, name) and all(definitions[at].start < since for at in known)

    def _is_own(self, place: Place, name: str) -> bool:
        """Whether a variable is changed by name alone."""
        routine, own = place.routine, name.partition("#")[0]
        if name not in routine.types or {own, name} & (routine.taken | routine.shared | routine.aliases):
            return False
        return not any(
            one == ("v", name) and self.evaluator.references.is_taken(site, at)
            for site in (routine.sites if name in routine.handed else ())
            for at, one in enumerate(site.arguments)
        )


def _sum(terms: list[_Term]) -> Expression:
    made: Expression = ("n", 0)
    for one in terms:
        term = one.what if abs(one.times) == 1 else ("o", "*", ("n", abs(one.times)), one.what)
        made = term if made == ("n", 0) and one.times > 0 else ("o", "+" if one.times > 0 else "-", made, term)
    return made
