"""What the members of classes are given, anywhere: by name, through objects, references and lists in braces.

Objects of a class are not distinguished here. A member is that of the class which declares it, whichever class that is
derived from it gives it a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cudamigrate.model.warp_graph import Definition, Expression, Site
from cudamigrate.warp.expressions import below, type_name
from cudamigrate.warp.function_objects import fits

if TYPE_CHECKING:
    from cudamigrate.warp.places import Place
    from cudamigrate.warp.transfer import Evaluator

_DEPTH = 8


class Lent(NamedTuple):
    """A member that a call is given by reference, or by its address: as argument number `at`."""

    place: Place
    site: Site
    at: int


class _Spot(NamedTuple):
    """Where a list in braces is: under which conditions, on which line, at which byte."""

    guards: tuple[int, ...]
    line: int
    start: int


class ClassFields:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._holders: dict[tuple[str, str], str] = {}

    def holder(self, owner: str, name: str) -> str:
        """The class that declares a member of a class: this one, or one that it is derived from; itself if unseen."""
        key = owner, name
        if key not in self._holders:
            objects = self.evaluator.objects
            self._holders[key] = next((one for one in objects.bases(owner) if name in objects.members(one)), owner)
        return self._holders[key]

    def has(self, owner: str, name: str) -> bool:
        """Whether anything is seen that a member of a class is given."""
        key = (self.holder(owner, name), name) if owner else ("", "")
        return key in self._given or key in self._lent

    def given(self, owner: str, name: str) -> list[tuple[Place, Definition]]:
        """What a member of a class is given, with the routine that gives it."""
        return self._given.get((self.holder(owner, name), name), [])

    def lent(self, owner: str, name: str) -> list[Lent]:
        """The calls that are given a member of a class, so that they may store in it."""
        return self._lent.get((self.holder(owner, name), name), [])

    def of_class(self, owner: str) -> set[str]:
        """The members of a class that anything is given to."""
        owners = self.evaluator.objects.bases(owner)
        return {name for one, name in (*self._given, *self._lent) if one in owners}

    def made_by_braces(self, owner: str) -> list[tuple[Place, Site]]:
        """The calls of constructors of a class that only braces show: `T{n}`, `return {n};`."""
        return self._braced[1].get(owner, [])

    @cached_property
    def _given(self) -> dict[tuple[str, str], list[tuple[Place, Definition]]]:
        found = {key: list(made) for key, made in self._braced[0].items()}
        for place in self.evaluator.places:
            for one in place.routine.definitions:
                key = self._member(place, one)
                if key is not None:
                    found.setdefault((self.holder(*key), key[1]), []).append((place, one))
        return found

    def _member(self, place: Place, one: Definition) -> tuple[str, str] | None:
        """The class and the name of the member that a definition gives a value."""
        if one.place:
            return self.named(place, one.place) if one.name != "*" else None  # said again with its value
        held, _, name = one.name.rpartition(".")
        if held:
            return self.named(place, ("m", ("v", held), name))
        return self.named(place, ("v", name)) if name[:1] != "*" and name != "return" else None

    def named(self, place: Place, what: Expression) -> tuple[str, str] | None:
        """The member that an expression names, or of which it is a part; None where it is none of a class that is seen.

        What one thread stores in memory of the block is the same for all who read it: it is no member here.
        """
        routine = place.routine
        while what[0] in ("m", "i"):
            if what[0] == "m":
                if self._is_common(place, what[1]):
                    return None
                owner = self.evaluator.classes.one(place, what[1])
                if owner in self.evaluator.classes.known:
                    return owner, what[2]
            elif not self.is_array(place, what[1]):
                return None
            what = what[1]
        is_class = routine.name == routine.owner and not routine.end
        if what[0] != "v" or not routine.owner or (what[1] in routine.types and not is_class):
            return None
        return routine.owner, what[1]

    def _is_common(self, place: Place, held: Expression) -> bool:
        while held[0] in ("m", "i"):
            held = held[1]
        routine = place.routine
        name = held[1].partition("#")[0] if held[0] == "v" else ""
        return name in routine.shared or name in routine.aliases

    def is_array(self, place: Place, held: Expression) -> bool:
        """Whether a member is an array of its object: what a pointer points to is none of it.

        Of a member of a class that is not seen nobody knows.
        """
        key = self.named(place, held) if held[0] in ("m", "v") else None
        if key is None or key[1] != held[-1]:
            return held[0] == "i" and self.is_array(place, held[1])
        owner = self.holder(*key)
        return any(key[1] in one.routine.held for one in self._classes(owner))

    def _classes(self, name: str) -> list[Place]:
        found = self.evaluator.by_name.get(name, ()) if name else ()
        return [one for one in found if one.routine.owner == name and not one.routine.end]

    @cached_property
    def _lent(self) -> dict[tuple[str, str], list[Lent]]:
        found: dict[tuple[str, str], list[Lent]] = {}
        for place in self.evaluator.places:
            for site in place.routine.sites:
                for at, one in enumerate(site.arguments):
                    is_taken = one[0] in ("m", "v", "i") and self.evaluator.references.is_taken(site, at)
                    key = self.named(place, one) if is_taken else None
                    if key is not None:
                        found.setdefault((self.holder(*key), key[1]), []).append(Lent(place, site, at))
        return found

    @cached_property
    def _braced(self) -> _Braced:
        """What lists in braces give to members, and the constructors that they call."""
        made: _Braced = ({}, {})
        for place in self.evaluator.places:
            for what, kind, at in _lists(place):
                self._spread(place, kind or what[1], _parts(what), at, made, _DEPTH)
        return made

    def _spread(
        self, place: Place, kind: str, parts: Sequence[Expression], at: _Spot, made: _Braced, depth: int
    ) -> None:
        """Give the parts of a list to the members of a class in their order, or to its constructor."""
        kind = self.evaluator.classes.named(kind)
        if kind not in self.evaluator.classes.known or depth == 0:
            return
        site = Site("call", kind, tuple(parts), None, at.guards, at.start, at.start, at.line)
        called = [one for one in self.evaluator.by_name.get(kind, ()) if one.routine.owner == kind and one.routine.end]
        if called:
            is_seen = any(one.callee == kind and one.arguments == site.arguments for one in place.routine.sites)
            if not is_seen and any(fits(one, site) for one in called):
                made[1].setdefault(kind, []).append((place, site))
            return
        for name, declared, value in self._members_given(kind, parts):
            inner = type_name(declared)
            if value[0] == "a" or (name == inner and value[0] not in ("b", "c")):
                self._spread(place, inner, _parts(value) if value[0] == "a" else (value,), at, made, depth - 1)
            given = Definition(name, value, at.guards, at.line, at.start)
            made[0].setdefault((kind, name), []).append((place, given))

    def _members_given(self, kind: str, parts: Sequence[Expression]) -> Iterator[tuple[str, str, Expression]]:
        """The members of a class with their types, each with what a list gives it."""
        for one in self._classes(kind)[:1]:
            types = one.routine.types
            names = [name for name in types if name not in one.routine.statics]
            for at, value in enumerate(parts):
                name = value[1] if value[0] == "d" else names[at] if at < len(names) else ""
                if name in types:
                    yield name, types[name], value[2] if value[0] == "d" else value


_Braced = tuple[dict[tuple[str, str], list[tuple["Place", Definition]]], dict[str, list[tuple["Place", Site]]]]


def _parts(what: Expression) -> Sequence[Expression]:
    return tuple(what[2] if what[0] == "c" else what[2:] if what[0] == "b" else what[1:])


def _lists(place: Place) -> Iterator[tuple[Expression, str, _Spot]]:
    """The lists in braces of a routine, with the type that they make where it is not written before them."""
    routine = place.routine
    for one in routine.definitions:
        at = _Spot(one.guards, one.line, one.start)
        if one.value[0] == "a":
            kind = type_name(routine.returns if one.name == "return" else place.type_of(one.name.partition("#")[0]))
            if kind:
                yield one.value, kind, at
        yield from ((inner, "", at) for inner in _made(one.value))
    for site in routine.sites:
        at = _Spot(site.guards, site.line, site.start)
        for what in (*site.arguments, *(() if site.receiver is None else (site.receiver,))):
            yield from ((inner, "", at) for inner in _made(what))


def _made(what: Expression) -> Iterator[Expression]:
    """The objects that an expression makes by braces, or by what reads as a constructor."""
    if what[0] in ("v", "n", "r", "k"):
        return iter(())
    return (one for one in below(what) if one[0] == "b" or (one[0] == "c" and one[2] and one[3] is None))
