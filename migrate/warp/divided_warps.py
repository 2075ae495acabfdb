"""Warp-level operations in both branches of a condition that parts the lanes of a warp.

On NVIDIA's GPUs lanes of both branches meet there: `__syncwarp()` in one waits for that in the other, a shuffle reads
lanes of the other. A wave of AMD's runs one branch after the other, and what is not in the branch is not there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from cudamigrate.model.warp_graph import Expression, Site
from cudamigrate.warp.expressions import below
from cudamigrate.warp.facts import THREAD
from cudamigrate.warp.places import Place
from cudamigrate.warp.questions import Questions

if TYPE_CHECKING:
    from cudamigrate.warp.memory_effects import MemoryEffects
    from cudamigrate.warp.transfer import Evaluator

_SYNCWARP, _ACROSS = "__syncwarp", "_sync"
_ALL = 0xFFFFFFFF


class _Operation(NamedTuple):
    """A function of CUDA's across lanes, and the lanes that it is for, -1 where that is not seen."""

    name: str
    lanes: int


class DividedWarps:
    """Answers for one evaluator's routines."""

    def __init__(self, evaluator: Evaluator, effects: MemoryEffects) -> None:
        self.evaluator, self.effects = evaluator, effects
        self._questions = Questions()
        self._crossing = _names_that_cross(evaluator)

    def conditions(self) -> Iterator[tuple[Place, int]]:
        """The conditions with two branches that both come to such an operation: what is to be worked out of each."""
        for place in self.evaluator.places:
            routine = place.routine
            for number, one in enumerate(routine.conditions if any(map(self._may_cross, routine.sites)) else ()):
                if one.other and all(any(map(self._may_cross, each)) for each in self._sides(place, number)):
                    yield place, number

    def met(self, place: Place, number: int) -> Site | None:
        """The first of two operations that meet, where the condition parts a warp and the lanes need each other."""
        fact = self.evaluator.condition(place, number)
        if fact.level < THREAD or not fact.sure:
            return None
        first, second = self._sides(place, number)
        for one in first:
            for other in second:
                if self._needs(place, number, one, other):
                    return one
        return None

    def _sides(self, place: Place, number: int) -> tuple[list[Site], list[Site]]:
        """The calls in either branch of a condition."""
        routine, other = place.routine, place.routine.conditions[number].other
        inside = [one for one in routine.sites if one.kind == "call" and number in one.guards]
        return [one for one in inside if one.start < other], [one for one in inside if one.start >= other]

    def _may_cross(self, site: Site) -> bool:
        return site.callee in self._crossing or _crosses(site.callee)

    def _needs(self, place: Place, number: int, one: Site, other: Site) -> bool:
        common = {each.name for each in self._operations(place, one)} & {
            each.name for each in self._operations(place, other)
        }
        lanes = {
            name: [{each.lanes for each in self._operations(place, site) if each.name == name} for site in (one, other)]
            for name in common
        }
        met = {name for name, sides in lanes.items() if any(a & b and a > 0 < b for a in sides[0] for b in sides[1])}
        return bool(met - {_SYNCWARP}) or (_SYNCWARP in met and self._hands_over(place, number, one, other))

    def _operations(self, place: Place, site: Site) -> frozenset[_Operation]:
        if _crosses(site.callee) and site.receiver is None and not self.evaluator.by_name.get(site.callee):
            return frozenset((_Operation(site.callee, self._lanes(place, site)),))
        found = self.evaluator.called(place, site) if site.callee in self.evaluator.by_name else []
        return frozenset[_Operation]().union(*map(self._of_routine, found))

    def _of_routine(self, place: Place) -> frozenset[_Operation]:
        first = frozenset[_Operation]()

        def of_sites() -> frozenset[_Operation]:
            calls = (one for one in place.routine.sites if one.kind == "call" and self._may_cross(one))
            return first.union(*(self._operations(place, one) for one in calls))

        return self._questions.ask(id(place), first, of_sites)

    def _lanes(self, place: Place, site: Site) -> int:
        if not site.arguments:
            return _ALL if site.callee == _SYNCWARP else -1
        value = self.evaluator.value(place, site.arguments[0]).value
        return -1 if value is None else value & _ALL

    def _hands_over(self, place: Place, number: int, one: Site, other: Site) -> bool:
        """Whether what one branch writes before its operation is read in the other behind its own."""
        pairs = ((one, other), (other, one))
        return any(self._writes(place, number, a, b) and self._reads(place, number, b, a) for a, b in pairs)

    def _writes(self, place: Place, number: int, site: Site, other: Site) -> bool:
        if site.callee != _SYNCWARP:
            return any(self.effects.stores(each) for each in self.evaluator.called(place, site))
        made = (each for each in place.routine.definitions if number in each.guards and each.line <= site.line)
        shared = place.routine.shared
        return any(each.name == "*" or each.name in shared for each in made if _is_nearer(each.line, site, other))

    def _reads(self, place: Place, number: int, site: Site, other: Site) -> bool:
        if site.callee != _SYNCWARP:
            return True
        routine = place.routine
        values = [(each.line, each.value) for each in routine.definitions if number in each.guards]
        calls = [each for each in routine.sites if number in each.guards and each.start > site.start]
        values += [(each.line, part) for each in calls for part in each.arguments]
        memory = routine.shared | routine.references
        return any(
            part[0] == "i" or (part[0] == "v" and part[1] in memory)
            for line, value in values
            if line >= site.line and _is_nearer(line, site, other)
            for part in below(value)
        )


def _is_nearer(line: int, site: Site, other: Site) -> bool:
    """Whether a line is on a site's side of the other branch."""
    return line < other.line if site.line < other.line else line > other.line or site.line == other.line


def _crosses(callee: str) -> bool:
    return callee == _SYNCWARP or (callee.startswith("__") and callee.endswith(_ACROSS))


def _names_that_cross(evaluator: Evaluator) -> frozenset[str]:
    """The names of routines that have such an operation, or call what may."""
    callers: dict[str, set[str]] = {}
    found, waiting = set[str](), list[str]()
    for place in evaluator.places:
        for site in place.routine.sites:
            callers.setdefault(site.callee, set()).add(place.routine.name)
            waiting += [place.routine.name] if _crosses(site.callee) else []
    while waiting:
        name = waiting.pop()
        if name and name not in found:
            found.add(name)
            waiting += callers.get(name, ())
    return frozenset(found)


def masks(place: Place) -> Iterator[Expression]:
    """The masks of a routine's operations."""
    return (one.arguments[0] for one in place.routine.sites if _crosses(one.callee) and one.arguments)
