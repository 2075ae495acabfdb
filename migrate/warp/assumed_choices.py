"""A condition under a test of a template's parameters, with what values are chosen there by the same test.

`lane = (N == 1) ? 0 : threadIdx.z` is 0 under `if (N == 1)`: each kernel made of the template has one answer.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import AGAIN, Expression
from cudamigrate.warp.expressions import below

if TYPE_CHECKING:
    from cudamigrate.warp.places import Place
    from cudamigrate.warp.transfer import Evaluator

_DEPTH, _MOST = 24, 400
"""How deep variables are followed, and how many parts of expressions are looked at."""


def under_tests(evaluator: Evaluator, place: Place, number: int) -> Expression | None:
    """The test of a condition as it is under the tests around it; None where these choose nothing in it."""
    condition = place.routine.conditions[number]
    assumed = {
        one.test
        for one in place.routine.conditions
        if one.is_met_at(condition.start) and _is_of_template(place, one.test)
    }
    if not assumed:
        return None
    made = _Choices(evaluator, place, assumed).made(condition.test, _DEPTH)
    return made if made != condition.test else None


def _is_of_template(place: Place, test: Expression) -> bool:
    """Whether a test asks for parameters of the routine's own template, and for nothing else."""
    parts = [one for one in below(test) if one[0] not in ("o", "n")]
    return bool(parts) and all(one[0] == "v" and one[1] in place.routine.templates for one in parts)


class _Choices:
    """Expressions of one routine with what the assumed tests choose; a variable is followed to what it is made of."""

    def __init__(self, evaluator: Evaluator, place: Place, assumed: Collection[Expression]) -> None:
        self._evaluator, self._place, self._assumed, self._left = evaluator, place, assumed, _MOST

    def made(self, what: Expression, depth: int) -> Expression:
        """The expression itself where nothing is chosen in it, or where that would take too long."""
        self._left -= 1
        if depth == 0 or self._left < 0:
            return what
        if what[0] == "o" and what[1] == "?:" and len(what) == 5 and what[2] in self._assumed:
            return self.made(what[3], depth - 1)
        if what[0] == "o":
            return (*what[:2], *(self.made(one, depth - 1) for one in what[2:]))
        return self._variable(what, depth) if what[0] == "v" else what

    def _variable(self, what: Expression, depth: int) -> Expression:
        routine = self._place.routine
        known = self._evaluator.definitions(self._place).get(what[1], ())
        changed = routine.taken | routine.handed | frozenset(routine.parameters)
        if len(known) != 1 or what[1] in changed or what[1].endswith(AGAIN):
            return what
        value = routine.definitions[known[0]].value
        made = self.made(value, depth - 1)
        return made if made != value else what
