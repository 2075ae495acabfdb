"""What a function returns is one of several constants: which threads get a certain one of them.

`role(warp) == Role::Load` divides a wave only where a condition does that comes before the `return` of that constant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import AGAIN, Expression, Site
from cudamigrate.warp.facts import SAME, Fact

if TYPE_CHECKING:
    from cudamigrate.warp.places import Place
    from cudamigrate.warp.transfer import Evaluator

_MOST_CALLS = 4
Facts = tuple[Fact, ...]


def compared(
    evaluator: Evaluator, place: Place, parts: tuple[Expression, ...], given: Facts | None, depth: int
) -> Fact | None:
    """How threads answer whether a result equals a constant; None where other values may be returned."""
    if len(parts) != 2 or depth <= 0:
        return None
    for what, constant in (parts, parts[::-1]):
        if _is_constant(evaluator, place, constant):
            found = _made_by(evaluator, place, what)
            if found is not None:
                at, call = found
                return _equals(evaluator, at, call, constant, given if at is place else None, depth, _MOST_CALLS)
    return None


def _is_constant(evaluator: Evaluator, place: Place, what: Expression) -> bool:
    """A number, or a name that no function around declares or is given."""
    at: Place | None = place if what[0] == "v" else None
    while at is not None:
        if what[1] in at.routine.types or what[1] in evaluator.definitions(at):
            return False
        at = at.around
    member = what[0] == "v" and evaluator.fields.has(place.routine.owner, what[1])
    return what[0] == "n" or (what[0] == "v" and what[1] not in ("this", "") and not member)


def _made_by(evaluator: Evaluator, place: Place, what: Expression) -> tuple[Place, Expression] | None:
    """The one call that gives a value, with the routine that it is in."""
    if what[0] == "c":
        return place, what
    at = place.declaring(what[1]) if what[0] == "v" and not what[1].endswith(AGAIN) else None
    if at is None or what[1] in at.routine.taken | at.routine.handed | frozenset(at.routine.parameters):
        return None
    values = [at.routine.definitions[one] for one in evaluator.definitions(at).get(what[1], ())]
    lone = len(values) == 1 and values[0].value[0] == "c" and not values[0].guards
    return (at, values[0].value) if lone else None


def _equals(
    evaluator: Evaluator,
    place: Place,
    call: Expression,
    constant: Expression,
    given: Facts | None,
    depth: int,
    calls: int,
) -> Fact | None:
    """Over all that a call may reach: under which conditions it returns the constant."""
    _, callee, arguments, receiver = call
    site = Site("call", callee, arguments, receiver, (), 0, 0, 0)
    targets = evaluator.called(place, site) if callee and calls else []
    handed = evaluator.padded(place, call, evaluator.values(place, arguments, given, depth))
    found: list[Fact] = []
    for target in targets:
        results = [target.routine.definitions[at] for at in evaluator.definitions(target).get("return", ())]
        if len(results) == 1 and results[0].value[0] == "c":
            if results[0].value != call:  # a call of another function of the name is no value of its own
                made = _equals(evaluator, target, results[0].value, constant, handed, depth - 1, calls - 1)
                if made is None:
                    return None
                found.append(made)
        elif results and all(_is_constant(evaluator, target, one.value) for one in results):
            equal = [at for at, one in enumerate(results) if one.value == constant]
            before = results[: equal[-1] + 1] if equal else []
            guards = tuple(dict.fromkeys(guard for one in before for guard in one.guards))
            found.append(evaluator.under(SAME, target, guards, handed, depth))
        else:
            return None
    return max(found, key=lambda one: (one.level, not one.sure), default=None)
