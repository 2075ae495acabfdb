"""Calls through pointers to functions: which functions they may reach, and what chooses one of them.

A pointer is followed through variables, parameters and tables at namespace scope. Where nothing shows what it holds, it
may be any function of the repository whose address something has and that takes as many arguments; an object of a class
is no pointer. A function of a library that is given such a function, or an object that can be called, may call it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import Expression, Site
from cudamigrate.warp.expressions import below, is_number, type_name, without_casts
from cudamigrate.warp.function_objects import fits
from cudamigrate.warp.object_classes import ANY
from cudamigrate.warp.places import Place

if TYPE_CHECKING:
    from cudamigrate.warp.object_classes import Given
    from cudamigrate.warp.transfer import Evaluator

_DEPTH = 3
_OF_CUDA = "__"
_DEDUCED = "auto"
_CALCULATED = frozenset(["%", "/", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "^", "|"])
"""Operations whose result is a number."""
_UNARY = 3


class FunctionPointers:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._taking: dict[int, list[Place]] = {}
        self._defined: dict[int, dict[str, list[Expression]]] = {}

    def chosen(self, place: Place, site: Site) -> Expression:
        """What decides which function a call reaches: a pointer, an object, or what a library's function is given."""
        if not self.is_named(place, site):
            return ("v", site.callee) if site.callee else site.receiver or ("n", 0)
        if self.is_defined(site):
            return site.receiver or ("n", 0)
        if site.receiver is not None:
            return ("m", site.receiver, site.callee)
        return ("a", *(one for one in site.arguments if self._may_choose(place, one)))

    def _may_choose(self, place: Place, what: Expression) -> bool:
        """Whether what a library's function is given may decide what it calls.

        A lambda, or an object of a class that is seen, is always called as what it is, whatever it holds.
        """
        if what[0] in ("l", "b"):
            return False
        classes = self.evaluator.classes.of(place, what, None)
        return not classes or ANY in classes

    def may_be(self, place: Place, site: Site) -> bool:
        """Whether a call may be through a pointer, or of a library's function that calls what it is given."""
        name = site.callee
        if not self.is_named(place, site):
            return True
        of_other = not self.is_defined(site) and not name.startswith(_OF_CUDA)
        return of_other and (site.receiver is not None or any(one[0] in "vlcb" for one in site.arguments))

    def reached(self, place: Place, site: Site, given: Given = None) -> list[Place]:
        """The functions that such a call may reach."""
        if self.is_named(place, site):
            handed = [one for what in site.arguments for one in self._callable(place, what, given)]
            held = site.receiver
            member = held is not None and site.callee in self._pointer_members and self._may_have(place, held, site)
            return handed or (self._any(site) if member else [])
        what = self.chosen(place, site)
        if site.constants and what[0] == "v":
            return []  # no variable has template arguments: `n < f<2>()` is read as a call of `n`
        is_type = not site.callee and what[0] == "v" and self._is_deduced(place, what[1])
        if is_type and not self._is_variable(place, what[1]):
            return []  # `(T)(x)` makes of a value the type that a template is given
        found = list(dict.fromkeys(self._pointed(place, what, _DEPTH)))
        return found or (self._any(site) if self._is_pointer(place, what, _DEPTH) else [])

    def is_defined(self, site: Site) -> bool:
        """Whether the repository defines a function, or a member of a class, of the name that a call has."""
        found = self.evaluator.by_name.get(site.callee, ())
        return any(site.receiver is None or one.routine.owner for one in found)

    def is_named(self, place: Place, site: Site) -> bool:
        """Whether a call names a function, or a member, and no variable."""
        return bool(site.callee) and (site.receiver is not None or not self._is_variable(place, site.callee))

    def _callable(self, place: Place, what: Expression, given: Given) -> list[Place]:
        """What may be called of an argument: a function by its name, or an object."""
        if what[0] == "v" and not self._is_variable(place, what[1]):
            owners = "", place.outermost.routine.owner
            return [one for one in self._functions(place, what[1]) if one.routine.owner in owners]
        classes = self.evaluator.classes.of(place, what, given)
        return [one for name in sorted(classes) for one in self.evaluator.objects.of_class(name)]

    def _functions(self, place: Place, name: str) -> list[Place]:
        """The functions for which a name may stand in a routine: no kernel, which no thread can call."""
        found = [one for one in self.evaluator.by_name.get(name, ()) if one.routine.end and not one.routine.kernel]
        return self.evaluator.near(found, place)

    def _any(self, site: Site) -> list[Place]:
        """The functions that a pointer may hold of which nothing is seen."""
        count = len(site.arguments)  # all that `fits` asks for
        if count not in self._taking:
            by_name = self.evaluator.by_name
            found = [one for name in sorted(self.taken) for one in by_name.get(name, ()) if fits(one, site)]
            self._taking[count] = found
        return self._taking[count]

    @cached_property
    def _pointer_members(self) -> frozenset[str]:
        """The data members of all classes of the repository that may be pointers to functions."""
        classes = [one for one in self.evaluator.places if one.routine.name == one.routine.owner != ""]
        members = ((one, self.evaluator.objects.members(one.routine.owner)) for one in classes)
        return frozenset(name for one, kinds in members for name, kind in kinds.items() if self._may_point(one, kind))

    def _is_pointer(self, place: Place, what: Expression, depth: int, is_called: bool = True) -> bool:
        """Whether an expression may be a pointer to a function, by what its variables are given, or are declared as.

        What is calculated is none, and what a function of no file of the repository returns is a library's object.
        """
        what = without_casts(what)
        if what[0] == "c":
            return any(self._returns_pointer(one, depth) for one in self.evaluator.called_in(place, what))
        names = dict.fromkeys(one[1] for one in below(what) if one[0] == "v")
        if not names or _is_calculated(what):
            return is_called and what[0] != "k"
        return any(self._may_hold(place, name, depth, what[0] == "v") for name in names)

    def _may_hold(self, place: Place, name: str, depth: int, alone: bool) -> bool:
        """Whether a variable may hold such a pointer; one of a number's type does where it is called `alone`."""
        at = place.declaring(name)
        kind = self._declared(place, name) if at is None else at.routine.types[name]
        if is_number(kind) and at is not None and name in at.routine.held:
            return False  # the number itself: a pointer to a function that returns one is declared alike
        given = self._given(at, name) if at is not None else ()
        if given and (depth or all(value[0] == "c" for _, value in given)):
            return any(self._is_pointer(where, value, max(depth - 1, 0), False) for where, value in given)
        return self._may_point(at or place, kind) and (alone or not is_number(kind))

    def _returns_pointer(self, target: Place, depth: int) -> bool:
        """Whether a function of the repository may return one: what it returns is declared so, or is one."""
        kind = target.routine.returns
        if kind and not self._is_deduced(target, kind):
            return self._may_point(target, kind) and not is_number(kind)
        values = (one.value for one in target.routine.definitions if one.name == "return")
        return bool(depth) and any(self._is_pointer(target, value, depth - 1, False) for value in values)

    def _may_have(self, place: Place, held: Expression, site: Site) -> bool:
        """Whether an object may have the data member that a call is of: its class has, or is not seen."""
        objects, owners = self.evaluator.objects, self.evaluator.classes.of(place, held) & self._classes
        if owners:
            return any(site.callee in objects.members(base) for owner in owners for base in objects.bases(owner))
        return not self._is_foreign(place, held)

    def _is_foreign(self, place: Place, held: Expression) -> bool:
        """Whether an object is a library's, by its declared type or as what gives it: no file declares its members."""
        held = without_casts(held)
        if held[0] == "c" and held[1]:
            return held[1] not in self.evaluator.by_name and self.evaluator.classes.named(held[1]) not in self._classes
        if held[0] != "v":
            return False
        at = place.declaring(held[1])
        kind = self._declared(place, held[1]) if at is None else at.routine.types[held[1]]
        name = type_name(kind)
        if not name or self._is_deduced(at or place, kind):
            return self.evaluator.classes.is_of_library_alone(place, held)
        types = self.evaluator.objects.types(at or place, name)
        return not types and self.evaluator.classes.named(name) not in self._classes

    @property
    def _classes(self) -> frozenset[str]:
        return self.evaluator.classes.known

    def _declared(self, place: Place, name: str) -> str:
        """The type of a data member of the class around; empty for a variable at namespace scope."""
        return self.evaluator.objects.members(place.outermost.routine.owner).get(name, "")

    def _may_point(self, place: Place, kind: str) -> bool:
        """Whether a variable of a declared type may point to a function: no class, template's parameter or `auto`.

        A name of another namespace is taken for a class: few pointers have a type that is called so.
        """
        name = type_name(kind)
        is_class = "<" in kind or "::" in kind or name in self.evaluator.classes.known
        is_class = is_class or bool(self.evaluator.objects.types(place, name))  # an alias of one
        return not is_class and not self._is_deduced(place, kind)

    def _is_deduced(self, place: Place, kind: str) -> bool:
        """Whether a declared type is what a template around is given, or `auto`."""
        deduced = {_DEDUCED, *place.routine.kinds}
        while place.around is not None:
            place = place.around
            deduced |= set(place.routine.kinds)
        owners = self.evaluator.by_name.get(place.routine.owner, ()) if place.routine.owner else ()
        return type_name(kind) in deduced or any(type_name(kind) in one.routine.kinds for one in owners)

    def _is_variable(self, place: Place, name: str) -> bool:
        at: Place | None = place
        while at is not None:
            if name in at.routine.types:
                return True
            at = at.around
        owner = place.outermost.routine.owner
        return name in self._tables or (bool(owner) and name in self.evaluator.objects.members(owner))

    @cached_property
    def _tables(self) -> dict[str, list[Expression]]:
        """What variables at namespace scope, and members of classes, are given."""
        found: dict[str, list[Expression]] = {}
        for graph in self.evaluator.graphs:
            for name, value in graph.tables:
                found.setdefault(name, []).append(value)
        return found

    @cached_property
    def taken(self) -> frozenset[str]:
        """The functions whose address something has."""
        values = [value for listed in self._tables.values() for value in listed]
        for place in self.evaluator.places:
            values += [one.value for one in place.routine.definitions]
            values += [one for site in place.routine.sites for one in site.arguments]
        named = {one[1] for value in values for one in below(value) if one[0] == "v"}
        functions = (self.evaluator.by_name.get(name, ()) for name in named)
        return frozenset(one.routine.name for found in functions for one in found if one.routine.end) - {""}

    def _pointed(self, place: Place, what: Expression, depth: int) -> Iterator[Place]:
        """The functions that an expression may point to, by what its variables and parameters are given."""
        for name in dict.fromkeys(one[1] for one in below(what) if one[0] == "v") if depth else ():
            yield from () if name in place.routine.types else self._functions(place, name)
            for where, value in self._given(place, name):
                yield from self._pointed(where, value, depth - 1)

    def _values(self, place: Place) -> dict[str, list[Expression]]:
        """What the variables of a routine, and what they point to, are given by its definitions."""
        known = self._defined.get(id(place))
        if known is None:
            known = self._defined[id(place)] = {}
            for one in place.routine.definitions:
                known.setdefault(one.name.lstrip("*"), []).append(one.value)
        return known

    def _given(self, place: Place, name: str) -> list[tuple[Place, Expression]]:
        """What a variable of a routine is given, each value with where it is written."""
        given = [(place, value) for value in self._values(place).get(name, ())]
        given += [(place, value) for value in self._tables.get(name, ()) if name not in place.routine.types]
        if name in place.routine.parameters:
            at, calls = place.routine.parameters.index(name), self.evaluator.calls_of(place)
            given += [(caller, site.arguments[at]) for caller, site in calls or () if at < len(site.arguments)]
        return given


def _is_calculated(what: Expression) -> bool:
    """Whether an expression is a number that an operation gives; `*` and `&` with one operand are none."""
    if what[0] != "o":
        return False
    return what[1] in _CALCULATED or what[1] in ((*"-~!",) if len(what) == _UNARY else (*"-*",))
