"""What locks guard in memory that other blocks see: where one is taken, let go of, and what is changed in between.

A lock is a place in memory that an atomic exchange gives one constant and a later operation another one; it may be
behind functions that are given it, or members of its class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cudamigrate.model.warp_graph import Expression, Site
from cudamigrate.warp import sources
from cudamigrate.warp.expressions import without_casts
from cudamigrate.warp.places import Place
from cudamigrate.warp.shared_accesses import Access, Accesses, inside, is_shared

if TYPE_CHECKING:
    from cudamigrate.warp.transfer import Evaluator

_TAKING = ("take", "compare")
_THIS = ("v", "this")
_CONSTANT = "nrk"


class Guarded(NamedTuple):
    """A lock that a routine takes at a site and lets go of at another, and memory that it reads and changes in between.

    `read` is where it first reads what it changes.
    """

    taken: Site
    released: Site
    lock: Expression
    changed: Access
    read: Access


class _Event(NamedTuple):
    """An operation on a lock: which place, what it stores, whether it may take it."""

    site: Site
    lock: Expression
    stored: Expression
    takes: bool


class GuardedMemory:
    """Answers for the routines of one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._known: dict[int, tuple[_Event, ...]] = {}

    def of(self, place: Place, accesses: Accesses) -> Iterator[Guarded]:
        """The locks of one routine under which it reads and stores the same memory; nothing is said of fences."""
        events = sorted(self._events(place), key=lambda one: one.site.start)
        stored = list(accesses.stores()) if len(events) > 1 else []
        loaded = sorted(accesses.reads(), key=lambda one: one.start) if stored else []
        for one, after in _followed(events) if stored else ():
            if not one.takes or after.stored == one.stored:
                continue
            start, end = one.site.start, after.site.start
            read = {each.key: each for each in reversed(inside(loaded, start, end)) if each.what != one.lock}
            changed = [each for each in inside(stored, start, end) if each.key in read and not _is_result(place, each)]
            if changed:
                yield Guarded(one.site, after.site, one.lock, changed[0], read[changed[0].key])

    def _events(self, place: Place) -> Iterator[_Event]:
        yield from self._own(place)
        for site in place.routine.sites:
            targets = self.evaluator.called(place, site) if site.kind == "call" and site.callee else []
            if len(targets) == 1 and targets[0] is not place:
                yield from self._called(site, targets[0])

    def _own(self, place: Place) -> tuple[_Event, ...]:
        if id(place) not in self._known:
            found = (self._event(place, site) for site in place.routine.sites)
            self._known[id(place)] = tuple(one for one in found if one is not None)
        return self._known[id(place)]

    @staticmethod
    def _event(place: Place, site: Site) -> _Event | None:
        what = sources.atomics().get(site.callee.removesuffix("_system"), "")
        is_function = site.kind == "call" and site.receiver is None and site.callee.startswith("atomic")
        if not is_function or not what or len(site.arguments) < 2 or is_shared(place.routine, site.arguments[0]):
            return None
        stored = site.arguments[-1]
        takes = what in _TAKING and all(one[0] in _CONSTANT for one in site.arguments[1:])
        return _Event(site, without_casts(site.arguments[0]), stored if what in _TAKING else ("o", what, stored), takes)

    def _called(self, site: Site, target: Place) -> Iterator[_Event]:
        """What a function does to a lock that it is given, or that is a member of its object."""
        own = self._own(target)
        if len({(one.lock, one.stored) for one in own}) != 1:
            return
        lock = _given(site, target, own[0].lock)
        if lock:
            yield own[0]._replace(site=site, lock=lock, takes=any(one.takes for one in own))


def _followed(events: Sequence[_Event]) -> list[tuple[_Event, _Event]]:
    """The events in order, each with the next one on the same lock; the last one on a lock is left out."""
    later: dict[Expression, _Event] = {}
    found = []
    for one in reversed(events):
        if one.lock in later:
            found.append((one, later[one.lock]))
        later[one.lock] = one
    return found[::-1]


def _is_result(place: Place, one: Access) -> bool:
    """Whether a store is to what a function's parameter points to: it may be the caller's variable."""
    array, index = (one.what[1], one.what[2]) if one.what[0] == "i" else (one.what, ())
    return not place.routine.kernel and index == ("n", 0) and array[0] == "v" and array[1] in place.routine.parameters


def _given(site: Site, target: Place, lock: Expression) -> Expression:
    """The lock as the caller names it; nothing where it is another one."""
    routine = target.routine
    if lock[0] == "v" and lock[1] in routine.parameters:
        at = routine.parameters.index(lock[1])
        return without_casts(site.arguments[at]) if at < len(site.arguments) else ()
    if lock[0] == "m":
        inner = _given(site, target, lock[1])
        return ("m", inner, lock[2]) if inner else ()
    if lock == _THIS:
        return site.receiver or ()
    is_member = lock[0] == "v" and routine.owner and lock[1] not in routine.types and site.receiver is not None
    return ("m", site.receiver, lock[1]) if is_member and site.receiver is not None else ()
