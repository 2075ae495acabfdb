"""A routine of the graph while it is read."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.model.warp_graph import AGAIN, Condition, Definition, Expression, Loop, Routine, Site
from cudamigrate.warp import named_scopes, template_instances
from cudamigrate.warp.barrier_order import ONCE, Mentions, Spot, are_apart, names
from cudamigrate.warp.branch_regions import Spans
from cudamigrate.warp.declarators import (
    is_lent,
    is_read_only,
    is_reference,
    is_value,
    owner_and_name,
    parameters,
    plain,
    template_numbers,
)
from cudamigrate.warp.expressions import expression, word
from cudamigrate.warp.macro_routines import Macro
from cudamigrate.warp.sources import barriers

_ANY_NUMBER = 1 << 16


class _Ends:
    """The conditions that end a loop or cut its turns short, in order, each with the place behind which it does.

    What a loop asks from `tail` on, at the end of a turn, every turn comes to that does not end the loop.
    """

    def __init__(self, exits: Mapping[int, int], tail: int) -> None:
        self._tail, self._leaving = tail, sorted(end for end, after in exits.items() if after < 0)
        self._ends, self._after = sorted(exits), [exits[end] for end in sorted(exits)]
        self._in_order = all(one <= other for one, other in pairwise(self._after))

    def before(self, place: int) -> Sequence[int]:
        """Those that decide whether a turn comes to a place: found at once where they follow the text."""
        if 0 <= self._tail <= place:
            return self._leaving
        if self._in_order:
            return self._ends[: bisect_left(self._after, place)]
        return [end for end, after in zip(self._ends, self._after, strict=True) if place > after]


class Draft:
    """A routine while it is read.

    `exits` gives for each loop the conditions that end it, or cut its turns short behind a place of the text, `tails`
    where one asks at the end of a turn, -1 for others; `outer` has of each outermost loop its number, its bytes and
    its own condition, -1 for none. `asked` has where each condition is, with the conditions and loops around it,
    `returned` where the routine is left. `jumped` are the conditions whose jumps part two ways, with what either of
    them runs alone.
    """

    def __init__(self, name: str, owner: str, kernel: bool, parent: int, line: int) -> None:
        self.name, self.owner, self.kernel, self.parent, self.line = name, owner, kernel, parent, line
        self.parameters: list[str] = []
        self.types: dict[str, str] = {}
        self.shared: set[str] = set()
        self.taken: set[str] = set()
        self.handed: set[str] = set()
        self.read_only: set[str] = set()
        self.aliases: set[str] = set()
        self.templates: frozenset[str] = frozenset()
        self.returns = ""
        self.held: set[str] = set()
        self.span = (0, 0)
        self.conditions: list[Condition] = []
        self.definitions: list[tuple[Definition, tuple[int, ...], int]] = []
        self.sites: list[tuple[Site, tuple[int, ...]]] = []
        self.exits: list[dict[int, int]] = []
        self.tails: list[int] = []
        self._ended: list[_Ends] = []
        self.outer: list[tuple[int, int, int, int]] = []
        self.references: set[str] = set()
        self.lent: set[str] = set()
        self.required, self.is_variadic = 0, False
        self.kinds: tuple[str, ...] = ()
        self.is_macro = False
        self.asked: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = []
        self.returned: list[int] = []
        self.turns: list[tuple[int, int]] = []
        self.tiles: dict[str, int] = {}
        self.jumped: list[tuple[int, Spans]] = []
        self.defaults: list[Expression] = []
        self.statics: set[str] = set()
        self.within: frozenset[str] = frozenset()

    @classmethod
    def of(cls, root: Node, node: Node, parent: int, name: str, line: int) -> Draft:
        """The draft of a function or lambda before its body is read; `name` is that of the variable it is given to.

        `root` is that of its tree.
        """
        declarator = node.child_by_field_name("declarator")
        head = b"" if declarator is None else text(declarator).partition(b"(")[0]
        owner, own = owner_and_name(root, node, head)
        before = text(node)[: max(0, (declarator.start_byte if declarator is not None else 0) - node.start_byte)]
        draft = cls(name or own, owner, b"__global__" in before, parent, line)
        draft.span = node.start_byte, node.end_byte
        draft.templates, draft.kinds = frozenset(template_numbers(root, node)), template_instances.of(node)
        draft.returns, draft.within = word(node.child_by_field_name("type")), named_scopes.around(root, node)
        for parameter in parameters(declarator):
            draft.takes(parameter)
        return draft

    def takes(self, parameter: Node) -> None:
        """Add a parameter as it is declared."""
        inner = parameter.child_by_field_name("declarator")
        spelled = plain(inner) if inner is not None else ""
        self.parameters.append(spelled)
        self.required += parameter.type == "parameter_declaration"
        self.is_variadic |= parameter.type == "variadic_parameter_declaration"
        if (value := parameter.child_by_field_name("default_value")) is not None:
            self.defaults.append(expression(value))
        self.types[spelled] = text(parameter.child_by_field_name("type")).decode("latin-1")
        self.held |= {spelled} if is_value(inner) else set()
        self.references |= {spelled} if is_reference(parameter) else set()
        self.lent |= {spelled} if is_lent(parameter) else set()
        self.read_only |= {spelled} if is_read_only(parameter) else set()

    def becomes(self, macro: Macro) -> None:
        """Take the routine for a macro: it may change what it is given, and is worth the expression that it is."""
        self.is_macro, self.span = True, (macro.start, macro.end)
        self.parameters, self.required = list(macro.parameters), len(macro.parameters)
        self.types |= dict.fromkeys(macro.parameters, "")
        self.references, self.is_variadic = set(macro.parameters), macro.is_variadic
        if macro.value is not None:
            self.definitions.append((Definition("return", macro.value, (), self.line), (), macro.start))

    def enters(self, start: int, end: int, around: tuple[int, ...], test: tuple[int, ...], tail: int = -1) -> int:
        """The number of a loop that begins, in the loops `around` and with its own condition if it has one.

        `tail` is where it asks that at the end of each turn.
        """
        self.exits.append({})
        self.tails.append(tail)
        self.turns.append((start, end))
        number = len(self.exits) - 1
        if not around:
            self.outer.append((number, start, end, test[0] if test else -1))
        return number

    def leaves(self, loop: int, decides: set[int], after: int) -> None:
        """Conditions decide whether a turn of a loop goes on behind a place of the text, or the loop at all (-1)."""
        for one in decides:
            self.exits[loop][one] = min(after, self.exits[loop].get(one, after))

    def made(self) -> Routine:
        """The routine, with the ends of loops among the conditions of what is in them."""
        self._ended = [_Ends(exits, tail) for exits, tail in zip(self.exits, self.tails, strict=True)]
        return Routine(
            self.name,
            self.owner,
            self.kernel,
            tuple(self.parameters),
            self.types,
            frozenset(self.shared),
            tuple(self.conditions),
            tuple(one._replace(guards=self._around(one.guards, loops, at)) for one, loops, at in self.definitions),
            tuple(
                one._replace(guards=self._parted(one, self._around(one.guards, loops, one.start)))
                for one, loops in self.sites
            ),
            self.parent,
            self.line,
            frozenset(self.taken),
            frozenset(self.handed),
            frozenset(self.read_only),
            frozenset(self.aliases),
            self.templates,
            self.returns,
            frozenset(self.held),
            *self.span,
            tuple(Loop(start, end, self._ends(loop, test)) for loop, start, end, test in self.outer),
            frozenset(self.references),
            frozenset(found for one in self.references for found in self._apart(one)),
            (self.required, _ANY_NUMBER if self.is_variadic else len(self.parameters)),
            self.kinds,
            self.is_macro,
            tuple(self.turns),
            tuple(self.tiles.items()),
            tuple(self.defaults),
            frozenset(self.statics),
            tuple(tuple(sorted(one for one, after in ends.items() if after < 0)) for ends in self.exits),
            self.within,
        )

    def _parted(self, site: Site, guards: tuple[int, ...]) -> tuple[int, ...]:
        """The conditions around a site, with those whose jumps part the threads that come there from others."""
        ways = (number for number, spans in self.jumped if any(start <= site.start < end for start, end in spans))
        return tuple(dict.fromkeys([*guards, *ways])) if self.jumped else guards

    def _apart(self, name: str) -> Iterator[str]:
        """A reference of which barriers keep reads and writes apart: within a call, and from call to call."""
        again = any(one.startswith(f"{name}#") and not one.endswith(AGAIN) for one in self.types)
        mentions = self._mentions(name)
        if not again and are_apart(mentions, None):
            yield f"{name}{ONCE}"
            if are_apart(mentions, self.returned):
                yield name

    def _mentions(self, name: str) -> Mentions:
        """Where a variable is read and written, and the barriers of the routine."""
        found = Mentions([], [], [])
        for condition, (at, guards, loops) in zip(self.conditions, self.asked, strict=True):
            if names(condition.test, name):
                found.reads.append(Spot(at, frozenset(guards), frozenset(loops)))
        for one, loops, at in self.definitions:
            spot = Spot(at, frozenset(one.guards), frozenset(loops))
            own = one.name.partition(".")[0].partition("#")[0]
            if own == name:
                found.writes.append(spot)
            if own != name and names(one.value, name):
                found.reads.append(spot)
        for site, loops in self.sites:
            spot = Spot(site.start, frozenset(site.guards), frozenset(loops))
            if site.callee in barriers() and site.receiver is None:
                found.barriers.append(spot)
            if ("v", name) in site.arguments:
                found.writes.append(spot)
            if names(site.arguments, name):
                found.reads.append(spot)
        return found

    def _ends(self, loop: int, test: int) -> tuple[int, ...]:
        ends = [one for one, after in self.exits[loop].items() if after < 0]
        return tuple(sorted({*ends, *([test] if test >= 0 else [])}))

    def _around(self, guards: tuple[int, ...], loops: tuple[int, ...], place: int) -> tuple[int, ...]:
        if not loops:
            return guards
        ends = list(chain.from_iterable(self._ended[loop].before(place) for loop in loops))
        return tuple(dict.fromkeys([*guards, *ends]))
