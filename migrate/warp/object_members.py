"""Members of an object that one variable holds: what that object was given, and not what its class has elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import AGAIN, Expression, Site
from cudamigrate.warp.expressions import type_name
from cudamigrate.warp.facts import SAME, operate
from cudamigrate.warp.object_changes import ObjectChanges
from cudamigrate.warp.placed_objects import constructor

if TYPE_CHECKING:
    from cudamigrate.warp.facts import Fact
    from cudamigrate.warp.places import Place
    from cudamigrate.warp.transfer import Evaluator

Facts = tuple["Fact", ...]


class ObjectMembers:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator, self._changes = evaluator, ObjectChanges(evaluator)

    def of(self, place: Place, held: Expression, name: str, given: Facts | None, depth: int) -> list[Fact] | None:
        """The facts that a member of an object may have; None where the object is not followed."""
        if depth <= 0:
            return None
        held = constructor(held)
        if held[0] == "c":
            return self._returned(place, held, name, given, depth)
        if held[0] == "b" and held[1] in self.evaluator.classes.known:
            return self._returned(place, ("c", held[1], held[2:], None), name, given, depth)
        if held[0] == "b":
            return self._listed(place, held[1], held[2:], name, given, depth)
        if held[0] == "i" and self._is_memory(place, held[1], depth):
            return [operate(".", [self.evaluator.value(place, held, given, depth - 1), SAME, SAME])]
        if held[0] != "v":
            return None
        if place.routine.kernel and self._is_handed(place, held, depth):  # other kernels fill it, each in its own way
            pointer = self.evaluator.value(place, held, given, depth - 1)
            return [operate(".", [pointer, SAME, SAME])._replace(sure=False)]
        at = place.declaring(held[1])
        if at is None or not self._is_own(at, held[1]):
            return None
        return self._variable(at, held[1], name, given if at is place else None, depth)

    def _is_own(self, place: Place, variable: str) -> bool:
        """Whether a variable is an object that the routine declares, each thread its own."""
        routine, own = place.routine, variable.partition("#")[0]
        same = [one for one in routine.types if one.partition("#")[0] == own and not one.endswith(AGAIN)]
        if own in routine.parameters or not all(one in routine.held for one in same):
            return False
        return not any(one in routine.shared or one in routine.aliases for one in (*same, variable))

    def _is_memory(self, place: Place, what: Expression, depth: int) -> bool:
        """Whether an array is memory that somebody else may have filled, and no array of this routine or its object."""
        if depth <= 0 or what[0] not in ("v", "m", "i", "o"):
            return bool(what[0] == "c")
        if what[0] == "o":
            return what[1] == "cast" or any(self._is_memory(place, one, depth - 1) for one in what[2:])
        if what[0] == "i":
            return self._is_memory(place, what[1], depth - 1)
        at = place.declaring(what[1]) if what[0] == "v" else None
        if at is None:
            return what != ("v", "this") and not self.evaluator.fields.is_array(place, what)
        known = [at.routine.definitions[one].value for one in self.evaluator.definitions(at).get(what[1], ())]
        is_pointer = what[1] not in at.routine.held | at.routine.shared
        return is_pointer and (
            what[1] in at.routine.parameters or any(self._is_memory(at, one, depth - 1) for one in known)
        )

    def _is_handed(self, place: Place, what: Expression, depth: int) -> bool:
        """Whether a pointer is one that a kernel is launched with, moved on or not: it is to memory of the device."""
        if depth <= 0 or what[0] not in ("v", "o"):
            return False
        if what[0] == "o":
            return what[1] in ("+", "-") and any(self._is_handed(place, one, depth - 1) for one in what[2:])
        routine, own = place.routine, what[1].partition("#")[0]
        if own in routine.parameters:
            return own not in routine.held
        known = [routine.definitions[one].value for one in self.evaluator.definitions(place).get(what[1], ())]
        return bool(known) and all(self._is_handed(place, one, depth - 1) for one in known)

    def _variable(self, place: Place, variable: str, name: str, given: Facts | None, depth: int) -> list[Fact] | None:
        evaluator, routine = self.evaluator, place.routine
        found: list[Fact] = []
        for at in evaluator.definitions(place).get(variable, ()):
            one = routine.definitions[at]
            made = self.of(place, one.value, name, given, depth - 1)
            if made is None:
                return None
            found += [evaluator.under(fact, place, one.guards, given, depth) for fact in made]
        for own in self._spelled(place, variable):
            members = evaluator.definitions(place).get(f"{own}.{name}", ())
            found += [evaluator.defined(place, at, given, depth) for at in members]
            changed = self._changes.of_variable(place, own, name, given, depth - 1)
            if changed is None:
                return None
            found += changed
        return found or None

    def _spelled(self, place: Place, variable: str) -> Iterator[str]:
        """The names under which members of a variable are assigned."""
        own = variable.partition("#")[0]
        return (one for one in place.routine.types if one.partition("#")[0] == own)

    def _returned(
        self, place: Place, call: Expression, name: str, given: Facts | None, depth: int
    ) -> list[Fact] | None:
        """The member of what a call returns, or of the object that a constructor makes, for what it is handed."""
        _, callee, arguments, receiver = call
        evaluator = self.evaluator
        site = Site("call", callee, arguments, receiver, (), 0, 0, 0)
        if receiver is None and (at := part_of_vector(callee, name, len(arguments))) >= 0:
            return [evaluator.value(place, arguments[at], given, depth - 1)]
        targets = evaluator.called(place, site) if callee else []
        if callee in evaluator.classes.known and receiver is None:
            made = [one for one in targets if one.routine.owner == callee == one.routine.name and one.routine.end]
            if not made:
                return self._listed(place, callee, arguments, name, given, depth)
            targets = made
        padded = evaluator.padded(place, call, evaluator.values(place, arguments, given, depth))
        found: list[Fact] = []
        for target in targets:
            facts = self._result(target, name, padded, depth)
            if facts is None:
                return None
            found += facts
        return found or None

    def _result(self, target: Place, name: str, handed: Facts, depth: int) -> list[Fact] | None:
        """The member of what a routine returns; of a constructor, what it gives to the member."""
        evaluator, routine = self.evaluator, target.routine
        if routine.name == routine.owner:
            known = evaluator.definitions(target)
            own = [*known.get(name, ()), *known.get(f"this.{name}", ())]
            given = [evaluator.defined(target, at, handed, depth) for at in own]
            return given or self._changes.by_own_calls(target, name, handed, depth - 1)
        found: list[Fact] = []
        for at in evaluator.definitions(target).get("return", ()):
            one = routine.definitions[at]
            value = ("b", type_name(routine.returns), *one.value[1:]) if one.value[0] == "a" else one.value
            made = self.of(target, value, name, handed, depth - 1)
            if made is None:
                return None
            found += [evaluator.under(fact, target, one.guards, handed, depth) for fact in made]
        return found or None

    def _listed(
        self, place: Place, kind: str, parts: Sequence[Expression], name: str, given: Facts | None, depth: int
    ) -> list[Fact] | None:
        """The member of an object that braces make, by its place in the class; None where the class has more."""
        if (at := part_of_vector(kind, name, len(parts))) >= 0:
            return [self.evaluator.value(place, parts[at], given, depth - 1)]
        for one in self.evaluator.by_name.get(kind, ()):
            routine = one.routine
            if routine.owner == kind and not routine.end:
                names = list(routine.types)
                if routine.held != frozenset(names) or len(parts) != len(names) or name not in names:
                    return None
                return [self.evaluator.value(place, parts[names.index(name)], given, depth - 1)]
        return None


def part_of_vector(called: str, name: str, parts: int) -> int:
    """Which argument is a member of one of CUDA's vectors: `int2{a, b}`, `make_float4(a, b, c, d)`, `dim3(a, b, c)`."""
    kind = called.removeprefix("make_")
    known = kind == "dim3" or (kind[:-1] in _SCALARS and kind[-1:] == str(parts))
    at = PARTS.find(name) if len(name) == 1 else -1
    return at if known and at < parts else -1


PARTS = "xyzw"
_SCALARS = frozenset(sign + kind for kind in ("char", "short", "int", "long", "longlong") for sign in ("", "u")) | {
    "float",
    "double",
}
