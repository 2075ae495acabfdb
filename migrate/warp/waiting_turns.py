"""Loops in which a thread waits for its turn: for a lock that one thread has, or until its own number is called.

Threads of one wave that are in such a loop together wait for each other: whoever has the turn is in the loop too, until
all have left it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import Expression, Site
from cudamigrate.warp.expressions import below
from cudamigrate.warp.lone_threads import is_one_thread
from cudamigrate.warp.memory_effects import COUNTERS, MemoryEffects, atomic, is_plain
from cudamigrate.warp.places import Place
from cudamigrate.warp.questions import Questions
from cudamigrate.warp.retried_locks import RetriedLocks

if TYPE_CHECKING:
    from cudamigrate.warp.transfer import Evaluator

Alone = Callable[[Place, Site], bool]
"""Whether the conditions around a site, in its function, let one lane of a wave in and no more."""
Seen = dict[tuple[int, str], int]
_COMPARES = ("==", "!=", "<", ">", "<=", ">=")
_CALLS = 4
_DOING = ("serve", "move")
"""Loops in which a thread does something before it leaves, or goes on."""
_LOOKED_FOR = ("atomicCAS", "atomicExch")
"""By what the rule for loops of one function knows that a lock is taken."""


class WaitingTurns:
    """Answers for the waiting loops of one evaluator's routines."""

    def __init__(self, evaluator: Evaluator, effects: MemoryEffects, alone: Alone) -> None:
        self.evaluator, self.effects, self.alone = evaluator, effects, alone
        self._questions = Questions()
        self._retried = RetriedLocks(effects, alone)

    def is_shared(self, place: Place, site: Site, is_idle: bool) -> bool:
        """Whether a loop waits for a turn, and several lanes of a wave may be in it.

        A lock that a loop itself takes by comparing or exchanging is another rule's, but for one made by jumps; one
        that is let go of in the loop holds up nobody. `is_idle` says that what the loop calls changes nothing at all.
        """
        if not is_idle:
            return site.kind not in _DOING and self._retried.takes(place, site) and self.is_open(place, site)
        asked = list(self.effects.asked(place, site))
        waits = site.kind not in _DOING and any(self._takes(place, one, site.kind == "jump") for one in asked)
        waits = waits and not self._retried.is_lone(place, site)
        waits = waits or any(self._is_numbered(place, one) for one in asked)
        return (waits or (site.kind not in _DOING and self._is_given(place, asked))) and self.is_open(place, site)

    def given_back(self, place: Place, site: Site) -> Site | None:
        """Where several lanes of a wave take a lock by a function that also lets go of it, in a turn of a loop."""
        found = self._retried.given_back(place, site)
        return found if found is not None and self.is_open(place, site) else None

    def _is_given(self, place: Place, asked: Sequence[Expression]) -> bool:
        """Whether a macro's loop asks for a lock by what the macro is given."""
        routine = place.routine
        names = {one[1] for test in asked for one in below(test) if one[0] == "v"} if routine.is_macro else set()
        places = [at for at, name in enumerate(routine.parameters) if name in names]
        calls = self.evaluator.calls_of(place) or () if places else ()
        given = ((one, each.arguments[at]) for one, each in calls for at in places if at < len(each.arguments))
        return any(
            self.effects.takes(one, call, is_plain) for one, what in given for call in below(what) if call[0] == "c"
        )

    def _takes(self, place: Place, asked: Expression, itself: bool) -> bool:
        calls = (one for one in below(asked) if one[0] == "c" and (itself or not one[1].startswith(_LOOKED_FOR)))
        return any(self.effects.takes(place, one, is_plain) for one in calls if not self._is_own(place, one))

    def _is_own(self, place: Place, call: Expression) -> bool:
        """Whether an atomic operation is on another element for each thread of a row: none has what another waits for.

        Waits for flags of other blocks, one for each thread, are such.
        """
        target: Expression = call[2][0] if atomic(call) and call[3] is None and call[2] else ()
        if target[:2] == ("o", "&") and len(target) == 3:
            target = target[2]
        if target[:1] != ("i",) and target[:2] != ("o", "+"):
            return False
        self.evaluator.solve([], [(place, target[2])])
        index = self.evaluator.value(place, target[2])
        return index.sure and bool(index.per_thread) and self.evaluator.has_rows_of_waves(place)

    def _is_numbered(self, place: Place, asked: Expression) -> bool:
        """Whether memory is compared with a number that an atomic operation gave this thread alone."""
        seen = dict[tuple[int, str], int]()
        return any(self.is_drawn(at, one, _CALLS, seen) for at, one in self._compared(place, asked, _CALLS))

    def _compared(self, place: Place, asked: Expression, depth: int) -> Iterator[tuple[Place, Expression]]:
        """What is compared, here or by what is called, functions that were handed in too; each with its routine."""
        for one in below(asked):
            if one[0] == "o" and one[1] in _COMPARES:
                yield from ((place, part) for part in one[2:])
            if one[0] == "c" and one[1] and depth:
                made = Site("call", one[1], one[2], one[3], (), 0, 0, 0)
                for target in self.evaluator.called(place, made):
                    given = dict(zip(target.routine.parameters, one[2], strict=False))
                    results = (each.value for each in target.routine.definitions if each.name == "return")
                    for at, part in (
                        inner for result in results for inner in self._compared(target, result, depth - 1)
                    ):
                        known = at is target and part[0] == "v" and part[1] in given
                        yield (place, given[part[1]]) if known else (at, part)

    def is_drawn(self, place: Place, what: Expression, depth: int, seen: Seen) -> bool:
        """Whether an atomic operation gave a value to this thread alone.

        `seen` has how far variables were followed, so that each is once.
        """
        if depth == 0:
            return False
        if what[0] == "c":
            kind = atomic(what)
            if kind:
                return kind in COUNTERS and self.effects.changes(place, what, is_plain)
            made = Site("call", what[1], what[2], what[3], (), 0, 0, 0)
            found = self.evaluator.called(place, made) if what[1] else []
            results = ((one, each.value) for one in found for each in one.routine.definitions if each.name == "return")
            return any(self.is_drawn(one, value, depth - 1, seen) for one, value in results)
        if what[0] == "o":
            return any(self.is_drawn(place, one, depth, seen) for one in what[2:])
        if what[0] != "v":
            return False
        name, routine, known = what[1], place.routine, (id(place), what[1])
        if seen.get(known, 0) >= depth:
            return False
        seen[known] = depth
        if any(one.name == name and self.is_drawn(place, one.value, depth - 1, seen) for one in routine.definitions):
            return True
        if name not in routine.parameters:
            around = place.around if name not in routine.types else None  # what a lambda sees
            return around is not None and self.is_drawn(around, what, depth - 1, seen)
        at = routine.parameters.index(name)
        calls = self.evaluator.calls_of(place) or ()
        given = ((one, each.arguments[at]) for one, each in calls if at < len(each.arguments))
        return any(self.is_drawn(one, value, depth - 1, seen) for one, value in given)

    def is_open(self, place: Place, site: Site) -> bool:
        """Whether several lanes of a wave may come to a site, in some call of its routine or where none is seen."""
        if self.alone(place, site) or is_one_thread(self.evaluator, place, site):
            return False

        def from_calls() -> bool:
            calls = self.evaluator.calls_of(place)
            return not calls or any(self.is_open(*one) for one in calls)

        return self._questions.ask(id(place), first=False, work=from_calls)
