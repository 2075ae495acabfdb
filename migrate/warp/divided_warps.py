"""Lanes of one warp that meet from different places, under a condition that differs between them.

On NVIDIA's GPUs they do meet: `__syncwarp()` in one branch waits for that in another branch, case or function, a
shuffle reads lanes of the other. A wave of AMD's runs one part after the other, and what is not in it is not there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from cudamigrate.model.warp_graph import Condition, Expression, Site
from cudamigrate.warp.branch_regions import Spans
from cudamigrate.warp.facts import THREAD, Fact
from cudamigrate.warp.lane_answers import Answers, LaneAnswers
from cudamigrate.warp.lane_differences import LaneDifferences
from cudamigrate.warp.meeting_events import ANY, Event, MeetingEvents
from cudamigrate.warp.met_in_turns import MetInTurns
from cudamigrate.warp.places import Place
from cudamigrate.warp.uneven_loops import UnevenLoops
from cudamigrate.warp.warp_meetings import Meeting, WarpMeetings

if TYPE_CHECKING:
    from cudamigrate.warp.function_pointers import FunctionPointers
    from cudamigrate.warp.transfer import Evaluator

_WARP = 32


class Part(NamedTuple):
    """What some lanes of a warp run by themselves: spans of a routine, with what happens there and the lanes.

    `lanes` has for each thread of the first warps whether it comes there, None where that is not seen.
    """

    events: list[Event]
    meetings: frozenset[Meeting]
    site: Site | None
    lanes: tuple[bool, ...] | None


class Divided(NamedTuple):
    """Lanes that do not meet on AMD: at a call in a routine, under a condition as it is said, by a fact.

    `said` is empty where no condition parts the lanes, but which function they call. `sure` is false where a compiler
    may join the ways of the lanes before they meet.
    """

    place: Place
    site: Site
    said: str
    fact: Fact
    sure: bool = True


class DividedWarps:
    """Answers for one evaluator's routines."""

    def __init__(self, evaluator: Evaluator, pointers: FunctionPointers) -> None:
        self.evaluator, self.pointers = evaluator, pointers
        self.meetings = WarpMeetings(evaluator, pointers)
        self.events = MeetingEvents(evaluator, self.meetings.is_sync)
        self.answers = LaneAnswers(evaluator)
        self.differences = LaneDifferences(evaluator)
        self.turns = MetInTurns(evaluator, self.answers)
        self.loops = UnevenLoops(evaluator, self.turns)

    @cached_property
    def conditions(self) -> list[tuple[Place, int]]:
        """The conditions with lanes that meet in a part of what they decide: what is to be worked out of each."""
        return [
            (place, number)
            for place in self.evaluator.places
            if (starts := sorted(site.start for site in self.meetings.sites(place)))
            for number, one in enumerate(place.routine.conditions)
            if any(_any_in(starts, spans) for spans in (*one.regions, *(each.spans for each in one.rejoined)))
        ]

    @cached_property
    def chosen(self) -> list[tuple[Place, Site, Expression, list[Place]]]:
        """Calls through pointers or of objects that reach several routines in which lanes meet, and what chooses."""
        return [
            (place, site, self.pointers.chosen(place, site), targets)
            for place in self.evaluator.places
            for site in self.meetings.sites(place)
            if len(targets := self.meetings.pointed(place, site)) > 1
        ]

    def found(self) -> Iterator[Divided]:
        """Where lanes need others that are not there, one for each condition."""
        seen = set[tuple[int, int]]()
        for place, number in self.conditions:
            fact = self.evaluator.condition(place, number)
            condition = place.routine.conditions[number]
            if not self._parts_warp(place, condition, fact):
                continue
            site, sure = self._met(place, number), True
            if site is None:
                site, sure = self._met_by_jumps(place, condition)
            if site is not None and (id(place), site.start) not in seen:
                seen.add((id(place), site.start))
                yield Divided(place, site, condition.text, fact, sure)
        for place, site, chooses, targets in self.chosen:
            fact = self.evaluator.value(place, chooses)
            if fact.level >= THREAD and self._are_apart(place, site, targets):
                yield Divided(place, site, "", fact)

    def _are_apart(self, place: Place, site: Site, targets: list[Place]) -> bool:
        """Whether lanes that call two of some routines need each other; overloads of one name are no choice."""
        parts = [(one, self._of_target(place, site, one)) for one in targets]
        return any(
            _meet(one, other, both=True)
            for (first, one), (second, other) in combinations(parts, 2)
            if first.routine.name != second.routine.name or first.routine.owner or not first.routine.name
        )

    def _parts_warp(self, place: Place, condition: Condition, fact: Fact) -> bool:
        """Whether lanes of one warp answer a condition differently."""
        answers = self.answers.of(place, condition.test)
        if answers is None:
            return fact.level >= THREAD and (fact.sure or self.differences.differ(place, condition.test))
        warps = [answers[at : at + _WARP] for at in range(0, len(answers), _WARP)]
        return any(len(set(one)) > 1 for one in warps)

    def _met(self, place: Place, number: int) -> Site | None:
        """The first call in a part that needs lanes of another part."""
        condition = place.routine.conditions[number]
        parts = [self._part(place, condition, at) for at in range(len(condition.regions))]
        for one, other in combinations(parts, 2):
            if _meet(one, other, both=True):
                return one.site
        for at, one in enumerate(parts):
            if one.site is not None and self._meets_later(place, condition, at, one):
                return one.site
            exchanges = any(met.exchanges and met.is_for_all for met in one.meetings)
            if exchanges and self.turns.are_apart(place, condition, at):
                return one.site
        return self._met_behind_loop(place, number)

    def _met_by_jumps(self, place: Place, condition: Condition) -> tuple[Site | None, bool]:
        """The first call in a loop that needs lanes which jump into it from elsewhere, and whether nothing joins them.

        A loop with one entry may become one loop for all of them; one that is entered in two places never does.
        """
        for one in sorted(condition.rejoined, key=lambda one: not one.is_entered):
            turning = self._of_spans(place, one.spans, None)
            others = [met for met in turning.meetings if met.lanes > 0 and met.needs_others(None)]
            if any(met.exchanges for met in others) or (others and self._misses(place, turning, one.elsewhere)):
                return turning.site, one.is_entered
        return None, True

    def _misses(self, place: Place, turning: Part, elsewhere: tuple[int, int]) -> bool:
        """Whether lanes that turn in a loop read behind a meeting what others write before they jump to it."""
        return _goes_wrong(turning.events, self.events.of_spans(place, (elsewhere,), frozenset()), only_reads=True)

    def _met_behind_loop(self, place: Place, number: int) -> Site | None:
        """The first call in a loop that needs lanes that have left it before by a condition."""
        loop = self.loops.left_by(place, number)
        one = None if loop is None else self._of_spans(place, (loop,), None)
        if loop is None or one is None or one.site is None:
            return None
        for other, span in self.loops.make_up(place, place.routine.conditions[number], loop):
            condition = place.routine.conditions[other]
            if not self._parts_warp(place, condition, self.evaluator.condition(place, other)):
                continue
            for spans in ((span,),) if span is not None else condition.regions:
                if _meet(one, self._of_spans(place, spans, None), both=False):
                    return one.site
        return None

    def _meets_later(self, place: Place, condition: Condition, at: int, one: Part) -> bool:
        """Whether lanes that are not in a part meet those of it further on, in another branch or behind all of them."""
        if _waits_for(one, self._rest(place, condition, at, one)):
            return True
        start, end = condition.behind
        later = ((each, number) for each in place.routine.conditions for number in range(len(each.regions)))
        for each, number in later:
            if start <= each.start < end:
                other = self._part(place, each, number)
                known = other.site is not None and self._excludes(condition, at, one, each, number, other)
                if known and _meet(one, other, both=False):
                    return True
        return False

    @staticmethod
    def _excludes(first: Condition, at: int, one: Part, second: Condition, number: int, other: Part) -> bool:
        """Whether no lane of a warp comes to both parts: by their numbers, or one asks the opposite of the other."""
        if one.lanes is not None and other.lanes is not None:
            return not any(map(min, one.lanes, other.lanes))
        if max(len(first.regions), len(second.regions)) > 2 or first.is_lone != second.is_lone:
            return False
        same = at == number
        if first.test == second.test:
            return not same
        return same and (first.test == ("o", "!", second.test) or second.test == ("o", "!", first.test))

    def _rest(self, place: Place, condition: Condition, at: int, one: Part) -> Part:
        """What the lanes come to that are not in a part of a condition: but nothing that only lanes of it come to."""
        others = [span for number, spans in enumerate(condition.regions) if number != at for span in spans]
        own = condition.regions[at]
        left: list[tuple[int, int]] = [
            span for span in (*others, condition.behind) if span[0] < span[1] and not _is_in(span[0], own)
        ]
        for each in place.routine.conditions:
            for number, spans in enumerate(each.regions):
                lanes = self._lanes(place, each, number)
                if one.lanes is not None and lanes is not None and not any(map(_is_more, lanes, one.lanes)):
                    left = [rest for span in left for rest in _without(span, spans)]
        return self._of_spans(place, tuple(sorted(set(left))), None)

    def _part(self, place: Place, condition: Condition, at: int) -> Part:
        return self._of_spans(place, condition.regions[at], self._lanes(place, condition, at))

    def _lanes(self, place: Place, condition: Condition, at: int) -> tuple[bool, ...] | None:
        """The threads that come to a part; None for what is not seen, as which case of a `switch` is theirs."""
        answers: Answers | None = self.answers.of(place, condition.test)
        if answers is None or not condition.is_two:
            return None
        return tuple(bool(one) == (at == 0) for one in answers)

    def _of_spans(self, place: Place, spans: Spans, lanes: tuple[bool, ...] | None) -> Part:
        sites = [one for one in self.meetings.sites(place) if _is_in(one.start, spans)]
        if not sites:
            return Part([], frozenset(), None, lanes)
        start = spans[0][0]
        base = frozenset(at for at, one in enumerate(place.routine.conditions) if one.start < start)
        meetings = frozenset[Meeting]().union(*(self.meetings.of_site(place, one, spans) for one in sites))
        return Part(self.events.of_spans(place, spans, base), meetings, min(sites, key=_start), lanes)

    def _of_target(self, place: Place, site: Site, target: Place) -> Part:
        events = self.events.of_routine(target, self.events.bound(place, site, target))
        return Part(events, self.meetings.of_routine(target), site, None)


