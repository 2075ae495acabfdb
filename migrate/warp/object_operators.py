"""Operators that the project's classes have: signs, elements and conversions of an object are calls of them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import Expression
from cudamigrate.warp.expressions import type_name

if TYPE_CHECKING:
    from cudamigrate.warp.facts import Fact
    from cudamigrate.warp.places import Place
    from cudamigrate.warp.transfer import Evaluator

_CONVERTS = "operator "
_OBJECTS = ("v", "m", "c", "b", "i")
Facts = tuple["Fact", ...]
_Sign = tuple[frozenset[str], dict[int, list[set[str]]]]


class ObjectOperators:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._signs: dict[str, _Sign] = {}
        self._derived: dict[frozenset[str], frozenset[str]] = {}

    def of(self, place: Place, what: Expression, given: Facts | None, depth: int) -> Fact | None:
        """What an operation is that an operator of the project does; None where C++ has it by itself."""
        call = self.call(place, what) if depth > 0 else None
        return None if call is None else self.evaluator.result(place, call, given, depth - 1)

    def call(self, place: Place, what: Expression) -> Expression | None:
        """The call that an operation on an object stands for: of `w < 3`, `w[3]`, `*w`, `!w`."""
        signs, parts = (("[]", "*"), what[1:]) if what[0] == "i" else ((what[1],), what[2:])
        if not parts or parts[0][0] not in _OBJECTS:
            return None
        for sign in signs:
            name = f"operator{sign}"
            owners, free = self._of_sign(name)
            given = () if sign == "*" and what[0] == "i" else tuple(parts[1:])
            if owners and not owners.isdisjoint(self._owners(place, parts[0])):
                return ("c", name, given, parts[0])
            every = (parts[0], *given)
            if any(
                kinds & self._owners(place, one) for kinds, one in zip(free.get(len(every), ()), every, strict=False)
            ):
                return ("c", name, every, None)
        return None

    def converted(self, place: Place, what: Expression, given: Facts | None, depth: int) -> list[Fact]:
        """What conversions make of an object: of any type, as what asks for it is not looked at."""
        if what[0] not in _OBJECTS or depth <= 0 or not self._converting:
            return []
        owners = self._owners(place, what)
        if self._converting.keys().isdisjoint(owners):
            return []
        names = sorted({name for one in owners for name in self._converting.get(one, ())})
        return [self.evaluator.result(place, ("c", name, (), what), given, depth - 1) for name in names]

    def _owners(self, place: Place, what: Expression) -> frozenset[str]:
        """The classes that an object may be of, with those that they are derived from."""
        found = self.evaluator.classes.of(place, what)
        known = self._derived.get(found)
        if known is None:
            known = frozenset(base for one in found for base in self.evaluator.objects.bases(one))
            self._derived[found] = known
        return known

    def _of_sign(self, name: str) -> _Sign:
        """The operators of one name: the classes that have it, and what those outside of classes take.

        These by how many operands they have, for each operand the types that any of them declares for it.
        """
        known = self._signs.get(name)
        if known is None:
            routines = [one.routine for one in self.evaluator.by_name.get(name, ())]
            free: dict[int, list[set[str]]] = {}
            for one in routines:
                if not one.owner:
                    kinds = free.setdefault(len(one.parameters), [set() for _ in one.parameters])
                    for at, parameter in enumerate(one.parameters):
                        kinds[at].add(type_name(one.types.get(parameter, "")))
            known = self._signs[name] = frozenset(one.owner for one in routines) - {""}, free
        return known

    @cached_property
    def _converting(self) -> dict[str, set[str]]:
        """The conversions of each class by the names of their functions."""
        found: dict[str, set[str]] = {}
        for one in self.evaluator.places:
            routine = one.routine
            if routine.owner and routine.name.startswith(_CONVERTS):
                found.setdefault(routine.owner, set()).add(routine.name)
        return found
