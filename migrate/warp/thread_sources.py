"""Whether values come from a thread's number as a whole, or only from its lane's: the latter are alike in all warps."""

from __future__ import annotations

from cudamigrate.model.warp_graph import Expression
from cudamigrate.warp.places import Place
from cudamigrate.warp.transfer import Evaluator

_MOST = 400
"""Expressions that are followed for one question."""
_LANES = {"%": (32, 64), "&": (31, 63)}


def differs_between_warps(evaluator: Evaluator, place: Place, what: Expression) -> bool:
    """Whether a value is made of a thread's number that is not first cut down to a lane's.

    Followed through variables and through arguments of the calls that are seen. What code reads from shared memory is
    what threads have agreed on: only where it is read counts.
    """
    waiting: list[tuple[Place, Expression]] = [(place, what)]
    seen = set[tuple[int, Expression]]()
    while waiting and len(seen) < _MOST:
        at, one = waiting.pop()
        if (id(at), one) in seen or not one:
            continue
        seen.add((id(at), one))
        if one[0] == "k" and one[1] in ("thread", "warp"):
            return True
        waiting += _parts(evaluator, at, one)
    return False


def _parts(evaluator: Evaluator, place: Place, what: Expression) -> list[tuple[Place, Expression]]:
    """What a value is made of, without a thread's number that only chooses a lane."""
    kind = what[0]
    if kind == "v":
        return _given(evaluator, place, what[1])
    cuts = kind == "o" and what[1] in _LANES and len(what) == 4
    if cuts and evaluator.value(place, what[3]).value in _LANES[what[1]]:
        return []
    if kind == "i" and what[1][0] == "v" and what[1][1].partition("#")[0] in place.routine.shared:
        return [(place, what[2])]
    if kind == "c":
        parts = (*what[2], *(() if what[3] is None else (what[3],)))
        return [(place, one) for one in parts]
    return [(place, one) for one in what[1:] if isinstance(one, tuple)]


def _given(evaluator: Evaluator, place: Place, name: str) -> list[tuple[Place, Expression]]:
    """What a variable is given, or a parameter by the calls that are seen."""
    routine = place.routine
    found = [(place, routine.definitions[at].value) for at in evaluator.definitions(place).get(name, ())]
    if name in routine.parameters and not routine.kernel:
        number = routine.parameters.index(name)
        calls = evaluator.calls_of(place) or ()
        found += [(caller, site.arguments[number]) for caller, site in calls if number < len(site.arguments)]
    return found
