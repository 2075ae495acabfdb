"""What a part of a routine does before and behind the places where lanes of a warp meet: reads, writes, in calls too.

Each event says how often lanes have met in the part by then, at least and at most. What two parts may share of memory
is kept apart by the array in shared memory, or the pointer that a kernel is given; anything else may be any.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from cudamigrate.lazy_re import re
from cudamigrate.model.warp_graph import Definition, Expression, Site
from cudamigrate.warp.branch_regions import Spans
from cudamigrate.warp.expressions import below, is_number
from cudamigrate.warp.memory_effects import leaves_memory
from cudamigrate.warp.places import Place

if TYPE_CHECKING:
    from collections.abc import Callable

    from cudamigrate.warp.transfer import Evaluator

MANY = 1 << 20
_DEPTH = 6
_OF_NUMBERS = re.compile(r"\w*\d|\w+_t|(?:__)?half|auto")
Root = tuple[int, str]
"""A place's number and the variable of its that holds an array or points to one; of number 0, any."""
ANY: Root = (0, "")
Roots = frozenset[Root]
_UNSEEN: Roots = frozenset((ANY,))
Bound = Mapping[str, Roots]


class Event(NamedTuple):
    """A `read` or `write` of memory, or that lanes `meet`, with how often they have met before."""

    kind: str
    roots: Roots
    least: int
    most: int


class _Meets(NamedTuple):
    """How often lanes meet at one statement, and under which conditions and in which loops."""

    start: int
    under: frozenset[int]
    around: list[tuple[int, int]]
    least: int
    most: int

    @classmethod
    def of(cls, start: int, under: frozenset[int], around: list[tuple[int, int]], inner: list[Event]) -> _Meets:
        """Sums up the events of one statement."""
        meets = [one for one in inner if one.kind == "meet"]
        return cls(start, under, around, max(one.least for one in meets) + 1, max(one.most for one in meets) + 1)


