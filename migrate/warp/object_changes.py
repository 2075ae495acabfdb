"""What calls give to a member of one object: its methods, functions that it is lent to, and those its member is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import Expression, Site
from cudamigrate.warp.expressions import below

if TYPE_CHECKING:
    from cudamigrate.warp.facts import Fact
    from cudamigrate.warp.places import Place
    from cudamigrate.warp.transfer import Evaluator

Facts = tuple["Fact", ...]
_THIS: Expression = ("v", "this")


class ObjectChanges:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._going_on: dict[tuple[int, Expression], bool] = {}
        self._own_calls: dict[tuple[int, str, Facts | None, int], list[Fact] | None] = {}

    def of_variable(self, place: Place, own: str, name: str, given: Facts | None, depth: int) -> list[Fact] | None:
        """What a member of a variable is given by calls of its routine; None where one may give what is not seen."""
        routine, what = place.routine, ("v", own)
        if own in routine.taken and self._goes_on(place, what):
            return None
        found: list[Fact] = []
        for site in routine.sites:
            if site.receiver == what:
                made = self._by_method(place, site, name, given, depth)
            elif what in site.arguments:
                made = self._by_function(place, site, what, name, given, depth)
            elif ("m", what, name) in site.arguments:
                made = self._by_reference(place, site, ("m", what, name), depth)
            else:
                continue
            if made is None:
                return None
            found += made
        return found

    def by_own_calls(self, target: Place, name: str, handed: Facts | None, depth: int) -> list[Fact] | None:
        """What a constructor or a method gives a member by the methods and constructors of its bases that it calls.

        Methods that call each other ask the same again on many ways, so that answers are kept.
        """
        key = id(target), name, handed, depth
        if key not in self._own_calls:
            found: list[Fact] = []
            for site in target.routine.sites if depth > 0 else ():
                if site.kind == "call" and site.receiver in (None, _THIS) and site.callee:
                    found += self._by_method(target, site, name, handed, depth) or ()
            self._own_calls[key] = list(dict.fromkeys(found)) or None
        return self._own_calls[key]

    def _by_method(self, place: Place, site: Site, name: str, given: Facts | None, depth: int) -> list[Fact] | None:
        """By a method of the object; None for one that is not seen, or that hands the object on."""
        targets = self.evaluator.targets(place, site)
        if site.receiver in (None, _THIS):
            bases = self.evaluator.objects.bases(place.routine.owner)
            targets = [one for one in targets if one is not place and one.routine.owner in bases]
        elif not targets or depth <= 0:
            return None
        found: list[Fact] = []
        for one in targets:
            if self._hands_on(one, _THIS):
                return None
            own = self._known(one, (name, f"this.{name}"))
            found += self._facts(place, site, one, own, given, depth)
            found += self.by_own_calls(one, name, self._handed(place, site, given, depth), depth - 1) or ()
        return found

    def _by_function(
        self, place: Place, site: Site, what: Expression, name: str, given: Facts | None, depth: int
    ) -> list[Fact] | None:
        """By a function that takes the object by reference or as an address; None where that hands it on."""
        targets = self.evaluator.targets(place, site)
        is_lent = what[1] in place.routine.taken
        if not targets or depth <= 0:
            return None if is_lent else []
        found: list[Fact] = []
        for one in targets:
            routine = one.routine
            for at in (at for at, argument in enumerate(site.arguments) if argument == what):
                own = routine.parameters[at] if at < len(routine.parameters) else ""
                if not is_lent and own not in routine.references:
                    continue
                if not own or self._hands_on(one, ("v", own)):
                    return None
                found += self._facts(place, site, one, self._known(one, (f"{own}.{name}",)), given, depth)
                if self._known(one, (own, f"*{own}")):
                    return None  # the whole object is given another value
        return found

    def _by_reference(self, place: Place, site: Site, what: Expression, depth: int) -> list[Fact] | None:
        """By a function that the member itself is lent to."""
        found: list[Fact] = []
        for at in (at for at, argument in enumerate(site.arguments) if argument == what):
            if self.evaluator.references.is_taken(site, at):
                found += self.evaluator.references.stored_by(place, site, at, depth)
            elif not self.evaluator.targets(place, site):
                return None
        return found

    def _goes_on(self, place: Place, what: Expression) -> bool:
        """Whether a pointer to an object is used for more than what is assigned through it: a call may be given it."""
        routine = place.routine
        pointers = [("v", one.name) for one in routine.definitions if one.value == what]
        held = (one.value for one in routine.definitions)
        return any(one in pointers for one in held) or any(
            _mentions(site, pointer) for site in routine.sites for pointer in pointers
        )

    def _hands_on(self, target: Place, what: Expression) -> bool:
        """Whether a routine calls something of an object, or gives it whole."""
        key = id(target), what
        if key not in self._going_on:
            self._going_on[key] = any(_mentions(site, what) for site in target.routine.sites)
        return self._going_on[key]

    def _known(self, target: Place, names: tuple[str, ...]) -> list[int]:
        known = self.evaluator.definitions(target)
        return [at for name in names for at in known.get(name, ())]

    def _handed(self, place: Place, site: Site, given: Facts | None, depth: int) -> Facts:
        what = ("c", site.callee, site.arguments, site.receiver)
        return self.evaluator.padded(place, what, self.evaluator.values(place, site.arguments, given, depth))

    def _facts(
        self, place: Place, site: Site, target: Place, own: list[int], given: Facts | None, depth: int
    ) -> Iterator[Fact]:
        """What definitions of a routine give in one call of it."""
        if own:
            handed = self._handed(place, site, given, depth)
            for at in own:
                made = self.evaluator.defined(target, at, handed, depth - 1)
                yield self.evaluator.under(made, place, site.guards, given, depth)


def _mentions(site: Site, what: Expression) -> bool:
    """Whether a call is of an object, or is given it whole."""
    return site.receiver == what or any(one == what for given in site.arguments for one in below(given))