def _meet(one: Part, other: Part, both: bool) -> bool:
    """Whether lanes of two parts need each other, of which the first runs first, or with `both` either may."""
    if any(
        a.name == b.name and _are_for(one, a, other, b) for a in one.meetings for b in other.meetings if a.exchanges
    ):
        return True
    pairs = ((one, other), (other, one)) if both else ((one, other),)
    return _waits(one, other) and any(_goes_wrong(a.events, b.events) for a, b in pairs)


def _waits(one: Part, other: Part) -> bool:
    return any(
        _are_for(one, a, other, b) for a in one.meetings for b in other.meetings if not a.exchanges and not b.exchanges
    )


def _are_for(one: Part, a: Meeting, other: Part, b: Meeting) -> bool:
    """Whether two meetings are for lanes of both parts."""
    shared = a.lanes > 0 and b.lanes > 0 and a.lanes & b.lanes
    return bool(shared) and a.needs_others(one.lanes) and (other.lanes is None or b.needs_others(other.lanes))


def _waits_for(one: Part, rest: Part) -> bool:
    """Whether a part reads behind a meeting what other lanes write later in the text, before they meet it."""
    return _waits(one, rest) and _goes_wrong(one.events, rest.events, only_reads=True)


def _goes_wrong(first: list[Event], second: list[Event], only_reads: bool = False) -> bool:
    """Whether a part that runs to its end first reads or writes behind a meeting what the other should have before."""
    return any(
        _may_be_one(a, b) and a.most > b.least
        for a in first
        for b in second
        if (a.kind, b.kind) == ("read", "write") or (not only_reads and (a.kind, b.kind) == ("write", "read"))
    )


def _may_be_one(one: Event, other: Event) -> bool:
    return bool(one.roots & other.roots) or ANY in one.roots | other.roots


def _is_in(at: int, spans: Spans) -> bool:
    return any(start <= at < end for start, end in spans)


def _any_in(places: Sequence[int], spans: Spans) -> bool:
    """Whether one of some places, which are in order, is in one of the ranges."""
    return any(bisect_left(places, start) < bisect_left(places, end) for start, end in spans)


def _is_more(lane: bool, known: bool) -> bool:
    return lane and not known


def _start(site: Site) -> int:
    return site.start


def _without(span: tuple[int, int], cut: Spans) -> Iterator[tuple[int, int]]:
    """What is left of a span without others that are in it."""
    start, end = span
    for low, high in sorted(cut):
        if start <= low and high <= end:
            yield start, low
            start = high
    yield start, end
