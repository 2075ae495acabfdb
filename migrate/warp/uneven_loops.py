"""Loops that lanes of a warp leave after different numbers of turns, and meet the others of behind them.

On NVIDIA's GPUs since Volta that is right where each lane meets as often as all others: what a lane lacks in one loop
it makes up for in another loop or branch. A wave of AMD's goes on when the last of its lanes has left the loop. Where
nothing behind a loop depends on what the lanes did in it, the code is right on NVIDIA's GPUs only if all of them turn
equally often, and that is right on AMD's too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import Condition, Expression
from cudamigrate.warp.expressions import below
from cudamigrate.warp.met_in_turns import is_of_loop
from cudamigrate.warp.places import Place

if TYPE_CHECKING:
    from cudamigrate.warp.met_in_turns import MetInTurns
    from cudamigrate.warp.transfer import Evaluator

Span = tuple[int, int]


class UnevenLoops:
    """Answers for one evaluator's routines, about conditions that part a warp."""

    def __init__(self, evaluator: Evaluator, turns: MetInTurns) -> None:
        self.evaluator, self.turns = evaluator, turns

    def left_by(self, place: Place, number: int) -> Span | None:
        """The loop that some lanes leave earlier than others by a condition, and go on behind it; None for no loop."""
        routine, condition = place.routine, place.routine.conditions[number]
        around = [at for at, one in enumerate(routine.turns) if one[0] <= condition.start < one[1]]
        if not around:
            return None
        inner = max(around, key=lambda at: routine.turns[at])
        loop = routine.turns[inner]
        if number not in routine.leaving[inner] and not is_of_loop(condition):
            return None
        if any(end > loop[1] for spans in condition.regions for _, end in spans):
            return None  # a `return`: who has ended is met by nobody
        return None if self._is_even(place, condition, loop) else loop

    def _is_even(self, place: Place, condition: Condition, loop: Span) -> bool:
        """Whether all lanes are seen to turn equally often, or do where each takes as many elements of a row."""
        counted = self.turns.counted(place, condition, loop)
        if counted is not None:
            return len(counted) == 1
        return any(self.evaluator.value(place, one).per_thread == 1 for one in _compared(condition.test))

    def make_up(self, place: Place, condition: Condition, loop: Span) -> Iterator[tuple[int, Span | None]]:
        """The conditions behind a loop that lanes answer by what they did in it, with the loops that they end."""
        first = self._made_of(place, condition.test)
        changed = {one.name for one in place.routine.definitions if loop[0] <= one.start < loop[1]}
        is_counted = self.turns.counted(place, condition, loop) is not None
        for number, other in enumerate(place.routine.conditions):
            if other.start < loop[1] or not other.regions:
                continue
            turned = [one for one in place.routine.turns if one[0] <= other.start < one[1] and is_of_loop(other)]
            span = max(turned, default=None)
            by_number = is_counted and self._is_of_lane(place, other, span)
            second = self._made_of(place, other.test)
            shared = any(one[0] != "v" for one in first & second)
            if by_number or shared or any(one[1] in changed for one in second if one[0] == "v"):
                yield number, span

    def _is_of_lane(self, place: Place, other: Condition, span: Span | None) -> bool:
        """Whether the number of a lane alone decides how often it comes by a condition."""
        if span is not None:
            return len(self.turns.counted(place, other, span) or ()) > 1
        return self.turns.answers.of(place, other.test) is not None

    def _made_of(self, place: Place, what: Expression) -> frozenset[Expression]:
        """What memory, calls and variables an expression is made of."""
        found, waiting = set[Expression](), [what]
        while waiting:
            for one in below(waiting.pop()):
                if one[0] not in ("i", "c", "v") or one in found:
                    continue
                found.add(one)
                made = self.evaluator.definitions(place).get(one[1], ()) if one[0] == "v" else ()
                waiting += [place.routine.definitions[at].value for at in made]
        return frozenset(found)


def _compared(what: Expression) -> Iterator[Expression]:
    """The two sides of each comparison in a condition."""
    if what[0] == "o" and what[1] in ("&&", "||", "!", "and", "or", "not"):
        for part in what[2:]:
            yield from _compared(part)
    elif what[0] == "o" and len(what) == 4:
        yield from what[2:]
