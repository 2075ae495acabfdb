"""Conditions that one thread of a block meets: `if (tid == 0)`, whatever names, macros and calls the number came by.

The number is followed from `threadIdx` through macros and the parameters of functions, in all calls that are seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import Expression, Site
from cudamigrate.warp.places import Place

if TYPE_CHECKING:
    from cudamigrate.warp.transfer import Evaluator


def is_one_thread(evaluator: Evaluator, place: Place, site: Site) -> bool:
    """Whether a condition around a site lets one thread of a wave in: threads of a wave are one row of the block."""
    around = (place.routine.conditions[one] for one in site.guards)
    tests = [one.test for one in around if one.is_met_at(site.start)]
    return any(_asks(evaluator, place, one) for one in tests) and evaluator.has_rows_of_waves(place)


def _asks(evaluator: Evaluator, place: Place, test: Expression) -> bool:
    """Whether a condition asks for a constant where no two threads of a row have a number alike."""
    if test[:2] == ("o", "&&"):
        return any(_asks(evaluator, place, one) for one in test[2:])
    if test[:2] == ("o", "!") and len(test) == 3:
        return _is_number(evaluator, place, test[2])
    if test[:2] != ("o", "==") or len(test) != 4:
        return False
    return any(other[0] == "n" and _is_number(evaluator, place, one) for one, other in (test[2:], test[:1:-1]))


def _is_number(evaluator: Evaluator, place: Place, what: Expression) -> bool:
    """Whether each thread of a row has another value: so much more for the next one."""
    evaluator.solve([], [(place, what)])
    fact = evaluator.value(place, what)
    return fact.sure and bool(fact.per_thread)
