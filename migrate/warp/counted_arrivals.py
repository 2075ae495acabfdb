"""Threads that go on where they are the last to count up, and read what the others wrote before they counted.

`part[i] = sum; if (atomicAdd(count, 1) == last) total += part[k];`: an atomic operation orders nothing but itself. On
AMD's GPUs each compute unit, and on MI300 each die, has caches that stores of others do not reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cudamigrate.model.warp_graph import Condition, Expression, Site
from cudamigrate.warp import sources
from cudamigrate.warp.expressions import below
from cudamigrate.warp.places import Place
from cudamigrate.warp.shared_accesses import Access, Accesses, inside, is_shared, mentions, named, root

_COUNTING = ("add", "sub", "inc", "dec")
_NONE = (("n", 0), ("r", "false"))
_FUNCTIONS = "atomic"


class Arrival(NamedTuple):
    """An atomic operation that tells a thread whether others came before, what it reads then, and what was stored."""

    site: Site
    read: Access
    stored: Access


def arrivals(place: Place, accesses: Accesses) -> Iterator[Arrival]:
    """Those of one routine: nothing is said of fences."""
    written = [*accesses.stores(), *accesses.updates_of_atomics()]
    counting = [one for one in place.routine.sites if _counts(place, one)] if written else []
    loaded = list(accesses.reads()) if counting else []
    own = {one.what for one in written}
    for site in counting:
        counted = root(site.arguments[0])  # what is counted in is read by the operation itself
        before = [one for one in written if _may_precede(place, one, site) and one.key != counted]
        keys = {one.key: one for one in reversed(before)}
        for start, end in _later(place, site):
            found = [one for one in inside(loaded, start, end) if one.key in keys and one.what not in own]
            if found and start <= found[0].start:
                yield Arrival(site, found[0], keys[found[0].key])
                break


def _may_precede(place: Place, stored: Access, site: Site) -> bool:
    """Whether a store may be done before a site: by its place, or in an earlier turn of a loop around both."""
    turns = place.routine.turns
    return stored.start < site.start or any(start <= site.start < stored.start < end for start, end in turns)


def _counts(place: Place, site: Site) -> bool:
    """Whether a site is an atomic operation on memory that other blocks see, by a function of CUDA's."""
    if site.kind != "call" or site.receiver is not None or not site.callee.startswith(_FUNCTIONS):
        return False
    if site.callee.endswith("_block") or len(site.arguments) < 2 or is_shared(place.routine, site.arguments[0]):
        return False
    return sources.atomics().get(site.callee.removesuffix("_system"), "") in (*_COUNTING, "take", "compare")


def _later(place: Place, site: Site) -> Iterator[tuple[int, int]]:
    """What only threads run that were not the first: bytes of the routine."""
    call = ("c", site.callee, site.arguments, site.receiver)
    known = _told(place, site, call)
    for condition in place.routine.conditions:
        if condition.start >= site.start or mentions(condition.test, call):
            which = _Answer(site, call, known).of(condition.test)
            if which is not None and which < len(condition.regions):
                yield from _spans(condition, which)


def _told(place: Place, site: Site, call: Expression) -> dict[str, Expression]:
    """The variables that are given what an operation returns, or what is made of such ones: `last = ticket == most`."""
    known = dict[str, Expression]()
    for one in sorted(place.routine.definitions, key=lambda one: one.start):
        of_known = one.start >= site.start and any(named(part) in known for part in below(one.value))
        if one.name != "*" and (of_known or mentions(one.value, call)):
            known[one.name.partition("#")[0]] = one.value
    return known


def _spans(condition: Condition, which: int) -> Iterator[tuple[int, int]]:
    yield from condition.regions[which]


class _Answer:
    """Which answer to a condition later threads give: 0 for true, 1 for false, None where that is not seen."""

    def __init__(self, site: Site, call: Expression, known: dict[str, Expression]) -> None:
        self.site, self.call, self.known = site, call, known

    def of(self, test: Expression) -> int | None:
        """The answer to a condition."""
        if test[0] == "o" and test[1] in ("!", "not") and len(test) == 3:
            inner = self.of(test[2])
            return None if inner is None else 1 - inner
        if test[0] == "o" and test[1] in ("&&", "||") and len(test) == 4:
            wanted = 0 if test[1] == "&&" else 1
            return wanted if wanted in (self.of(test[2]), self.of(test[3])) else None
        if test[0] == "o" and test[1] in ("==", "!=", ">", ">=") and len(test) == 4:
            return self._compared(test[1], test[2], test[3])
        if (name := named(test)) in self.known:
            rest = {one: value for one, value in self.known.items() if one != name}
            return _Answer(self.site, self.call, rest).of(self.known[name])
        return 0 if self._value(test) == self.call else None  # a number other than 0

    def _compared(self, sign: str, one: Expression, other: Expression) -> int | None:
        left, right = self._value(one), self._value(other)
        if right == self.call and sign in ("==", "!="):
            left, right = right, left
        if left != self.call:
            return None
        if sign in (">", ">="):
            return 0
        is_first = self._is_first(right)
        return 1 if is_first == (sign == "==") else 0

    def _is_first(self, value: Expression) -> bool:
        """Whether an operation gives a value to the first thread alone."""
        what = sources.atomics().get(self.site.callee.removesuffix("_system"), "")
        if what == "compare":
            return value == self.site.arguments[1]
        return what == "take" or value in _NONE

    def _value(self, what: Expression) -> Expression:
        """What an expression is, casts left out; of a variable what it is given, as far as that is known."""
        seen = set[str]()
        while (what[0] == "o" and what[1] == "cast") or ((name := named(what)) in self.known and name not in seen):
            if what[0] == "o":
                what = what[2]
            else:
                seen.add(name)
                what = self.known[name]
        return what
