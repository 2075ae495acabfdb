"""What a call gives a method: its arguments, and behind them the members that it reads of the object it is called of.

Of an object that is followed these are its own members, so that what another object of the class has does not count.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import Expression
from cudamigrate.warp.expressions import below
from cudamigrate.warp.facts import OPEN
from cudamigrate.warp.questions import Questions

if TYPE_CHECKING:
    from cudamigrate.warp.facts import Fact
    from cudamigrate.warp.places import Place
    from cudamigrate.warp.transfer import Evaluator

_MOST = 16
"""Members of an object that a method reads, from which on they are those of its class."""
_THIS: Expression = ("v", "this")
Facts = tuple["Fact", ...]


class MethodCalls:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._questions = Questions()

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
        return given[at + read.index(name)] if name in read else None

    def read_by(self, place: Place) -> tuple[str, ...]:
        """The members of its object that a method reads, by itself or by methods that it calls."""
        if not place.routine.owner:
            return ()
        found = self._questions.ask(id(place), frozenset[str](), lambda: self._read(place))
        return tuple(sorted(found)) if len(found) <= _MOST else ()

    def _read(self, place: Place) -> frozenset[str]:
        routine, fields = place.routine, self.evaluator.fields
        every = chain((one.value for one in routine.definitions), (one.test for one in routine.conditions))
        named = {
            one[2] if one[0] == "m" else one[1]
            for what in every
            for one in below(what)
            if (one[0] == "v" and one[1] not in routine.types) or (one[0] == "m" and one[1] == _THIS)
        }
        objects = self.evaluator.objects
        declared = {name for one in objects.bases(routine.owner) for name in objects.members(one)}
        found = {name for name in named if name in declared or fields.has(routine.owner, name)}
        for site in routine.sites:
            if site.kind == "call" and site.receiver in (None, _THIS) and site.callee:
                for one in self.evaluator.targets(place, site):
                    if one is not place and one.routine.owner in self.evaluator.objects.bases(routine.owner):
                        found |= self._questions.ask(id(one), frozenset[str](), partial(self._read, one))
        return frozenset(found)

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
