"""Which class an object is of, so that a call of a member reaches that of its class and no other of the name.

A declared type tells it, or what the object is made from: a constructor, a function with a known result, or the
arguments of all callers. Several classes may meet in one parameter, and `ANY` where something is not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import Expression, Site
from cudamigrate.warp import sources
from cudamigrate.warp.expressions import type_name
from cudamigrate.warp.placed_objects import PLACED
from cudamigrate.warp.questions import Questions

if TYPE_CHECKING:
    from cudamigrate.warp.places import Place
    from cudamigrate.warp.transfer import Evaluator

Classes = frozenset[str]
Given = tuple[Classes, ...] | None
"""The classes of the arguments that a routine is called with; None for all calls together."""
ANY = "?"
_ALIASES = 3
_OF_OBJECTS = ("?:", PLACED, "+", "-", "*", "/", "%", "|", "&", "^", "<<", ">>")
_OPEN: Classes = frozenset((ANY,))
_CAST_THIS: Expression = ("o", "cast", ("v", "this"))
"""`static_cast<const T *>(this)`: the object as one of a class that is derived from this one."""


class ObjectClasses:
    """Answers for one evaluator, each question once."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.known = frozenset(one.routine.owner for one in evaluator.places) - {""}
        self.questions = Questions()

    def of(self, place: Place, what: Expression, given: Given = None) -> Classes:
        """The classes that an object may be of, by name or by the function that gives it."""
        if what[0] == "b":
            return frozenset((what[1],)) if self._is_class(what[1]) else _OPEN
        if what == _CAST_THIS:
            return self.derived(place.routine.owner) | self.of(place, what[2])
        if what[0] not in ("v", "m", "c", "l", "i") and not _is_of_objects(what):
            return _OPEN
        first: Classes = frozenset()
        return self.questions.ask((id(place), what, given), first, lambda: self._of(place, what, given) or _OPEN)

    def one(self, place: Place, owner: Expression) -> str:
        """The class that an object is of; empty where that is not seen."""
        found = self.of(place, owner) - {ANY}
        return next(iter(found)) if len(found) == 1 else ""

    def is_of_library_alone(self, place: Place, held: Expression) -> bool:
        """Whether an object is only ever what functions give that no file defines."""
        at: Place | None = place
        while at is not None and held[0] == "v":
            made = [at.routine.definitions[one].value for one in self.evaluator.definitions(at).get(held[1], ())]
            if made:
                return all(one[0] == "c" and one[1] and one[1] not in self.evaluator.by_name for one in made)
            at = at.around
        return False

    @cached_property
    def shared(self) -> frozenset[str]:
        """Classes whose objects are in memory of the block and nowhere else: what one thread stores there all read."""
        private, common = set[str](), set[str]()
        for place in self.evaluator.places:
            routine = place.routine
            is_class = routine.name == routine.owner and not routine.sites and not routine.parameters
            if not is_class:
                private |= {type_name(routine.types[name]) for name in routine.held}
                private |= {one.value[1] for one in routine.definitions if one.value[0] == "c"}
                common |= {type_name(routine.types[name]) for name in routine.shared}
        return frozenset(self.with_members(common) - self.with_members(private)) & self.known

    def with_members(self, classes: Iterable[str]) -> set[str]:
        """Classes and those that their objects hold, or are derived from."""
        found, waiting = set[str](), list(classes)
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            found.add(name)
            for place in self.evaluator.by_name.get(name, ()):
                if place.routine.owner == name:
                    waiting += [type_name(place.routine.types[one]) for one in place.routine.held]
        return found

    def of_arguments(self, place: Place, site: Site, given: Given) -> tuple[Classes, ...]:
        """The classes of the arguments of a call."""
        return tuple(self.of(place, one, given) for one in site.arguments)

    @cached_property
    def ending(self) -> dict[str, list[Place]]:
        """What is done at the end of an object of a class: by the destructors of the class, its members and bases."""
        found: dict[str, list[Place]] = {}
        named = {one.routine.owner for one in self.evaluator.places if one.routine.name == f"~{one.routine.owner}"}
        for name in self.known if named else ():
            ends = sorted(self.with_members((name,)) & named)
            if ends:
                found[name] = [one for owner in ends for one in self.evaluator.by_name[f"~{owner}"]]
        return found

    def _of(self, place: Place, what: Expression, given: Given) -> Classes:
        if what[0] == "c":
            return self._made(place, what, given)
        if what[0] == "i":
            own = self.evaluator.operators.call(place, what)
            return self.of(place, what[1] if own is None else own, given)
        if what[0] == "o":
            return self._computed(place, what, given)
        if what[0] == "l":
            return frozenset((self.evaluator.objects.of_lambda(place, what[1]),)) - {""}
        if what[0] == "m":
            return _all(self._field(owner, what[2]) for owner in self.of(place, what[1], given))
        if what[1] == "this":
            return frozenset((place.routine.owner,)) - {""}
        at: Place | None = place
        while at is not None:
            if what[1] in at.routine.types:
                return self._variable(at, what[1], given if at is place else None)
            at = at.around
        return self._field(place.routine.owner, what[1])

    def _computed(self, place: Place, what: Expression, given: Given) -> Classes:
        """What an operator of a class gives, either part of a choice, and the object that a pointer moves on to."""
        if what[1] == PLACED:
            return self.of(place, what[3], given)
        if what[1] == "?:":
            return _all(self.of(place, one, given) for one in what[3:])
        own = self.evaluator.operators.call(place, what)
        if own is not None:
            return self.of(place, own, given)
        return self.of(place, what[2], given) if self._is_pointer(place, what[2]) else _OPEN

    def _is_pointer(self, place: Place, what: Expression) -> bool:
        """Whether a variable or a member is declared as a pointer, which a sum moves on: no object or reference."""
        at = place.declaring(what[1]) if what[0] == "v" else None
        if at is not None:
            return what[1] not in at.routine.held | at.routine.references
        owner = place.routine.owner if what[0] == "v" else self.one(place, what[1]) if what[0] == "m" else ""
        classes = (one.routine for one in self.evaluator.by_name.get(owner, ()) if one.routine.owner == owner)
        return any(what[-1] in one.types and what[-1] not in one.held for one in classes if not one.end)

    def named(self, name: str) -> str:
        """The class that a name stands for, also as `using Part = Range;`; the name itself where it is no other's."""
        for _ in range(_ALIASES if name not in self.known else 0):
            name = self.evaluator.objects.alias(name) or name
        return name

    def derived(self, owner: str) -> Classes:
        """The classes that are derived from one."""
        return frozenset(
            one for one in self.known if owner and one != owner and owner in self.evaluator.objects.bases(one)
        )

    def _variable(self, place: Place, name: str, given: Given) -> Classes:
        routine = place.routine
        declared = self.named(type_name(routine.types[name]))
        if self._is_class(declared):
            return frozenset((declared,))
        if lone := self.evaluator.objects.of_lambda(place, name):
            return frozenset((lone,))
        if name in routine.parameters:
            return self._parameter(place, routine.parameters.index(name), given)
        return _all(self.of(place, one.value, given) for one in routine.definitions if one.name == name)

    def _is_class(self, name: str) -> bool:
        return name in self.known or is_of_library(name)

    def _parameter(self, place: Place, at: int, given: Given) -> Classes:
        if given is not None:
            return given[at] if at < len(given) else _OPEN
        calls = self.evaluator.calls_of(place)
        if calls is None:
            return _OPEN
        return _all(self.of(caller, site.arguments[at]) for caller, site in calls if at < len(site.arguments))

    def _made(self, place: Place, what: Expression, given: Given) -> Classes:
        _, callee, arguments, receiver = what
        if self._is_class(callee):
            return frozenset((callee,))
        site = Site("call", callee, arguments, receiver, (), 0, 0, 0)
        targets = self.evaluator.called(place, site, given) if callee else []
        handed = self.of_arguments(place, site, given)
        return _all(self._result(one, handed) for one in targets)

    def _result(self, target: Place, handed: tuple[Classes, ...]) -> Classes:
        declared = self.named(type_name(target.routine.returns))
        if self._is_class(declared):
            return frozenset((declared,))
        return _all(self.of(target, one.value, handed) for one in target.routine.definitions if one.name == "return")

    def _field(self, owner: str, name: str) -> Classes:
        for place in self.evaluator.by_name.get(owner, ()) if owner else ():
            if place.routine.owner == owner and name in place.routine.types:
                return frozenset((self.named(type_name(place.routine.types[name])),)) - {""}
        objects = self.evaluator.objects
        held = next((one for one in objects.bases(owner) if one != owner and name in objects.members(one)), "")
        return self._field(held, name) if held else _OPEN


def _is_of_objects(what: Expression) -> bool:
    """Whether an operation may give an object: a choice, or a sum or difference that a pointer or an operator makes."""
    return what[0] == "o" and len(what) > 3 and what[1] in _OF_OBJECTS


def _all(found: Iterator[Classes]) -> Classes:
    return frozenset[str]().union(*found)


def is_of_library(name: str) -> bool:
    """Whether a class, or a function that gives an object, is a library's whose members no file defines."""
    return name in sources.groups() or name in sources.waiting() or name.encode() in sources.works()
