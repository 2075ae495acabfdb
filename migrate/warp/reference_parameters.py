"""Parameters that are references: one place in memory for all threads, or what a function gives back to its caller."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import AGAIN, Expression, Site
from cudamigrate.warp.barrier_order import ONCE
from cudamigrate.warp.expressions import below
from cudamigrate.warp.facts import operate
from cudamigrate.warp.placed_objects import PLACED
from cudamigrate.warp.questions import Questions
from cudamigrate.warp.sources import barriers

if TYPE_CHECKING:
    from cudamigrate.warp.facts import Fact
    from cudamigrate.warp.places import Place
    from cudamigrate.warp.transfer import Evaluator

_AT_ADDRESS = ("cast", PLACED, "+")
"""What leads to the same memory: a cast, an object that is made there, a step on."""
_FIRST: Expression = ("n", 0)


def _has_barrier(place: Place, site: Site) -> bool:
    """Whether whoever comes by a call comes by a barrier of the same routine too, in every turn of its loops."""
    loops = [one for one in place.routine.loops if one.start <= site.start < one.end]
    return any(
        one.callee in barriers()
        and one.receiver is None
        and set(one.guards) == set(site.guards)
        and all(loop.start <= one.start < loop.end for loop in loops)
        for one in place.routine.sites
    )


class ReferenceParameters:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._questions = Questions()
        self._given: dict[int, dict[str, list[tuple[Site, int]]]] = {}
        self._changing: dict[int, frozenset[str]] = {}

    def is_one_place(self, place: Place, name: str) -> bool:
        """Whether a parameter is a place in shared memory, whoever calls, and barriers order what is done with it."""
        own = name.partition("#")[0] if name.endswith(AGAIN) else name
        if f"{own}{ONCE}" not in place.routine.apart:
            return False
        return self._questions.ask((id(place), own), first=True, work=lambda: self._all_share(place, own))

    def _all_share(self, place: Place, name: str) -> bool:
        calls, at = self.evaluator.calls_of(place), place.routine.parameters.index(name)
        once = name not in place.routine.apart
        return bool(calls) and all(
            at < len(site.arguments)
            and self._is_shared(caller, site.arguments[at])
            and not (once and not _has_barrier(caller, site))
            for caller, site in calls or ()
        )

    def _is_shared(self, place: Place, what: Expression) -> bool:
        """Whether an expression is a place in shared memory, and for all threads the same one."""
        if what[0] == "i" and what[2][0] == "n":
            return what[1][0] == "v" and what[1][1] in place.routine.shared
        if what[0] != "v":
            return what[0] == "m" and self._is_shared(place, what[1])
        return what[1] in place.routine.shared or self.is_one_place(place, what[1])

    def is_shared_object(self, place: Place, name: str) -> bool:
        """Whether a pointer is the address of one object in shared memory, for all threads the same one."""
        at = place.declaring(name)
        if at is None or name in at.routine.taken:
            return False
        return self._questions.ask((id(at), name, "*"), first=True, work=lambda: self._all_point(at, name))

    def _all_point(self, place: Place, name: str) -> bool:
        routine = place.routine
        values = [(place, routine.definitions[at].value) for at in self.evaluator.definitions(place).get(name, ())]
        if name in routine.parameters:
            at, calls = routine.parameters.index(name), self._run_calls(place)
            if routine.kernel or not calls or any(at >= len(site.arguments) for _, site in calls):
                return False
            values += [(caller, site.arguments[at]) for caller, site in calls]
        return bool(values) and all(self._is_address(*one) for one in values)

    def _run_calls(self, place: Place) -> list[tuple[Place, Site]]:
        """The calls of a routine, but for those in functions that nobody calls, where others are seen."""
        every = self.evaluator.calls_of(place) or []
        return [one for one in every if self._is_run(one[0].outermost)] or every

    def _is_run(self, place: Place) -> bool:
        routine = place.routine
        if routine.kernel or routine.is_macro or self.evaluator.is_launched(place):
            return True
        calls = self.evaluator.calls_of(place)
        return calls is None or bool(calls)

    def _is_address(self, place: Place, what: Expression) -> bool:
        """Whether an expression is the address of shared memory: as it is declared, made there, or a part of it."""
        while self._keeps_address(place, what):
            what = what[2] if what[0] == "o" else what[1]
        if what[0] == "m":
            return self.evaluator.objects.is_itself(place, what) and self._is_address(place, what[1])
        if what[0] != "v":
            return False
        at = place.declaring(what[1])
        return at is not None and (what[1] in at.routine.shared or self.is_shared_object(at, what[1]))

    def _keeps_address(self, place: Place, what: Expression) -> bool:
        """Whether an operation leads to the same object or array: a cast, or a step by what is the same for all."""
        if what[0] == "i":
            return bool(what[2] == _FIRST)
        if what[0] != "o" or len(what) < 3 or (what[1] == "+" and not self._is_constant(place, what[-1])):
            return False
        return what[1] in _AT_ADDRESS

    def _is_constant(self, place: Place, what: Expression) -> bool:
        """Whether an expression is made of numbers and constants: no variable of a routine or member of an object."""
        named = [one[1] for one in below(what) if one[0] == "v"]
        owner = place.routine.owner
        own = any(
            place.declaring(one) is not None or (owner and self.evaluator.fields.has(owner, one)) for one in named
        )
        return not own and all(one[0] in "nrvo" for one in below(what))

    def given_back(self, place: Place, name: str, given: tuple[Fact, ...] | None, depth: int) -> Iterator[Fact]:
        """What functions store in a variable of a routine that they take by reference, or as an address.

        A function that is not seen may store anything that depends on its other arguments.
        """
        for site, at in self._passed(place).get(name, ()) if name in place.routine.handed else ():
            targets = self.evaluator.targets(place, site)
            for target in targets:
                yield from self._stored(place, site, target, at, given, depth)
            if not targets and name in place.routine.taken:
                others = (*site.arguments[:at], *site.arguments[at + 1 :])
                made = operate("?", list(self.evaluator.values(place, others, given, depth)))
                yield self.evaluator.under(made, place, site.guards, given, depth)

    def may_change(self, place: Place, name: str) -> bool:
        """Whether a call that a routine's variable is given to may store in it: one by reference, or one not seen."""
        if id(place) not in self._changing:
            known = self.evaluator.by_name
            self._changing[id(place)] = place.routine.handed & {
                one[1]
                for site in place.routine.sites
                for unseen in [all(each.routine.is_macro for each in known.get(site.callee, ()))]
                for at, one in enumerate(site.arguments)
                if one[0] == "v" and (unseen or (site.callee, at) in self._taking)
            }
        return name in self._changing[id(place)]

    def is_taken(self, site: Site, at: int) -> bool:
        """Whether a routine of the name that is called stores through the parameter that an argument goes to."""
        return (site.callee, at) in self._taking

    def stored_by(self, place: Place, site: Site, at: int, depth: int) -> list[Fact]:
        """What a call makes routines store in an argument, a member, that they take by reference or as an address."""
        targets = self.evaluator.targets(place, site)
        return [fact for one in targets for fact in self._stored(place, site, one, at, None, depth)]

    def _passed(self, place: Place) -> dict[str, list[tuple[Site, int]]]:
        """The calls that a routine's variables are given to, where a routine of the name takes a reference there."""
        if id(place) not in self._given:
            found: dict[str, list[tuple[Site, int]]] = {}
            routine, known = place.routine, self.evaluator.by_name
            for site in routine.sites:
                unseen = site.callee not in known
                for at, one in enumerate(site.arguments):
                    if one[0] == "v" and ((unseen and one[1] in routine.taken) or (site.callee, at) in self._taking):
                        found.setdefault(one[1], []).append((site, at))
            self._given[id(place)] = found
        return self._given[id(place)]

    @cached_property
    def _taking(self) -> frozenset[tuple[str, int]]:
        """The names of routines that store through references and pointers, with the numbers of the parameters."""
        return frozenset(
            (one.routine.name, at)
            for one in self.evaluator.places
            for at, name in enumerate(one.routine.parameters)
            if name in one.routine.references or f"*{name}" in self.evaluator.definitions(one)
        )

    def _stored(
        self, place: Place, site: Site, target: Place, at: int, given: tuple[Fact, ...] | None, depth: int
    ) -> list[Fact]:
        """What a call makes a routine store through a reference or a pointer, its parameter number `at`."""
        evaluator = self.evaluator
        name = target.routine.parameters[at] if at < len(target.routine.parameters) else ""
        argument = site.arguments[at]
        by_reference, given_value = (
            name in target.routine.references,
            argument[0] != "v" or argument[1] in place.routine.held,
        )
        known = evaluator.definitions(target) if depth > 0 else {}
        found = known.get(name, ()) if by_reference else known.get(f"*{name}", ()) if given_value else ()
        if not found:
            return []
        what = ("c", site.callee, site.arguments, site.receiver)
        handed = evaluator.padded(place, what, evaluator.values(place, site.arguments, given, depth))
        made = [evaluator.defined(target, one, handed, depth - 1) for one in found]
        return [evaluator.under(one, place, site.guards, given, depth) for one in made]
