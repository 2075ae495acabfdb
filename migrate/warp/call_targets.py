"""Which routines a call may reach, and which calls reach a routine: by name, arguments, classes and includes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from math import gcd
from typing import TYPE_CHECKING

from cudamigrate.analysis.constant_values import KEEPING_FUNCTIONS, NUMBER_FUNCTIONS
from cudamigrate.model.warp_graph import Block, Definition, Expression, FileGraph, Shape, Site
from cudamigrate.warp import named_scopes, sources
from cudamigrate.warp.expressions import below, is_number, type_name
from cudamigrate.warp.facts import computed
from cudamigrate.warp.function_objects import FunctionObjects, fits
from cudamigrate.warp.object_classes import ANY, Given, ObjectClasses, is_of_library
from cudamigrate.warp.places import Place

if TYPE_CHECKING:
    from cudamigrate.warp.class_fields import ClassFields
    from cudamigrate.warp.macro_routines import MacroValues

_OF_CUDA = frozenset(name.decode() for name in KEEPING_FUNCTIONS | NUMBER_FUNCTIONS)
"""Functions of CUDA's that every file has: one of the name in another file is for other types."""
_ROW = _WARP = 32
_UNSEEN: Shape = (0, 0, 3)
_PAIRS = 20_000
"""Calls by one name times routines of the name, from which on nobody looks which call reaches which routine."""


