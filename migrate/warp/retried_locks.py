"""Atomic operations that a loop repeats until somebody else gives something back: a lock is taken, by whichever it is.

`atomicOr(&lock, 1)` leaves memory the second time as it left it the first time; a counter, `atomicAdd(&lock, 1)`, never
comes back to 0 by itself, and one that is counted back in the same turn changes nothing at all. What else a function
does that takes the lock may change members of its object, as long as the operation does not ask by them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cudamigrate.model.warp_graph import Expression, Site
from cudamigrate.warp import sources
from cudamigrate.warp.expressions import below, without_casts
from cudamigrate.warp.memory_effects import COUNTERS, LASTING, MemoryEffects, atomic, changes_nothing, leaves_memory
from cudamigrate.warp.places import Place

if TYPE_CHECKING:
    from collections.abc import Callable

_LARGEST = 64
"""Functions that are read for one call."""
_BACK = {"add": ("sub", "dec"), "sub": ("add", "inc"), "inc": ("dec", "sub"), "dec": ("inc", "add")}
_EQUALITIES = ("==", "!=")


class _Operation(NamedTuple):
    """An atomic operation that writes: in which routine, what it does, to which memory, with which operands."""

    place: Place
    site: Site
    what: str
    memory: Expression
    operands: tuple[Expression, ...]


class RetriedLocks:
    """Answers for the loops of one evaluator's routines; `alone` tells where one lane of a wave is by itself."""

    def __init__(self, effects: MemoryEffects, alone: Callable[[Place, Site], bool]) -> None:
        self.effects, self.alone = effects, alone

    def takes(self, place: Place, loop: Site) -> bool:
        """Whether a loop, with all that it calls in a turn, asks for a lock and changes nothing that it asks by."""
        found = self._turn(place, loop)
        return bool(found.operations) and found.is_lock() and not self._is_lone(found)

    def is_lone(self, place: Place, loop: Site) -> bool:
        """Whether one lane of a wave asks for what all that are in a loop wait for."""
        return self._is_lone(self._turn(place, loop))

    def given_back(self, place: Place, loop: Site) -> Site | None:
        """Where a function that a turn calls takes a lock which it also lets go of; None where none does."""
        kept = [one for one in self._turn(place, loop).operations if one.what in LASTING and one.place is not place]
        for one in kept:
            later = (each for each in kept if each.place is one.place and each.site.start > one.site.start)
            same = next((each for each in later if each.memory == one.memory and _is_for(one, each)), None)
            if same is not None and one.what in ("take", "compare") and same.operands[-1:] != one.operands[-1:]:
                return one.site
        return None

    def _turn(self, place: Place, loop: Site) -> _Turn:
        tests = tuple((loop.receiver or ())[1:])
        asked = [one for one in below(tests) if one[0] == "c"]
        done = [one for one in loop.arguments if one[0] == "c"]
        inside = {
            ("c", one.callee, one.arguments, one.receiver): one
            for one in place.routine.sites
            if one.kind == "call" and loop.start <= one.start < loop.end
        }
        found = _Turn(self.effects)
        found.tests[id(place)] = tests
        unseen = (one for one in dict.fromkeys((*asked, *done)) if one not in inside)
        made = (Site("call", one[1], one[2], one[3], (), loop.start, 0, 0) for one in unseen)
        found.read(place, [*inside.values(), *made])
        return found

    def _is_lone(self, turn: _Turn) -> bool:
        ways = [any(self.alone(*one) for one in turn.way(each)) for each in turn.operations]
        return bool(ways) and all(ways)


