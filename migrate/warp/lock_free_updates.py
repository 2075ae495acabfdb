"""Compare-and-swap of lock-free code: a loop that reads a place in each turn and tries until its own exchange succeeds.

Such an exchange fails only because another thread's succeeded, so no lane waits for one that cannot run. One that takes
a lock waits until the lock is given back: it compares with a number, or with what is only tried once the place is free.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model.warp_graph import Definition, Expression, Site
from cudamigrate.warp.expressions import below, without_casts
from cudamigrate.warp.places import Place

_EQUALITIES = ("==", "!=")
_READS = ("i", "m")
_JUMP = "jump"
_UNARY = 3
_DEPTH = 4
"""Variables that are copies of each other: `old = entry;`."""


def is_lock_free(place: Place, loop: Site, call: Expression) -> bool:
    """Whether a compare-and-swap that a loop asks by expects just what the loop has read in the same turn.

    Not where the loop asks that value itself, as it does of a lock, `while (old != 0 || ...)`: a pointer may be asked
    whether it is the last of a chain whose next one is put in, `old->next`.
    """
    arguments, receiver = call[2:]
    given = arguments if receiver is not None else arguments[1:]
    target = _target(arguments[0]) if receiver is None and arguments else None
    if len(given) < 2 or not _is_read(place, loop, given[0], _DEPTH, target):
        return False
    expected, stored = without_casts(given[0]), given[1]
    made = [one for one in place.routine.definitions if one.value[:1] in (("c",), ("o",))]
    gave = [call, *(("v", one.name) for one in made if _plain(without_casts(one.value)) == _plain(call))]
    if not any(_asks(test, expected, gave) for test in (loop.receiver or ())[1:]):
        return True
    is_number = expected[1].partition("#")[0] in place.routine.held
    return not is_number and stored != expected and expected in below(stored)


def _plain(what: Expression) -> Expression:
    """An expression with its variables whichever of a name they are: a loop's conditions name them alone."""
    if what[:1] == ("v",):
        return ("v", what[1].partition("#")[0])
    return tuple(_plain(one) if isinstance(one, tuple) else one for one in what)


def _target(pointer: Expression) -> Expression:
    """The place in memory that an exchange is for: `front` of `(unsigned *)&front`."""
    pointer = without_casts(pointer)
    is_address = pointer[:2] == ("o", "&") and len(pointer) == _UNARY
    return without_casts(pointer[2]) if is_address else pointer


def _is_read(place: Place, loop: Site, what: Expression, depth: int, target: Expression | None = None) -> bool:
    """Whether a variable is what a turn of the loop reads from memory, unchanged; the exchange's `target` is there."""
    what = without_casts(what)
    if depth == 0 or what[0] != "v":
        return False
    made = [one for one in place.routine.definitions if one.name == what[1] and _is_inside(loop, one)]
    values = [without_casts(one.value) for one in made]
    return bool(values) and all(
        one[0] in _READS or one == target or _is_read(place, loop, one, depth - 1, target) for one in values
    )


def _is_inside(loop: Site, made: Definition) -> bool:
    """Whether a turn of a loop gives a value; one made by jumps goes on behind its label."""
    return loop.start <= made.start and (made.start < loop.end or loop.kind == _JUMP)


def _asks(test: Expression, expected: Expression, gave: Sequence[Expression]) -> bool:
    """Whether a condition asks for a value, by more than whether the exchange found it, which it `gave`."""
    test = without_casts(test)
    if test == expected:
        return True
    if test in gave or test[0] in _READS or (test[0] == "o" and test[1] == "rests"):
        return False
    if test[0] == "o" and test[1] in _EQUALITIES and any(without_casts(one) in gave for one in test[2:]):
        return False
    return any(_asks(part, expected, gave) for part in test[1:] if isinstance(part, tuple))
