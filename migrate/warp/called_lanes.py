"""Functions whose warp-level code is in members of a group of threads, or in what they call: their state, and why.

Read off the graph of all files. A function has a state where threads of a group exchange values in it, or where it
comes to a function that has one and has a number by lane or by warp, or a group, of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Span, SpanIndex, Step
from cudamigrate.model.lane_facts import LaneUnit, WaveState
from cudamigrate.model.warp_graph import Definition, Expression, Site
from cudamigrate.warp import sources
from cudamigrate.warp.facts import WARP
from cudamigrate.warp.object_classes import ANY, Classes
from cudamigrate.warp.places import Place
from cudamigrate.warp.questions import Questions
from cudamigrate.warp.transfer import Evaluator

_OF_LANES = ("lane", "warp", "warps")
_PARTS = ("%", "&", "/", ">>")
"""What makes the number of a thread in its group, or that of the group, out of `threadIdx.x`."""
_FULL = 0xFFFFFFFF
_SPANS_WAVE = frozenset(("coalesced_threads", "coalesced_group", "labeled_partition"))
"""Groups whose size is that of the wave, or comes from it."""
_MOST = 8


class _Link(NamedTuple):
    """How a function comes to warp-level code: by which call, to which function, with the step that says so."""

    site: Site
    place: Place
    target: Place


Together = Callable[[str], frozenset[str]]
"""The files that may be compiled together with one."""


def units(
    evaluator: Evaluator, known: Mapping[str, Sequence[LaneUnit]], together: Together
) -> Iterator[tuple[str, LaneUnit]]:
    """Functions with a state beside those that are known by path, each with its path; known ones that lead to any."""
    return _Search(evaluator, known, together).found()


class _Search:
    """Goes from the functions with warp-level code to those that call them, each once."""

    def __init__(self, evaluator: Evaluator, known: Mapping[str, Sequence[LaneUnit]], together: Together) -> None:
        self.evaluator, self.together = evaluator, together
        self.known = {path: SpanIndex((Span(one.start, one.end), one) for one in ones) for path, ones in known.items()}
        self.parts: dict[int, list[Place]] = {}
        for place in evaluator.places:
            self.parts.setdefault(id(place.outermost), []).append(place)
        self.lanes: dict[int, tuple[str, int]] = {}
        self.links: dict[int, list[_Link]] = {}
        self.questions = Questions()

    def found(self) -> Iterator[tuple[str, LaneUnit]]:
        """The functions, by file and place."""
        tops = [
            place
            for place in self.evaluator.places
            if place.around is None and place.routine.name and not _is_class(place) and not place.routine.is_macro
        ]
        made: dict[int, tuple[Place, LaneUnit]] = {}
        own_code: list[tuple[Place, LaneUnit]] = []
        waiting: list[Place] = []
        for top in tops:
            unit = self._unit_around(top)
            own = None if unit is not None else self._exchanging(top)
            if unit is not None or own is not None:
                self.lanes[id(top)] = (top.path, unit.start if unit is not None else top.routine.start)
                waiting.append(top)
            own_code += [] if unit is None else [(top, unit)]
            if own is not None:
                made[id(top)] = top, own
        for top in self._callers_of(waiting):
            steps = self._own_number(top)
            if steps:
                self.lanes[id(top)] = top.path, top.routine.start
                made[id(top)] = top, _unit(top, "narrowed", "groups of 32 lanes, in what it calls", steps)
        for top, unit in made.values():
            yield top.path, self._joined(top, unit)
        for top, unit in own_code:
            leads = tuple(sorted(self._ends(top)))
            yield from [(top.path, replace(unit, leads=leads))] if leads else ()

    def _unit_around(self, top: Place) -> LaneUnit | None:
        """The unit that a function is or is in."""
        at, known = top.routine.start, self.known.get(top.path)
        return next(iter(known.touching(at, at + 1)), None) if known is not None else None

    def _exchanging(self, top: Place) -> LaneUnit | None:
        """The state of a function in which the threads of a group exchange values by its members."""
        groups = [(step, found) for place in self.parts[id(top)] for step, found in self._exchanges(place)]
        if not groups:
            return None
        for step, found in groups:
            if ANY in found:
                return _unit(top, "open", "which threads the group has that it exchanges values in is not seen", [step])
            if found & _SPANS_WAVE:
                return _unit(top, "open", "it exchanges values in a group that spans the wave of the GPU", [step])
        return _unit(top, "narrowed", "it exchanges values in tiles of threads, which no wave changes", [groups[0][0]])

    def _exchanges(self, place: Place) -> Iterator[tuple[Step, Classes]]:
        """Where values are exchanged in a group, and what the group may be."""
        for site in place.routine.sites:
            held = site.receiver
            if held is None and site.callee in sources.exchanges("functions") and site.arguments:
                held = site.arguments[0]
            elif site.callee not in sources.exchanges("own") | sources.exchanges("members"):
                continue
            found = self._group(place, held) if held is not None else frozenset[str]()
            if found - {ANY} or (found and site.callee in sources.exchanges("own")):
                kind = " or ".join(f"`{one}`" for one in sorted(found - {ANY})) or "a group that no caller shows"
                yield Step(place.path, site.line, f"`{site.callee}()` is between the threads of {kind}"), found

    def _group(self, place: Place, held: Expression) -> Classes:
        """The groups of threads that an object may be, `ANY` where something is not seen; empty for other objects.

        A call that may be one of another function of the name, with another object in the place of the group, is not
        taken for a group that is not seen.
        """
        first: Classes = frozenset()
        return self.questions.ask((id(place), held), first, lambda: self._groups(place, held))

    def _groups(self, place: Place, held: Expression) -> Classes:
        if held[0] == "v" and held[1] in place.routine.parameters and ANY in self._classes(place, held):
            at, calls = place.routine.parameters.index(held[1]), self._calls_of(place)
            given = [(caller, site, site.arguments[at]) for caller, site in calls if at < len(site.arguments)]
            found = [(self._group(caller, one), self._is_lone(caller, site)) for caller, site, one in given]
            groups = frozenset[str]().union(*(one if lone else one - {ANY} for one, lone in found))
            return groups or frozenset((ANY,))
        classes = self._classes(place, held)
        groups = frozenset(one for one in classes if sources.groups().get(one) == "tile")
        known = classes - groups - {ANY}
        return groups | (classes & {ANY}) if groups or not known else frozenset()

    def _classes(self, place: Place, held: Expression) -> Classes:
        return self.evaluator.classes.of(place, held)

    def _is_lone(self, place: Place, site: Site) -> bool:
        """Whether a call can be one of one function only."""
        return len(self.evaluator.called(place, site)) == 1

    def _callers_of(self, waiting: list[Place]) -> Iterator[Place]:
        """Functions that come to those waiting, nearest first; those that pass no number of theirs on too."""
        seen = {id(one) for one in waiting}
        while waiting:
            target = waiting.pop(0)
            for place, site in self._calls_of(target):
                top = place.outermost
                if top is target.outermost:
                    continue
                self.links.setdefault(id(top), []).append(_Link(site, place, target))
                if id(top) not in seen and top.routine.name and not _is_class(top):
                    seen.add(id(top))
                    waiting.append(top)
                    if self._unit_around(top) is None and not top.routine.is_macro:
                        yield top

    def _calls_of(self, target: Place) -> Iterator[tuple[Place, Site]]:
        """The calls that may reach a function from files compiled with it."""
        for place, site in self._every_call(target):
            if place.path == target.path or target.path in self.together(place.path):
                yield place, site

    def _every_call(self, target: Place) -> Iterator[tuple[Place, Site]]:
        """The calls that may reach a function, those of a member of an object whose class is not seen among them."""
        yield from self.evaluator.calls_of(target) or ()
        owner, count = target.routine.owner, len(target.routine.parameters)
        for place, site in self.evaluator.callers.get(target.routine.name, ()) if owner else ():
            if site.receiver is None or len(site.arguments) > count or place.routine.owner in ("", owner):
                continue
            known = self._classes(place, site.receiver) - {ANY}
            reached = self.evaluator.called(place, site) if not known else ()
            if reached and all(one.routine.owner == place.routine.owner for one in reached):
                yield place, site  # not what the caller's own class has of that name, of all that have it

    def _own_number(self, top: Place) -> list[Step]:
        """The facts that make a number of a function one of lanes or warps, or a group that it has; empty for none."""
        for place in self.parts[id(top)]:
            routine = place.routine
            for name in routine.types:
                if self._group(place, ("v", name)) - {ANY}:
                    return [Step(place.path, routine.line, f"`{name}` is a group of threads")]
            asked = [one for one in routine.definitions if one.name != "*"]
            self.evaluator.solve([], [(place, ("v", one.name)) for one in asked])
            for one in asked:
                steps = self._of_lanes(place, one)
                if steps:
                    return steps
        for link in self.links.get(id(top), ()):
            if ("n", _FULL) in link.site.arguments:
                return [Step(link.place.path, link.site.line, "a mask of 32 lanes is passed on")]
        return []

    def _of_lanes(self, place: Place, made: Definition) -> list[Step]:
        fact = self.evaluator.value(place, made.value)
        name = made.name.partition("#")[0]
        parted = made.value[0] == "o" and made.value[1] in _PARTS and len(made.value) == 4
        own = parted and self.evaluator.value(place, made.value[2]).exact == "thread"
        if fact.exact in _OF_LANES or fact.level == WARP or own:
            return [*fact.steps[-3:], Step(place.path, made.line, f"`{name}` counts lanes or warps")]
        return []

    def _joined(self, top: Place, unit: LaneUnit) -> LaneUnit:
        """A unit with the functions that it comes to, and the calls on the way to the first of them."""
        ends = self._ends(top)
        first = next(iter(ends.values()), [])
        return replace(unit, leads=tuple(sorted(ends)), trace=(*unit.trace, *first)[:_MOST])

    def _ends(self, top: Place) -> dict[tuple[str, int], list[Step]]:
        """The next functions with warp-level code that one comes to, by file and place, each with the calls there."""
        ends: dict[tuple[str, int], list[Step]] = {}
        waiting: list[tuple[Place, list[Step]]] = [(top, [])]
        seen = {id(top)}
        while waiting:
            at, steps = waiting.pop(0)
            for link in self.links.get(id(at), ()):
                target = link.target
                said = f"`{link.site.callee}()` is called, at {target.path}:{target.routine.line}"
                further = [*steps, Step(link.place.path, link.site.line, said)]
                end = self.lanes.get(id(target.outermost))
                if end is not None:
                    ends.setdefault(end, further)
                elif id(target) not in seen:
                    seen.add(id(target))
                    waiting.append((target, further))
        return ends


def _is_class(place: Place) -> bool:
    """Whether a routine only says what the members of a class are."""
    return not place.routine.end


def _unit(top: Place, wave: WaveState, why: str, steps: Iterable[Step]) -> LaneUnit:
    routine = top.routine
    span = routine.start, routine.end
    return LaneUnit(routine.name, routine.line, *span, wave, why, is_of_called=True, trace=tuple(steps))
