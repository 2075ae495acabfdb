"""What a call gives a method: its arguments, and behind them the members that it reads of the object it is called of.

Of an object that is followed these are its own members, so that what another object of the class has does not count.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import Expression
from cudamigrate.warp.expressions import below
from cudamigrate.warp.facts import OPEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cudamigrate.model.warp_graph import Routine
    from cudamigrate.warp.facts import Fact
    from cudamigrate.warp.places import Place
    from cudamigrate.warp.transfer import Evaluator

_MOST = 16
"""Members of an object that a method reads, from which on they are those of its class."""
_MOST_METHODS = 64
"""Methods that one calls, and those call, from which on what they read is their class's."""
_THIS: Expression = ("v", "this")
Facts = tuple["Fact", ...]


class MethodCalls:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._read: dict[int, tuple[str, ...]] = {}
        self._own: dict[int, tuple[frozenset[str], tuple[Place, ...]]] = {}

    def given(
        self, place: Place, what: Expression, target: Place, facts: Facts, given: Facts | None, depth: int
    ) -> Facts:
        """The arguments of a call, `facts`, with the members of the object where these are seen."""
        members = self._members(place, what[3], target, given, depth)
        if members is None:
            return facts
        routine, known = target.routine, facts[: len(target.routine.parameters)]
        own = routine.defaults[len(known) - len(routine.parameters) :] if len(known) < len(routine.parameters) else ()
        missing = [self.evaluator.value(target, one, None, depth - 1) for one in own]
        missing += [OPEN] * (len(routine.parameters) - len(known) - len(missing))
        return (*known, *missing, *members)

    def member(self, place: Place, name: str, given: Facts | None) -> Fact | None:
        """What a member is that a method is called with; None where that is the class's."""
        at = len(place.routine.parameters)
        if given is None or len(given) <= at:
            return None
        read = self.read_by(place)
        if len(given) != at + len(read):  # asked while it was still worked out what the method reads
            return None
        return given[at + read.index(name)] if name in read else None

    def read_by(self, place: Place) -> tuple[str, ...]:
        """The members of its object that a method reads, by itself or by methods that it calls."""
        if not place.routine.owner:
            return ()
        found = self._read.get(id(place))
        if found is None:
            self._read[id(place)] = ()  # what its calls are may ask for it again
            found = self._read[id(place)] = self._read_through(place)
        return found

    def _read_through(self, place: Place) -> tuple[str, ...]:
        found, seen, waiting = set[str](), {id(place)}, [place]
        while waiting:
            read, called = self._once(waiting.pop())
            found |= read
            new = [one for one in called if id(one) not in seen]
            seen.update(map(id, new))
            waiting += new
            if len(found) > _MOST or len(seen) > _MOST_METHODS:
                return ()
        return tuple(sorted(found))

    def _once(self, place: Place) -> tuple[frozenset[str], tuple[Place, ...]]:
        """The members that a method reads by itself, and the methods of its object that it calls."""
        made = self._own.get(id(place))
        if made is None:
            made = self._own[id(place)] = (self._read_itself(place.routine), tuple(self._called(place)))
        return made

    def _read_itself(self, routine: Routine) -> frozenset[str]:
        every = chain((one.value for one in routine.definitions), (one.test for one in routine.conditions))
        named = {
            one[2] if one[0] == "m" else one[1]
            for what in every
            for one in below(what)
            if (one[0] == "v" and one[1] not in routine.types) or (one[0] == "m" and one[1] == _THIS)
        }
        objects, fields = self.evaluator.objects, self.evaluator.fields
        declared = {name for one in objects.bases(routine.owner) for name in objects.members(one)}
        return frozenset(name for name in named if name in declared or fields.has(routine.owner, name))

    def _called(self, place: Place) -> Iterator[Place]:
        for site in place.routine.sites:
            if site.kind == "call" and site.receiver in (None, _THIS) and site.callee:
                for one in self.evaluator.targets(place, site):
                    if one.routine.owner in self.evaluator.objects.bases(place.routine.owner):
                        yield one

    def _members(
        self, place: Place, receiver: Expression | None, target: Place, given: Facts | None, depth: int
    ) -> list[Fact] | None:
        """The members that a method reads, of the object that it is called of; None where no member is followed."""
        owner, evaluator = target.routine.owner, self.evaluator
        names = self.read_by(target) if owner and depth > 0 and owner != target.routine.name else ()
        if not names:
            return None
        if receiver in (None, _THIS):
            own = [self.member(place, name, given) for name in names]
        elif receiver is not None and receiver[0] == "i":  # an element is that of the thread if its number is
            own = [evaluator.value(place, ("m", receiver, name), given, depth - 1) for name in names]
        else:
            own = [evaluator.of_object(place, ("m", receiver, name), given, depth - 1) for name in names]
        if all(one is None for one in own):
            return None
        return [
            evaluator.of_class(owner, name, depth - 1) if one is None else one
            for name, one in zip(names, own, strict=True)
        ]
