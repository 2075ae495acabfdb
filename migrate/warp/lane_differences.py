"""Whether lanes of one warp are seen to have different values: what a value is made of tells it, not what it is.

A function of CUDA's that only computes differs where its arguments do, an element where its index does; each atomic
operation gives another number. A vote is the same for all lanes of its mask, and so is what all take from one lane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import Definition, Expression
from cudamigrate.warp import sources
from cudamigrate.warp.element_types import LOADS
from cudamigrate.warp.expressions import below
from cudamigrate.warp.facts import THREAD
from cudamigrate.warp.lane_words import SHUFFLES
from cudamigrate.warp.places import Place
from cudamigrate.warp.questions import Questions

if TYPE_CHECKING:
    from cudamigrate.warp.transfer import Evaluator

_ALIKE, _UNSEEN, _DIFFERS = range(3)
_DEPTH, _WARP = 16, 32
_LOADS = frozenset(name.decode() for name in LOADS)
_OF_ONE = ("__shfl", "__shfl_sync")
_GROUPED = ("__match_any_sync",)
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
_COMMON = ("__reduce_", "__match_all_sync")
Given = Mapping[str, int]
"""What the parameters of a called routine are, by name."""
_NONE: Given = MappingProxyType({})


class LaneDifferences:
    """Answers for one evaluator's routines."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._questions = Questions()
        self._exchanging = 0

    def differ(self, place: Place, what: Expression) -> bool:
        """Whether lanes of a warp are seen to have different values of an expression; False where that is not seen."""
        return self._of(place, what, _NONE, _DEPTH) == _DIFFERS

    def _of(self, place: Place, what: Expression, given: Given, depth: int) -> int:
        if depth == 0:
            return _UNSEEN
        fact = self.evaluator.value(place, what)
        if not given and fact.known and fact.sure:
            return _DIFFERS if fact.level >= THREAD else _ALIKE
        kind = what[0]
        if kind == "v":
            return self._variable(place, what[1], given, depth - 1)
        if kind == "c":
            return self._call(place, what, given, depth - 1)
        if kind == "i":
            return self._element(place, what, given, depth - 1)
        if kind in "nrk":
            return _DIFFERS if what[1] == "thread" else _ALIKE
        parts = what[2:] if kind in ("o", "b") and what[1] != "?" else ()
        found = (self._of(place, one, given, depth - 1) for one in parts)
        made = _compared(found) if kind == "o" and what[1] in _COMPARISONS else _together(found)
        return _UNSEEN if made == _DIFFERS and fact.level < THREAD else made  # the number of a warp is of lanes too

    def _all(self, place: Place, parts: Iterable[Expression], given: Given, depth: int) -> int:
        """What is made of several values: nothing is known where one of them is not."""
        return _together(self._of(place, one, given, depth) for one in parts)

    def _variable(self, place: Place, name: str, given: Given, depth: int) -> int:
        routine = place.routine
        if name in given:
            return given[name]
        if name in routine.shared | routine.aliases:
            return _ALIKE
        made = [routine.definitions[at] for at in self.evaluator.definitions(place).get(name, ())]
        if name in routine.taken or (len(made) > 1 and self.evaluator.references.may_change(place, name)):
            return _UNSEEN

        def work() -> int:
            found = [self._given(place, name, depth)] if name in routine.parameters else []
            return self._made(place, made, found, given, depth) if found or made else self._outside(place, name, depth)

        # A value that depends on itself adds nothing to what it begins with.
        return self._asked((id(place), name), _UNSEEN if self._exchanging else _ALIKE, given, depth, work)

    def _asked(self, about: tuple[int, str], first: int, given: Given, depth: int, work: Callable[[], int]) -> int:
        """The answer about a variable, or the result of a routine, `first` where it depends on itself."""
        key = about, depth, self._exchanging > 0, tuple(given.items())
        return self._questions.ask(key, first, work, about)

    def _outside(self, place: Place, name: str, depth: int) -> int:
        """A variable that a routine gives no value, of one around it. Of any other nothing is known.

        A constant that is not seen may be the size of a warp: `threadIdx.x / kWidth`.
        """
        return _UNSEEN if place.around is None else self._variable(place.around, name, _NONE, depth)

    def _made(self, place: Place, made: list[Definition], found: list[int], given: Given, depth: int) -> int:
        """What one of several assignments gives: which of them differs where conditions of theirs do."""
        guarded: Iterable[int] = ()
        if len(made) + len(found) > 1:
            if any(_exchanges(one.value) for one in made):
                return _UNSEEN  # whether the exchange is the last one before the value is used
            guards = {guard for one in made for guard in one.guards}
            tests = (place.routine.conditions[one].test for one in sorted(guards))
            guarded = (self._of(place, one, given, depth) for one in tests)
        return _together(chain(found, guarded, (self._of(place, one.value, given, depth) for one in made)))

    def _given(self, place: Place, name: str, depth: int) -> int:
        """What all calls together give a parameter."""
        if place.routine.kernel:
            return _ALIKE
        at, calls = place.routine.parameters.index(name), self.evaluator.calls_of(place)
        if not calls or any(at >= len(site.arguments) for _, site in calls):
            return _UNSEEN
        return _together(self._of(caller, site.arguments[at], _NONE, depth) for caller, site in calls)

    def _element(self, place: Place, what: Expression, given: Given, depth: int) -> int:
        """Lanes that read at different places are seen to have different values, whatever array that is."""
        array, index = what[1], self._of(place, what[2], given, depth)
        if index != _ALIKE:
            return index
        routine = place.routine
        if array[0] == "v" and array[1] in routine.held and array[1] not in routine.taken | routine.shared:
            known = self.evaluator.definitions(place)
            names = (f"*{array[1]}", array[1])
            made = [routine.definitions[at] for name in names for at in known.get(name, ())]
            return self._made(place, made, [], given, depth)
        return self._of(place, array, given, depth)

    def _call(self, place: Place, what: Expression, given: Given, depth: int) -> int:
        _, callee, arguments, receiver = what
        if own := self.evaluator.called_in(place, what):
            return self._returned(place, own, arguments, given, depth)
        if self.evaluator.by_name.get(callee):
            return _UNSEEN
        if receiver is None and (callee in sources.computes() or callee in _LOADS):
            return self._all(place, arguments, given, depth)
        if receiver is None and callee in SHUFFLES:
            return self._shuffled(place, what, given, depth)
        if callee in _GROUPED or callee.startswith(_COMMON) or callee in sources.results():
            return self._of_library(place, callee, arguments, given, depth)
        return _UNSEEN

    def _of_library(
        self, place: Place, callee: str, arguments: tuple[Expression, ...], given: Given, depth: int
    ) -> int:
        """A number of the thread's own, what an atomic operation gives, or what lanes of one mask get in common."""
        if sources.results().get(callee) in ("thread", "each"):
            return _DIFFERS
        if callee == "meta_group_rank":
            return _UNSEEN  # of a tile of a warp or of fewer threads
        mask = self._all(place, arguments[:1], given, depth) if arguments and callee.endswith("_sync") else _ALIKE
        if mask != _ALIKE:
            return _UNSEEN
        return self._all(place, arguments[1:2], given, depth) if callee in _GROUPED else _ALIKE

    def _shuffled(self, place: Place, what: Expression, given: Given, depth: int) -> int:
        """What a lane gets of another: of one that all name the same, or of one of its own each.

        What came by an exchange before may be the same for all by now, as sums are behind the last of their steps.
        """
        callee, arguments = what[1], what[2]
        masks, rest = (arguments[:1], arguments[1:]) if callee.endswith("_sync") else ((), arguments)
        if len(rest) < 2 or self._exchanging:
            return _UNSEEN
        self._exchanging += 1
        try:
            value = self._of(place, rest[0], given, depth)
        finally:
            self._exchanging -= 1
        if value != _DIFFERS or callee not in _OF_ONE:
            return value
        whole = len(rest) < 3 or self.evaluator.value(place, rest[2]).value == _WARP
        lanes = self._all(place, (*masks, rest[1]), given, depth)
        return lanes if whole or lanes == _UNSEEN else _DIFFERS

    def _returned(
        self, place: Place, own: list[Place], arguments: tuple[Expression, ...], given: Given, depth: int
    ) -> int:
        """What a routine of the project gives for what it is called with."""
        target = own[0]
        routine = target.routine
        made = [routine.definitions[at] for at in self.evaluator.definitions(target).get("return", ())]
        if len(own) != 1 or not made or len(arguments) != len(routine.parameters):
            return _UNSEEN
        handed = {
            name: self._of(place, one, given, depth)
            for name, one in zip(routine.parameters, arguments, strict=True)
            if name not in self.evaluator.definitions(target)
        }
        work = partial(self._made, target, made, [], handed, depth)
        return self._asked((id(target), "return"), _UNSEEN, handed, depth, work)


def _compared(found: Iterable[int]) -> int:
    """What a comparison gives: what differs does so whatever it is compared with, another value of each lane's too."""
    answers = list(found)
    return _DIFFERS if _DIFFERS in answers else _together(answers)


def _together(found: Iterable[int]) -> int:
    """What comes of several values: unseen where one of them is, and different where one differs."""
    seen = set[int]()
    for one in found:
        if one == _UNSEEN:
            return _UNSEEN  # the others are not asked
        seen.add(one)
    return max(seen, default=_UNSEEN)


def _exchanges(what: Expression) -> bool:
    """Whether a value comes of lanes' exchange by itself."""
    return any(one[0] == "c" and (one[1] in SHUFFLES or one[1].startswith(_COMMON)) for one in below(what))