class MeetingEvents:
    """Answers for one evaluator's routines; `meets` tells which calls are such meetings."""

    def __init__(self, evaluator: Evaluator, meets: Callable[[Place, Site], bool]) -> None:
        self.evaluator, self.meets = evaluator, meets
        self._known: dict[tuple[int, frozenset[tuple[str, Roots]]], list[Event]] = {}
        self._open: set[int] = set()

    def of_spans(self, place: Place, spans: Spans, base: frozenset[int]) -> list[Event]:
        """The events of some spans of a routine, each once; conditions of `base` hold in all of them."""
        return list(dict.fromkeys(self._events(place, spans, base, {}, _DEPTH)))

    def of_routine(self, place: Place, bound: Bound, depth: int = _DEPTH) -> list[Event]:
        """The events of a routine that is called with some places in memory, each once."""
        key = id(place), frozenset(bound.items())
        if key not in self._known:
            if depth == 0 or id(place) in self._open:
                return []
            self._open.add(id(place))
            routine = place.routine
            spans = ((routine.start, routine.end),)
            self._known[key] = list(dict.fromkeys(self._events(place, spans, frozenset(), bound, depth)))
            self._open.discard(id(place))
        return self._known[key]

    def bound(self, place: Place, site: Site, target: Place, around: Bound | None = None) -> dict[str, Roots]:
        """What the parameters of a routine point to that a call reaches."""
        routine, outer = target.routine, around or {}
        named = zip(routine.parameters, site.arguments, strict=False)
        found = {name: self.roots(place, one, outer) for name, one in named if not self._is_number(target, name)}
        if site.receiver is not None:
            found["this"] = self.roots(place, site.receiver, outer)
        return found

    def roots(self, place: Place, what: Expression, bound: Bound, depth: int = _DEPTH) -> Roots:
        """What an expression may point to, or be in; none for a thread's own."""
        kind = what[0]
        if depth == 0:
            return _UNSEEN
        if kind == "v":
            return self._of_variable(place, what[1], bound, depth)
        if kind in "im":
            return self.roots(place, what[1], bound, depth)
        if kind == "o" and what[1] in ("+", "-", "cast", "&", "*", "?:"):
            parts = [self.roots(place, one, bound, depth) for one in what[2:]]
            return frozenset[Root]().union(*parts)
        return frozenset() if kind in "nrkoa" else _UNSEEN

    def _of_variable(self, place: Place, name: str, bound: Bound, depth: int) -> Roots:
        routine = place.routine
        if name in bound:
            return bound[name]
        if name in routine.shared:
            return frozenset(((id(place), name),))
        if name in routine.aliases:
            return _UNSEEN
        if name in routine.parameters:
            return frozenset(((id(place), name),)) if routine.kernel else self._handed(place, name, depth)
        if name in routine.types:
            if self._is_number(place, name):
                return frozenset()
            given = self.evaluator.definitions(place).get(name, ())
            found = [self.roots(place, routine.definitions[at].value, bound, depth - 1) for at in given]
            return frozenset[Root]().union(*found) or _UNSEEN
        if place.around is not None:
            return self._of_variable(place.around, name, {}, depth)
        if routine.owner and self.evaluator.fields.has(routine.owner, name):
            return bound.get("this", _UNSEEN)
        return frozenset() if self.evaluator.constant(name) is not None else frozenset(((-1, name),))

    def _handed(self, place: Place, name: str, depth: int) -> Roots:
        if self._is_number(place, name):
            return frozenset()
        at, calls = place.routine.parameters.index(name), self.evaluator.calls_of(place)
        given = [(caller, site.arguments[at]) for caller, site in calls or () if at < len(site.arguments)]
        found = [self.roots(caller, one, {}, depth - 2) for caller, one in given] if depth > 2 else []
        return frozenset[Root]().union(*found) or _UNSEEN

    @staticmethod
    def _is_number(place: Place, name: str) -> bool:
        """Whether a variable is a thread's own number, or an array of them."""
        kind = place.routine.types.get(name, "").replace("const", "").strip()
        return name in place.routine.held and (is_number(kind) or _OF_NUMBERS.fullmatch(kind) is not None)

    def _events(self, place: Place, spans: Spans, base: frozenset[int], bound: Bound, depth: int) -> Iterator[Event]:
        """Events in the order of the text; what is in a loop with a meeting may come behind any number of them."""
        turns = [one for one in place.routine.turns if any(low <= one[0] and one[1] <= high for low, high in spans)]
        found = [
            (start, frozenset(guards) - base, [one for one in turns if one[0] <= start < one[1]], inner)
            for start, guards, what in self._items(place, spans)
            if (inner := self._of_item(place, what, bound, depth))
        ]
        meets = [_Meets.of(*one) for one in found if any(each.kind == "meet" for each in one[3])]
        for start, under, around, inner in found:
            before = [one for one in meets if one.start < start]
            least = sum(one.least for one in before if one.under <= under and set(one.around) <= set(around))
            again = any(low <= one.start < high for low, high in around for one in meets)
            most = MANY if again else sum(one.most for one in before)
            for one in inner:
                yield one._replace(least=min(MANY, least + one.least), most=min(MANY, most + one.most))

    def _items(self, place: Place, spans: Spans) -> list[tuple[int, tuple[int, ...], Definition | Site | Expression]]:
        routine = place.routine
        found: list[tuple[int, tuple[int, ...], Definition | Site | Expression]] = []
        found += [(one.start, one.guards, one) for one in routine.definitions if "@" not in one.name]
        found += [(one.start, one.guards, one) for one in routine.sites if one.kind == "call"]
        found += [(one.start, (), one.test) for one in routine.conditions]
        inside = [one for one in found if any(start <= one[0] < end for start, end in spans)]
        return sorted(inside, key=lambda one: one[0])

    def _of_item(self, place: Place, what: Definition | Site | Expression, bound: Bound, depth: int) -> list[Event]:
        if isinstance(what, Definition):
            return self._of_definition(place, what, bound)
        if isinstance(what, Site):
            return self._of_call(place, what, bound, depth)
        return self._reads(place, what, bound)

    def _of_definition(self, place: Place, made: Definition, bound: Bound) -> list[Event]:
        found = self._reads(place, made.value, bound)
        if made.place and made.name == "*":
            roots = self.roots(place, made.place, bound)
            found += [Event("write", roots, 0, 0)] if roots else []
            found += [
                one for part in made.place[2:] if isinstance(part, tuple) for one in self._reads(place, part, bound)
            ]
        elif made.place and not made.name.startswith("*"):
            holder = made.name.partition(".")[0].partition("#")[0]
            roots = self.roots(place, ("v", holder), bound) if not self._is_own(place, holder) else frozenset()
            found += [Event("write", roots, 0, 0)] if roots else []
        return found

    @staticmethod
    def _is_own(place: Place, name: str) -> bool:
        """Whether a name is a variable that each thread has: the pointer itself, and no place in memory."""
        routine = place.routine
        return name in routine.types and name not in routine.shared | routine.aliases | routine.references

    def _reads(self, place: Place, what: Expression, bound: Bound) -> list[Event]:
        memory = place.routine.shared | place.routine.aliases | place.routine.references
        found = []
        for one in below(what):
            if one[0] == "i" or (one[0] == "v" and one[1] in memory):
                roots = self.roots(place, one, bound)
                found += [Event("read", roots, 0, 0)] if roots else []
        return found

    def _of_call(self, place: Place, site: Site, bound: Bound, depth: int) -> list[Event]:
        if self.meets(place, site):
            return [Event("meet", frozenset(), 0, 0)]
        targets = [one for one in self.evaluator.called(place, site) if one.routine.end] if site.callee else []
        found: list[Event] = []
        for target in targets:
            found += self.of_routine(target, self.bound(place, site, target, bound), depth - 1)
        if targets:
            return found
        found += [each for one in site.arguments for each in self._reads(place, one, bound)]
        if not leaves_memory(site):
            for one in site.arguments:
                roots = self.roots(place, one, bound) - _UNSEEN
                found += [Event("read", roots, 0, 0), Event("write", roots, 0, 0)] if roots else []
        return found
