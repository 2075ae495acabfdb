"""Calls of function objects: lambdas, and objects of classes that have an `operator()`.

Their class comes from a declaration, from what a parameter is handed, or from the types that the repository gives a
template. Where none of that is seen, any function object of the project may be called that takes as many arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import Expression, Instance, Site
from cudamigrate.warp.expressions import below, type_name
from cudamigrate.warp.template_instances import ALIAS

if TYPE_CHECKING:
    from cudamigrate.warp.object_classes import Classes, Given
    from cudamigrate.warp.places import Place
    from cudamigrate.warp.transfer import Evaluator

CALL = "operator()"
_ANYTHING, _HOLDER = "auto", "function"
"""Declared types that say nothing of the object: `auto f`, `std::function<void(int)> f`."""


class FunctionObjects:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._bases: dict[str, tuple[str, ...]] = {}
        self._stands_for: dict[tuple[int, str], Classes] = {}
        self._given: dict[tuple[str, int], set[Instance]] = {}
        for one in evaluator.instances:
            self._given.setdefault((one.template, one.at), set()).add(one)

    def called(self, place: Place, site: Site, given: Given) -> list[Place]:
        """The routines that a call reaches which names an object of classes that are seen; none for another call."""
        what = self.object(place, site)
        if what is None:
            return []
        found = [one for name in sorted(self._known(place, what, given)) for one in self.of_class(name)]
        return [one for one in found if fits(one, site)]

    def calls_of(self, place: Place) -> Sequence[tuple[Place, Site]]:
        """The calls of all routines that reach a function object's own, where classes are seen."""
        return self._calls.get(id(place), ())

    @cached_property
    def _calls(self) -> dict[int, list[tuple[Place, Site]]]:
        """Those calls by the routine's identity: looked for once for all of them."""
        found: dict[int, list[tuple[Place, Site]]] = {}
        every = ((at, one) for at in self.evaluator.places for one in at.routine.sites if one.kind == "call")
        for at, one in every:
            for target in self.called(at, one, None):
                found.setdefault(id(target), []).append((at, one))
        return found

    def _known(self, place: Place, what: Expression, given: Given) -> Classes:
        """The classes of an object: as far as it is followed, else those that its declared type may stand for."""
        classes = self.evaluator.classes.of(place, what, given)
        if not classes.isdisjoint(self._operators) or not classes.isdisjoint(self._lambdas):
            return classes
        holders = self.evaluator.classes.of(place, what[1]) if what[0] == "m" else frozenset((place.routine.owner,))
        declared = {self.members(one).get(what[-1], "") for one in holders} if what[0] in ("v", "m") else set[str]()
        declared |= {place.type_of(what[1])} if what[0] == "v" else set()
        within = [place, *(one for holder in holders for one in self.evaluator.by_name.get(holder, ()))]
        return classes.union(*(self.types(one, type_name(kind)) for kind in declared if kind for one in within))

    def unseen(self, place: Place, site: Site, given: Given) -> Iterator[Place]:
        """The routines that a call may reach as well, as the class of its object is not seen.

        A call whose value is used reaches none that gives no value.
        """
        what = self.object(place, site)
        if what is None or what[0] != "v" or not self._is_open(place, what[1], set()):
            return
        if "?" in self.evaluator.classes.of(place, what, given):
            used = _is_used(place, site)
            found = (one for one in self._handed if not used or "return" in self.evaluator.definitions(one))
            yield from (one for one in found if fits(one, site) and self._meets(place, one))

    def object(self, place: Place, site: Site) -> Expression | None:
        """The object that a call names, None where it names a function."""
        if not site.callee:
            held = site.receiver
            return held[1] if held is not None and held[0] == "i" else held
        if site.receiver is not None:
            known = self.evaluator.classes.of(place, site.receiver)
            return ("m", site.receiver, site.callee) if any(site.callee in self.members(one) for one in known) else None
        if place.declaring(site.callee) is not None:
            return ("v", site.callee)
        return ("v", site.callee) if site.callee in self.members(place.routine.owner) else None

    def of_lambda(self, place: Place, key: int | str) -> str:
        """The class of a lambda of a routine, by where it begins or by the variable that has it; empty for none."""
        return self._of_lambdas.get((id(place), key), "")

    def types(self, place: Place, name: str) -> Classes:
        """The classes that a name of a type may stand for; empty where it is no alias and no template's parameter."""
        key = id(place), name
        if key not in self._stands_for:
            self._stands_for[key] = frozenset(self._types(place, name))
        return self._stands_for[key]

    def alias(self, name: str) -> str:
        """The one type that a name stands for; empty where it is no alias, or of several."""
        found = {one.type for one in self._given.get((name, ALIAS), ())}
        return found.pop() if len(found) == 1 else ""

    def _types(self, place: Place, name: str) -> Iterator[str]:
        waiting = [(template, kinds.index(name)) for template, kinds in self._templates(place) if name in kinds]
        waiting = waiting or [(name, ALIAS)]
        seen = set(waiting)
        while waiting:
            template, at = waiting.pop()
            for one in self._given.get((template, at), ()):
                kinds = self._parameters.get(one.within, ())
                inner = (one.within, kinds.index(one.type)) if one.type in kinds else (one.type, ALIAS)
                if inner in self._given or one.within:
                    waiting += [inner] if inner not in seen else []
                    seen.add(inner)
                else:
                    yield one.type

    def _is_open(self, place: Place, name: str, asked: set[tuple[int, str]]) -> bool:
        """Whether a variable may be any function object: of a type that is given, where nothing shows which.

        What a function of a library gives is the library's, and a pointer to a function is no object.
        """
        at = place.declaring(name)
        kind = self.members(place.routine.owner).get(name, "") if at is None else at.routine.types[name]
        at = at or place
        if (id(at), name) in asked:
            return False
        asked.add((id(at), name))
        routine, declared = at.routine, type_name(kind)
        if declared != _ANYTHING and not any(declared in kinds for _, kinds in self._templates(at)):
            return declared == _HOLDER
        if name in routine.parameters:
            index, calls = routine.parameters.index(name), self.evaluator.calls_of(at)
            given = [(one, site.arguments[index]) for one, site in calls or () if index < len(site.arguments)]
            return not given or any(what[0] == "v" and self._is_open(one, what[1], asked) for one, what in given)
        made = [one.value for one in routine.definitions if one.name == name]
        if declared == _ANYTHING or made:
            return any(value[0] == "v" and self._is_open(at, value[1], asked) for value in made)
        return not self.types(at, declared)

    def _templates(self, place: Place) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The templates around a routine, each with its parameters."""
        at: Place | None = place
        while at is not None:
            routine = at.routine
            yield routine.name, routine.kinds
            yield routine.owner, self._parameters.get(routine.owner, ())
            at = at.around

    @cached_property
    def _parameters(self) -> dict[str, tuple[str, ...]]:
        return {one.routine.name: one.routine.kinds for one in self.evaluator.places if one.routine.kinds}

    def members(self, owner: str) -> dict[str, str]:
        """The data members of a class and of what type each is declared."""
        return self._classes.get(owner, {})

    @cached_property
    def _classes(self) -> dict[str, dict[str, str]]:
        """The declared types of the members of each class."""
        found: dict[str, dict[str, str]] = {}
        for place in self.evaluator.places:
            routine = place.routine
            if routine.owner and routine.owner == routine.name and not routine.end:
                found.setdefault(routine.owner, {}).update(routine.types)
        return found

    @cached_property
    def _lambdas(self) -> dict[str, Place]:
        """Lambdas by the name of their class."""
        return {
            f"lambda {at}": one
            for at, one in enumerate(self.evaluator.places)
            if one.routine.end and (one.around is not None or not one.routine.name)
        }

    @cached_property
    def _of_lambdas(self) -> dict[tuple[int, int | str], str]:
        found: dict[tuple[int, int | str], str] = {}
        for name, place in self._lambdas.items():
            found[id(place.around), place.routine.start] = name
            if place.routine.name:
                found[id(place.around), place.routine.name] = name
        return found

    def of_class(self, name: str) -> list[Place]:
        """What is called of an object: a lambda, or `operator()` of its class or of one that it is derived from."""
        if name in self._lambdas:
            return [self._lambdas[name]]
        return next((found for owner in self.bases(name) if (found := self._operators.get(owner, []))), [])

    def bases(self, name: str) -> Sequence[str]:
        """A class and those that it is derived from, each once."""
        if name not in self._bases:
            waiting, seen = [name], dict[str, None]()
            while waiting:
                owner = waiting.pop()
                if owner not in seen and owner:
                    seen[owner] = None
                    waiting += [base for base, kind in self.members(owner).items() if base == kind]
            self._bases[name] = tuple(seen)
        return self._bases[name]

    def is_itself(self, place: Place, what: Expression) -> bool:
        """Whether an object is a variable, or a member of one, and no pointer or reference: its class is no choice."""
        if what[0] == "m":
            owner = self.evaluator.classes.one(place, what[1])
            held = (one.routine.held for one in self.evaluator.by_name.get(owner, ()) if one.routine.owner == owner)
            return bool(owner) and any(what[2] in names for names in held)
        at = place.declaring(what[1]) if what[0] == "v" else None
        return at is not None and what[1] in at.routine.held and type_name(at.routine.types[what[1]]) != _ANYTHING

    def may_be_virtual(self, found: Sequence[Place]) -> bool:
        """Whether the class of an object may choose among methods: two of their classes are derived from one."""
        bases = [set(self.bases(owner)) for owner in dict.fromkeys(one.routine.owner for one in found)]
        return any(not bases[at].isdisjoint(other) for at in range(len(bases)) for other in bases[at + 1 :])

    @cached_property
    def _operators(self) -> dict[str, list[Place]]:
        found: dict[str, list[Place]] = {}
        for one in self.evaluator.by_name.get(CALL, ()):
            found.setdefault(one.routine.owner, []).append(one)
        return found

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of routines that a call of an object may reach; that of most lambdas is empty."""
        return frozenset((CALL, *(one.routine.name for one in self._lambdas.values())))

    @cached_property
    def _handed(self) -> list[Place]:
        """What may be called where the object is not seen: any `operator()`, and lambdas that something is given."""
        lambdas = (
            one
            for one in self._lambdas.values()
            if not one.routine.name or (one.around is not None and one.routine.name in one.around.routine.handed)
        )
        return [*self.evaluator.by_name.get(CALL, ()), *lambdas]

    def _meets(self, place: Place, other: Place) -> bool:
        """Whether two routines may be compiled together."""
        together = self.evaluator.together
        paths = place.path, other.path
        return (
            together is None
            or paths[0] == paths[1]
            or any(one in together(another) for one, another in (paths, paths[::-1]))
        )


def fits(target: Place, site: Site) -> bool:
    """Whether a routine takes as many arguments as a call gives."""
    return target.routine.takes[0] <= len(site.arguments) <= target.routine.takes[1]


def _is_used(place: Place, site: Site) -> bool:
    """Whether the value of a call is assigned, returned, asked for or passed on, in the routine that makes it."""
    call = _plain(("c", site.callee, site.arguments, site.receiver))
    values = [one.value for one in place.routine.definitions]
    asked = [one.test for one in place.routine.conditions]
    passed = [given for one in place.routine.sites for given in one.arguments]
    return any(one[0] == "c" and call == _plain(one) for what in (*values, *asked, *passed) for one in below(what))


def _plain(what: Expression) -> Expression:
    """An expression with its variables as they are declared, whichever of their values is meant."""
    return tuple(
        _plain(part) if isinstance(part, tuple) else part.partition("#")[0] if isinstance(part, str) else part
        for part in what
    )