class CallTargets:
    """What an evaluator answers about calls; it has the tables of routines and calls by name."""

    __slots__ = ()
    graphs: Collection[FileGraph]
    launches: frozenset[str]
    together: Callable[[str], frozenset[str]] | None
    by_name: dict[str, list[Place]]
    callers: dict[str, list[tuple[Place, Site]]]
    taking: dict[tuple[str, str, int, bool], list[Place]]
    classes: ObjectClasses
    objects: FunctionObjects
    macros: MacroValues
    fields: ClassFields
    blocks: dict[str, set[Shape]]
    constants: dict[str, set[int]]

    def let_go(self) -> None:
        """Forget what refers to this in turn: the graphs, and all that was found out, go with the last who asks."""
        for name in (
            "objects",
            "classes",
            "members",
            "references",
            "macros",
            "fields",
            "operators",
            "methods",
            "terms",
        ):
            delattr(self, name)

    def constant(self, name: str) -> int | None:
        """What a constant is that all files give the same number."""
        known = self.constants.get(name, set())
        return next(iter(known)) if len(known) == 1 else None

    def is_enumeration(self, name: str) -> bool:
        """Whether a name is that of a type of numbers with names."""
        first: frozenset[str] = frozenset()
        return name in self.classes.questions.ask(
            "enumerations", first, lambda: first.union(*(one.enumerations for one in self.graphs))
        )

    def number(self, what: Expression) -> int:
        """What constants of the repository make of an expression; 0 where that is not seen."""
        if what[0] == "n":
            return int(what[1])
        if what[0] == "o" and len(what) == 4:
            left, right = self.number(what[2]), self.number(what[3])
            return (computed(what[1], left, right) or 0) if left and right else 0
        if what[0] == "m" and what[1][0] == "v":
            return self.constant(f"{what[1][1]}.{what[2]}") or 0
        return (self.constant(what[1]) or 0) if what[0] == "v" else 0

    def launched(self, block: Block) -> Shape:
        """The shape of the blocks of a launch."""
        width, height = block.width, block.height
        if block.maker:
            taken = {at for one in self.graphs for name, at in one.makers if name == block.maker}
            at = taken.pop() if len(taken) == 1 else len(block.given)
            width, height = block.given[at] if at < len(block.given) else (("n", 0), ("n", 0))
        threads = self.number(width)
        is_seen = threads or block.dimensions < _UNSEEN[2]  # what is no number may be a block of any shape
        return threads, self.number(height) if is_seen else 0, block.dimensions

    def threads_alike(self, place: Place) -> tuple[int, int]:
        """How many threads in a row share `threadIdx.y`, and how many `.z`, in all blocks that run a routine.

        A row of a block that is not seen is taken for some number of warps.
        """
        shapes = self.shapes(place) or {_UNSEEN}
        rows = [width or _ROW for width, _, _ in shapes]
        return gcd(*rows), gcd(*(width * height or _ROW for width, height, _ in shapes))

    def dimensions(self, place: Place) -> int:
        """How many dimensions the blocks have at most that run a routine: behind these, all are seen to be 1."""
        return max(dimensions for _, _, dimensions in self.shapes(place) or {_UNSEEN})

    def has_rows(self, place: Place) -> bool:
        """Whether a block that runs a routine is seen to have more than one row of threads."""
        return any(height > 1 for _, height, _ in self.shapes(place))

    def has_planes(self, place: Place) -> bool:
        """Whether a block that runs a routine is seen to have rows, and not seen to have no more than one plane."""
        return any(height and dimensions == _UNSEEN[2] for _, height, dimensions in self.shapes(place))

    def is_of_one_warp(self, place: Place) -> bool:
        """Whether all blocks that run a routine are seen to have no more threads than a warp of 32.

        What warps tell apart is the same in such a block. How many planes it has is not seen: none may ask for its own.
        """
        shapes = self.shapes(place)
        if not shapes or not all(0 < width * height <= _WARP for width, height, _ in shapes):
            return False
        return "thread.z" not in self._asked(place)

    def _asked(self, place: Place) -> frozenset[str]:
        """The values of the language that a routine asks for: looked for once, for all its conditions."""
        routine, first = place.routine, frozenset[str]()
        asked = (one for many in (routine.definitions, routine.conditions) for one in many)
        whats = (one.value if isinstance(one, Definition) else one.test for one in asked)
        found = (one[1] for what in whats for one in below(what) if one[0] == "k")
        return self.classes.questions.ask((id(place), "asked"), first, lambda: frozenset(found))

    def has_rows_of_waves(self, place: Place) -> bool:
        """Whether threads of a wave have the same `threadIdx.y`, in all blocks that are seen to run a routine.

        A block that is not seen is taken for a row, unless the routine asks for the number of one.
        """
        is_row = self._asked(place).isdisjoint(("thread.y", "thread.z"))
        shapes = self.shapes(place) or {_UNSEEN}
        return all(
            width % (2 * _WARP) == 0 if width and height != 1 else height == 1 or is_row for width, height, _ in shapes
        )

    def shapes(self, place: Place) -> set[Shape]:
        """The blocks of the launches that are seen to run a routine, with 0 for what is not seen of one."""
        if place.routine.kernel:
            return self.blocks.get(place.routine.name, {_UNSEEN})
        return self.classes.questions.ask((id(place), "blocks"), set[Shape](), lambda: self._run_by(place))

    def _run_by(self, place: Place) -> set[Shape]:
        if place.around is not None:
            return self.shapes(place.around)
        callers = [caller for caller, _ in self.calls_of(place) or ()]
        return set[Shape]().union(*map(self.shapes, callers)) if callers else {_UNSEEN}

    def template_numbers(self, place: Place, name: str) -> frozenset[int]:
        """The numbers that launches give a parameter of a kernel's template; empty where one is not seen."""
        routine, first = place.routine, frozenset[int]()
        if not routine.kernel or name not in routine.kinds:
            return first
        key = (id(place), name, "template")
        return self.classes.questions.ask(
            key, first, lambda: self._launched_with(routine.name, routine.kinds.index(name))
        )

    def _launched_with(self, kernel: str, at: int) -> frozenset[int]:
        every = (one for graph in self.graphs for one in graph.blocks if one.kernel == kernel)
        found = frozenset(one.constants[at] if at < len(one.constants) else 0 for one in every)
        return frozenset() if 0 in found or len(self.by_name.get(kernel, ())) > 1 else found

    def called(self, place: Place, site: Site, given: Given = None) -> list[Place]:
        """The routines that a call may reach: a lambda of the routine itself before others of that name.

        A kernel is launched and never called, and what an object is asked for is a member of a class. Who makes an
        object comes by its destructor too.
        """
        found, ends = self._reached(place, site, given), self.classes.ending.get(site.callee, ())
        return [*found, *self.near(list(ends), place)] if ends and site.receiver is None else found

    def _reached(self, place: Place, site: Site, given: Given) -> list[Place]:
        if objects := self.objects.called(place, site, given):
            return objects
        member = site.receiver is not None
        found = [one for one in self._taking(site, member) if self.macros.is_seen(place, one)]
        if not found:
            return found
        if len(found) > 1:
            found = self._overloads([one for one in found if self._takes(one, place, site, given)], place, site)
        owners = self.classes.of(place, site.receiver, given) - {ANY} if site.receiver is not None else frozenset()
        if owners:
            mine = self._of_classes(found, owners)
            arrow = ("c", "operator->", (), site.receiver)
            mine = mine or self._of_classes(found, self.classes.of(place, arrow, given) - {ANY})
            found = self.near(mine, place) if mine else [] if all(map(is_of_library, owners)) else found
        elif site.receiver is not None and self.classes.is_of_library_alone(place, site.receiver):
            return []
        inner = [one for one in found if one.around is place]
        same = [one for one in found if one.path == place.path]
        elsewhere = self.near(found, place) if site.receiver is not None or site.callee not in _OF_CUDA else []
        return inner or same or ([] if self._is_library_s(elsewhere, place, site, given) else elsewhere)

    def _taking(self, site: Site, member: bool) -> list[Place]:
        """The routines of the name that a call has which take as many arguments; none is launched."""
        key = site.callee, site.scope, len(site.arguments), member
        known = self.taking.get(key)
        if known is None:
            named = named_scopes.within(self.by_name.get(site.callee, []), site.scope)
            may = (one for one in named if fits(one, site) and not one.routine.kernel)
            known = self.taking[key] = [one for one in may if one.routine.owner or not member]
        return known

    def _of_classes(self, found: list[Place], owners: Collection[str]) -> list[Place]:
        """Of routines of a name those of classes: their own, else what the nearest has that each is derived from."""
        own = {one.routine.owner for one in found}
        nearest = {next((base for base in self.objects.bases(owner) if base in own), "") for owner in owners} - {""}
        return [one for one in found if one.routine.owner in nearest]

    def near(self, found: list[Place], place: Place) -> list[Place]:
        """Of functions of a name in other files, those of files that are compiled with this one, if there are any."""
        together = self.together
        if together is None or len({one.path for one in found}) < 2:
            return found
        seen = together(place.path)
        return [one for one in found if one.path in seen or place.path in together(one.path)] or found

    def _is_library_s(self, found: list[Place], place: Place, site: Site, given: Given) -> bool:
        """Whether a call is of a library's function: it gives a group of threads, and no file near defines the name."""
        if site.callee not in sources.exchanges("functions") or site.receiver is not None or not site.arguments:
            return False
        if self.together is None or any(one.path in self.together(place.path) for one in found):
            return False
        return any(map(is_of_library, self.classes.of(place, site.arguments[0], given)))

    def is_launched(self, place: Place) -> bool:
        """Whether a routine is only ever launched: a function of no class whose name is, and that nobody calls."""
        routine = place.routine
        called = any(site.receiver is None for _, site in self.callers.get(routine.name, ()))
        return routine.name in self.launches and not routine.owner and routine.returns == "void" and not called

    def _takes(self, target: Place, place: Place, site: Site, given: Given) -> bool:
        """Whether what a routine declares to be a group of threads may be what a call gives it: a tile is no block."""
        routine = target.routine
        for name, one in zip(routine.parameters, site.arguments, strict=False):
            kind = sources.groups().get(type_name(routine.types[name]))
            if kind is not None:
                handed = self.classes.of(place, one, given)
                if ANY not in handed and kind not in {sources.groups().get(each) for each in handed}:
                    return False
        return True

    def _overloads(self, found: list[Place], place: Place, site: Site) -> list[Place]:
        """Of overloads those that declare no class where a call gives a number, if there are any.

        An object is made of a number only where no overload takes one. Members of two classes are no overloads.
        """
        if len({one.routine.owner for one in found}) != 1:
            return found
        for at, what in enumerate(site.arguments):
            if what[0] == "n" or (what[0] == "v" and is_number(place.type_of(what[1]))):
                found = [one for one in found if _declared(one, at) not in self.classes.known] or found
        return found

    def calls_of(self, place: Place) -> list[tuple[Place, Site]] | None:
        """The calls that may reach a routine; None where so many call and define its name that it tells nothing."""
        name = place.routine.name if place.around is None or place.routine.name else ""
        made = [one for one, ends in self.classes.ending.items() if place in ends] if name.startswith("~") else [name]
        calls = [call for one in made for call in self.callers.get(one, ())]
        calls += self.fields.made_by_braces(name) if name == place.routine.owner else []
        if len(calls) * len(self.by_name.get(name, ())) > _PAIRS:
            return None
        first: list[tuple[Place, Site]] = []
        return self.classes.questions.ask(
            (id(place), "calls"), first, lambda: [one for one in calls if place in self.targets(*one)]
        )

    def called_in(self, place: Place, what: Expression) -> list[Place]:
        """What a call in an expression may reach, looked for once for all facts that it is given."""
        _, callee, arguments, receiver = what
        first: list[Place] = []
        site = Site("call", callee, arguments, receiver, (), 0, 0, 0)
        key = (id(place), callee, arguments, receiver, "called")
        reach = self.called if callee else self.objects.called  # `[] { ... }()`, `Object()()` name no function
        return self.classes.questions.ask(key, first, lambda: reach(place, site, None))

    def targets(self, place: Place, site: Site) -> list[Place]:
        """What a call may reach, looked for once: all routines of the name ask."""
        first: list[Place] = []
        return self.classes.questions.ask((id(place), id(site), "called"), first, lambda: self.called(place, site))


def _declared(target: Place, at: int) -> str:
    """The name of the type that a routine declares a parameter as; empty for one that it does not name."""
    routine = target.routine
    return type_name(routine.types.get(routine.parameters[at], "")) if at < len(routine.parameters) else ""
