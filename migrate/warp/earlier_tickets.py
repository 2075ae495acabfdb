"""Waits for blocks that drew an earlier number: `state[part - 1]`, where `part` came from an atomic counter.

Whoever drew a number runs already, so that such a wait ends however many blocks are launched. One for the place that a
thread drew itself, `slot[atomicAdd(tail, 1)]`, waits for somebody else to fill it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.model.warp_graph import Expression, Site
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.expressions import below, expression
from cudamigrate.warp.places import Place
from cudamigrate.warp.waiting_turns import WaitingTurns

_ELEMENTS = tree_sitter_nodes.Kinds("cuda", "subscript_expression")
_POINTED = tree_sitter_nodes.Kinds("cuda", "pointer_expression", "field_expression", "call_expression")
_CALLS = 6
Seen = set[tuple[int, Expression]]


class EarlierTickets:
    """Answers for the loops of one evaluator's routines."""

    def __init__(self, turns: WaitingTurns) -> None:
        self.turns, self.evaluator = turns, turns.evaluator

    def are_awaited(self, place: Place, loop: Node) -> bool:
        """Whether all that a loop looks at are places of earlier numbers, and it looks at any."""
        asked = _asked(loop)
        return bool(asked) and all(self._is_earlier(place, one, _CALLS, set()) for one in asked)

    def are_of_block(self, place: Place, loop: Node) -> bool:
        """Whether the numbers by which a loop finds its places are one for the block, in its shared memory.

        No lane of the wave has an earlier one, whoever drew it: the lanes do not wait for each other.
        """
        asked = _asked(loop)
        return bool(asked) and all(self._is_shared(place, one, _CALLS) for one in asked)

    def _is_shared(self, place: Place, what: Expression, depth: int) -> bool:
        """Whether a number is made from a variable in shared memory that an atomic counter gave a value."""
        if depth == 0:
            return False
        parts = list(below(what))
        spread = {part[1] for part in parts if part[0] == "i" and part[2][0] != "n"}  # a number for each thread
        for part in parts:
            name = part[1].partition("#")[0] if part[0] == "v" and part not in spread else ""
            if name in place.routine.shared and self._is_drawn(place, part):
                return True
            sources = self._values(place, part[1]) if name else self._results(place, part) if part[0] == "c" else ()
            if any(self._is_shared(at, one, depth - 1) for at, one in sources):
                return True
        return False

    def _results(self, place: Place, call: Expression) -> Iterator[tuple[Place, Expression]]:
        """What the functions that a call may mean return."""
        made = Site("call", call[1], call[2], call[3], (), 0, 0, 0)
        for one in self.evaluator.called(place, made) if call[1] else ():
            yield from ((one, each.value) for each in one.routine.definitions if each.name == "return")

    def _is_earlier(self, place: Place, what: Expression, depth: int, seen: Seen) -> bool:
        """Whether a number is less than one that was drawn, on any way that it got its value."""
        if what[0] == "i":  # the address of an element
            return any(self._is_earlier(place, one, depth, seen) for one in what[1:])
        if depth == 0 or what[0] not in ("v", "o") or (id(place), what) in seen:
            return False
        seen.add((id(place), what))
        if what[0] == "o":
            drawn = what[1] == "-" and len(what) == 4 and self._is_drawn(place, what[2])
            return drawn or any(self._is_earlier(place, one, depth, seen) for one in what[2:])
        return any(self._is_earlier(at, one, depth - 1, seen) for at, one in self._values(place, what[1]))

    def _is_drawn(self, place: Place, what: Expression) -> bool:
        """Whether a number came from an atomic counter."""
        names = (part[1] for part in below(what) if part[0] == "v")
        return any(
            self.turns.is_drawn(place, ("v", spelled), _CALLS, {})
            for name in names
            for spelled in self._spelled(place, name)
        )

    def _values(self, place: Place, name: str) -> Iterator[tuple[Place, Expression]]:
        """What a variable is given, by its routine or by those that call it."""
        routine = place.routine
        spelled = set(self._spelled(place, name))
        yield from ((place, one.value) for one in routine.definitions if one.name in spelled)
        if name in routine.parameters:
            at = routine.parameters.index(name)
            calls = self.evaluator.calls_of(place) or ()
            yield from ((one, site.arguments[at]) for one, site in calls if at < len(site.arguments))

    @staticmethod
    def _spelled(place: Place, name: str) -> Iterable[str]:
        """A variable as it is called after each assignment."""
        own = name.partition("#")[0]
        return [one for one in place.routine.types if one.partition("#")[0] == own]


def _asked(loop: Node) -> list[Expression]:
    """By what a loop finds the places that it looks at: subscripts, or else the addresses that it has.

    `state[part - 1]`; `*(state + part - 1)`, `load(state + part)`, `behind->state`.
    """
    found = [expression(one)[2] for one in _ELEMENTS.below(loop)]
    asked = [one for one in found if any(part[0] in ("v", "k") for part in below(one))]
    return asked or [expression(one) for one in _addresses(loop)]


def _addresses(loop: Node) -> Iterator[Node]:
    for one in _POINTED.below(loop):
        if one.type == "call_expression":
            given = tree_sitter_nodes.elements(one.child_by_field_name("arguments"))
            yield from (each for each in given[:1] if each.type == "binary_expression")
        elif text(one.child_by_field_name("operator")) in (b"*", b"->"):
            address = one.child_by_field_name("argument")
            yield from () if address is None else (address,)
