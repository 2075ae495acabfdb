"""Lanes of a warp that come to one place in different turns of a loop: `for (...) if (i == lane) v = __shfl_sync(...)`.

On NVIDIA's GPUs since Volta a function across lanes with a mask of all waits for those that come there in a later turn.
A wave of AMD's runs each turn to its end: lanes of another turn are not there. A loop is gone through turn by turn,
where the number of the turn and that of the lane are all that decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import Condition, Definition
from cudamigrate.warp.facts import computed
from cudamigrate.warp.places import Place

if TYPE_CHECKING:
    from cudamigrate.warp.lane_answers import LaneAnswers
    from cudamigrate.warp.transfer import Evaluator

_WARP, _TURNS = 32, 64
_STEPS = ("+", "-", "*", "/", "<<", ">>")


class MetInTurns:
    """Answers for one evaluator's routines."""

    def __init__(self, evaluator: Evaluator, answers: LaneAnswers) -> None:
        self.evaluator, self.answers = evaluator, answers

    def are_apart(self, place: Place, condition: Condition, at: int) -> bool:
        """Whether lanes come first to a part of a condition, by its number, in different turns of the loop around."""
        around = [one for one in place.routine.turns if one[0] <= condition.start < one[1]]
        if not around or not condition.is_two or is_of_loop(condition):
            return False
        loop = max(around)
        counters = dict(self._counters(place, loop))
        asked = [one for one in place.routine.conditions if is_of_loop(one) and loop[0] <= one.start < condition.start]
        asked = [one for one in asked if one.regions[0][0][0] <= condition.start < one.regions[0][-1][1]]
        if not counters:
            return False
        firsts = {self._first(place, condition, at, counters, asked[-1:], lane) for lane in range(_WARP)}
        return _UNSEEN not in firsts and len(firsts - {_NEVER}) > 1

    def counted(self, place: Place, condition: Condition, loop: tuple[int, int]) -> frozenset[int] | None:
        """After how many turns lanes of a warp leave a loop by its own condition; None where that is not seen."""
        counters = dict(self._counters(place, loop))
        if not counters or not is_of_loop(condition):
            return None
        found = frozenset(self._first(place, condition, 1, counters, [], lane) for lane in range(_WARP))
        return None if found & {_UNSEEN, _NEVER} else found

    def _first(
        self,
        place: Place,
        condition: Condition,
        at: int,
        counters: Mapping[str, tuple[Definition, Definition]],
        asked: list[Condition],
        lane: int,
    ) -> int:
        """The first turn in which a lane comes to a part."""
        values = {name: self.answers.one(place, begins.value, {}, lane) for name, (begins, _) in counters.items()}
        for turn in range(_TURNS):
            known = {name: value for name, value in values.items() if value is not None}
            goes_on = [self.answers.one(place, one.test, known, lane) for one in asked]
            answer = self.answers.one(place, condition.test, known, lane)
            if answer is None or None in goes_on:
                return _UNSEEN
            if 0 in goes_on:
                return _NEVER
            if bool(answer) == (at == 0):
                return turn
            for name, (_, step) in counters.items():
                before = values[name]
                values[name] = None if before is None else computed(step.value[1], before, step.value[3][1])
        return _NEVER

    def _counters(self, place: Place, loop: tuple[int, int]) -> Iterator[tuple[str, tuple[Definition, Definition]]]:
        """The variables that a loop counts on by a number, with what each begins with and its step."""
        definitions = place.routine.definitions
        for name, known in self.evaluator.definitions(place).items():
            if len(known) == 2 and name in place.routine.types and name not in place.routine.taken:
                begins, step = (definitions[one] for one in known)
                value = step.value
                counts = value[:1] == ("o",) and len(value) == 4 and value[1] in _STEPS and value[2] == ("v", name)
                if counts and value[3][0] == "n" and loop[0] <= step.start < loop[1] and begins.start < step.start:
                    yield name, (begins, step)


_UNSEEN, _NEVER = -2, -1


def is_of_loop(condition: Condition) -> bool:
    """Whether a condition is that of a loop, and its only part the turns."""
    return condition.is_two and not condition.is_lone and not condition.other and len(condition.regions) == 1