class _Turn:
    """What a turn of a loop does, in all routines that it calls."""

    def __init__(self, effects: MemoryEffects) -> None:
        self.effects = effects
        self.operations: list[_Operation] = []
        self.stored: set[str] = set()
        self.tests: dict[int, tuple[Expression, ...]] = {}
        self.callers: dict[int, tuple[Place, Site]] = {}
        self.is_known = True

    def read(self, place: Place, calls: Sequence[Site]) -> None:
        """Read calls of a routine and what they call."""
        for site in calls:
            targets = self.effects.evaluator.called(place, site) if site.callee else []
            what = "" if targets else atomic(_call(site))
            if what:
                self._operation(place, site, what)
            elif targets:
                for one in targets:
                    self._routine(one, place, site)
            elif not (leaves_memory(site) or _is_of_group(site) or all(one[0] == "n" for one in _parts(site))):
                self.is_known = False

    def _operation(self, place: Place, site: Site, what: str) -> None:
        arguments = site.arguments
        memory, operands = (site.receiver, arguments) if site.receiver is not None else (arguments[:1], arguments[1:])
        if memory and not changes_nothing(what, operands):
            self.operations.append(_Operation(place, site, what, memory, operands))

    def _routine(self, target: Place, caller: Place, site: Site) -> None:
        routine = target.routine
        if id(target) in self.tests:
            return
        if len(self.tests) > _LARGEST:
            self.is_known = False
            return
        self.tests[id(target)] = tuple(one.test for one in routine.conditions)
        self.callers[id(target)] = caller, site
        for one in routine.definitions:
            holder, dot, _ = one.name.partition(".")
            if one.name == "*" or one.name in routine.references or (dot and holder in routine.parameters):
                self.is_known = False
            if holder.partition("#")[0] not in routine.types:
                self.stored.add(holder)
        self.stored -= {"return"}
        self.read(target, [one for one in routine.sites if one.kind == "call"])

    def way(self, operation: _Operation) -> Iterator[tuple[Place, Site]]:
        """Where an operation is, and the calls that lead to it from the loop."""
        at: tuple[Place, Site] | None = operation.place, operation.site
        while at is not None:
            yield at
            at = self.callers.get(id(at[0]))

    def is_lock(self) -> bool:
        """Whether all that a turn writes is one lock that it asks for, or takes and gives back again."""
        if not self.is_known:
            return False
        memories = {(id(one.place), one.memory) for one in self.operations}
        kinds = {one.what for one in self.operations}
        if len(memories) != 1 or any(self._is_changed(one) for one in self.operations):
            return False
        first = self.operations[0]
        if kinds <= set(LASTING):
            return len({(one.what, one.operands) for one in self.operations}) == 1 and self._is_same(first)
        if kinds <= set(COUNTERS):
            back = any(_is_undone(one, two) for one in self.operations for two in self.operations)
            return back or (len(kinds) == 1 and any(map(self._is_zero, self.operations)))
        return False

    def _is_changed(self, operation: _Operation) -> bool:
        """Whether a turn changes by what an operation asks."""
        return not self.stored.isdisjoint(_names((operation.memory, operation.operands)))

    def _is_same(self, operation: _Operation) -> bool:
        """Whether what an operation stores, or compares with, is the same in each turn: made of no memory."""
        given = operation.operands[:1]
        return operation.what == "take" or all(self._is_fixed(operation.place, one, _LARGEST) for one in given)

    def _is_fixed(self, place: Place, what: Expression, depth: int) -> bool:
        if depth == 0 or any(one[0] in "cil" or (one[0] == "o" and one[1] == "?") for one in below(what)):
            return False
        own = [one for one in below(what) if one[0] == "v" and one[1] in place.routine.types]
        given = [one.value for name in own for one in place.routine.definitions if one.name == name[1]]
        return all(self._is_fixed(place, one, depth // 2) for one in given)

    def _is_zero(self, operation: _Operation) -> bool:
        """Whether what a counter gave is asked to be 0, where it is counted or by who calls that function."""
        return self._asks(operation.place, _call(operation.site))

    def _asks(self, place: Place, call: Expression) -> bool:
        made = place.routine.definitions
        gave = [call, *(("v", one.name) for one in made if one.name != "return" and call in below(one.value))]
        if any(_is_for_zero(one, gave, True) for one in self.tests[id(place)]):
            return True
        if any(_is_for_zero(one.value, gave, False) for one in made):
            return True
        caller = self.callers.get(id(place))
        returned = any(one.name == "return" and without_casts(one.value) in gave for one in made)
        return returned and caller is not None and self._asks(caller[0], _call(caller[1]))


def _call(site: Site) -> Expression:
    return "c", site.callee, site.arguments, site.receiver


def _is_for(taken: _Operation, later: _Operation) -> bool:
    """Whether an operation may let go of what another one took: one that compares does by what that one stored."""
    return later.what != "compare" or later.operands[:1] == taken.operands[-1:]


def _is_undone(one: _Operation, other: _Operation) -> bool:
    """Whether a counter is counted back by as much."""
    if one.what == other.what:
        return one.operands[:1] == tuple(("o", "-", each) for each in other.operands[:1])
    return other.what in _BACK[one.what]


def _is_for_zero(what: Expression, gave: Sequence[Expression], decides: bool) -> bool:
    """Whether an expression negates or compares with 0 one of some others; or is one, where it `decides`."""
    what = without_casts(what)
    if what in gave:
        return decides
    if what[0] != "o":
        return False
    if what[1] in _EQUALITIES:
        return any(without_casts(one) in gave for one in what[2:]) and ("n", 0) in what[2:]
    decides = decides or what[1] in ("!", "&&", "||")
    return what[1] in ("!", "&&", "||", "?", "?:") and any(_is_for_zero(one, gave, decides) for one in what[2:])


def _is_of_group(site: Site) -> bool:
    """Whether a call is of a member of a group of threads: no function of those names writes memory."""
    known = site.callee in sources.exchanges("own") | sources.exchanges("members") or site.callee in sources.results()
    return site.receiver is not None and known


def _parts(site: Site) -> Iterator[Expression]:
    return iter((*site.arguments, *((site.receiver,) if site.receiver is not None else ())))


def _names(what: tuple[Expression, ...] | Expression) -> set[str]:
    return {one[1].partition("#")[0] for one in below(what) if one[0] == "v"}
