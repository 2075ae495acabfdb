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


class ObjectOperators:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def of(self, place: Place, what: Expression, given: Facts | None, depth: int) -> Fact | None:
        """What an operation is that an operator of the project does; None where C++ has it by itself."""
        call = self.call(place, what) if depth > 0 else None
        return None if call is None else self.evaluator.result(place, call, given, depth - 1)

    def call(self, place: Place, what: Expression) -> Expression | None:
        """The call that an operation on an object stands for: of `w < 3`, `w[3]`, `*w`, `!w`."""
        signs, parts = (("[]", "*"), what[1:]) if what[0] == "i" else ((what[1],), what[2:])
        for sign in signs:
            name = f"operator{sign}"
            targets = self.evaluator.by_name.get(name, ()) if parts else ()
            if not targets or parts[0][0] not in _OBJECTS:
                continue
            given = () if sign == "*" and what[0] == "i" else tuple(parts[1:])
            owners = self._owners(place, parts[0])
            if any(one.routine.owner in owners for one in targets):
                return ("c", name, given, parts[0])
            every = (parts[0], *given)
            if any(not one.routine.owner and self._takes(place, one, every) for one in targets):
                return ("c", name, every, None)
        return None

    def converted(self, place: Place, what: Expression, given: Facts | None, depth: int) -> list[Fact]:
        """What conversions make of an object: of any type, as what asks for it is not looked at."""
        if not self._converting or what[0] not in _OBJECTS or depth <= 0:
            return []
        names = sorted({name for one in self._owners(place, what) for name in self._converting.get(one, ())})
        return [self.evaluator.result(place, ("c", name, (), what), given, depth - 1) for name in names]

    def _owners(self, place: Place, what: Expression) -> set[str]:
        """The classes that an object may be of, with those that they are derived from."""
        found = self.evaluator.classes.of(place, what)
        return {base for one in found for base in self.evaluator.objects.bases(one)}

    def _takes(self, place: Place, target: Place, parts: tuple[Expression, ...]) -> bool:
        """Whether an operator outside of classes takes an object of a class that one of the operands is of."""
        routine = target.routine
        if len(routine.parameters) != len(parts):
            return False
        kinds = [type_name(routine.types.get(name, "")) for name in routine.parameters]
        return any(kind in self._owners(place, one) for kind, one in zip(kinds, parts, strict=True))

    @cached_property
    def _converting(self) -> dict[str, set[str]]:
        """The conversions of each class by the names of their functions."""
        found: dict[str, set[str]] = {}
        for one in self.evaluator.places:
            routine = one.routine
            if routine.owner and routine.name.startswith(_CONVERTS):
                found.setdefault(routine.owner, set()).add(routine.name)
        return found
