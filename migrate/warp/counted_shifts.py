"""Shifts by a count that may be all lanes of a group: `(1u << n) - 1` is the mask of the first `n` of 32, or of 64.

NVIDIA's GPUs give all ones there for `n == 32`, AMD's none. A count that is clamped to 32, or of bits, shows that by
itself; one that nothing bounds is taken for a count of lanes only where the mask that it makes meets votes, or is the
mask of a lane call. So does the number of a thread in a block of more than 32. The same is asked of values of 64 bits
and 64 lanes, where the votes that a mask meets are those of a wave.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from tree_sitter import Node

from cudamigrate.analysis.builtin_wave import is_builtin
from cudamigrate.analysis.launched_blocks import blocks
from cudamigrate.analysis.shown_values import shown
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.amount_conditions import asked, deciding, function_around, is_bounded, tests
from cudamigrate.warp.counted_amounts import BITS, CLAMPED, SIZE, WIDTH, Count, CountedAmounts, limits
from cudamigrate.warp.macro_routines import Macro
from cudamigrate.warp.tree_queries import COMPARISONS, bare, holds, outer, plain_name, without_cast
from cudamigrate.warp.vote_widths import WAVE, Votes

_SHIFTING = ("binary_expression", "assignment_expression")
_ALL = {WIDTH: (0xFFFFFFFF, -1), WAVE: (0xFFFFFFFFFFFFFFFF, -1)}
_KEEPING = (b"<<", b"|", b"&", b"^", b"-")
_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier")
_CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")
_ASSIGNED = tree_sitter_nodes.Kinds("cuda", "assignment_expression")
_MOST = 200
"""How many places a mask is followed to."""


class CountedShifts:
    """The shifts of one file by counts of lanes; `lanes` is how many a group has, and how many bits are shifted."""

    def __init__(self, parsed: ParsedFile, lanes: int = WIDTH) -> None:
        self.parsed, self.amounts, self.lanes = parsed, CountedAmounts(parsed, lanes), lanes
        self.votes, self.widths = parsed.once(Votes), dict[str, int]()
        for one in blocks(parsed):
            shape = one.shape
            self.widths[one.kernel] = max(self.widths.get(one.kernel, 0), shape[0] if shape is not None else 0)

    def words(self, amount: Node) -> str:
        """Where an amount is all lanes or more, in words; empty where that is not shown."""
        found = self.counted(amount)
        if found is not None:
            return self.said(found)
        return self._by_thread(amount) if self.lanes == WIDTH else ""

    def counted(self, amount: Node) -> Count | None:
        """The count that an amount is made of, where it is shown to be all lanes, or none of what is left of them."""
        shift = next((one for one in tree_sitter_nodes.ancestors(amount) if one.type in _SHIFTING), None)
        value = bare(shift.child_by_field_name("left")) if shift is not None else None
        if shift is None or value is None:
            return None
        count, wanted = self._count(shift, value, amount)
        found = self.amounts.value(count, wanted)
        if found is None:
            return None
        mask = self._mask(shift, value, count is not amount)
        shows = found.kind not in (BITS, SIZE) or (mask is not None and (found.kind == BITS or self._is_of_lanes(mask)))
        return None if not shows or self._is_asked_for(amount, found) else found

    def words_of_macro(self, macro: Macro, shift: Node, amount: Node) -> str:
        """The same for a mask in the body of a macro, by what code of the file gives the macro for the count."""
        value = bare(shift.child_by_field_name("left"))
        count, wanted = self._count(shift, value, amount) if value is not None else (amount, self.lanes)
        name = bare(count)
        spelled = text(name).decode("latin-1")
        if value is None or name is None or spelled not in macro.parameters:
            return ""
        if self._mask(shift, value, count is not amount) is None:
            return ""
        for call in self._calls.get(macro.name.encode("latin-1"), ()):
            given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
            at = macro.parameters.index(spelled)
            found = self.amounts.value(given[at], wanted) if at < len(given) else None
            if found is None or self.parsed.scope(call.start_byte) != "device":
                continue
            if (found.kind != SIZE or self._is_of_lanes(call)) and not self._is_asked_for(given[at], found):
                return f"{self.said(found)}, as `{macro.name}` is called"
        return ""

    @cached_property
    def _calls(self) -> Mapping[bytes, Sequence[Node]]:
        """What the file calls, by name."""
        found: dict[bytes, list[Node]] = {}
        for one in _CALLS.below(self.parsed.tree.root_node):
            found.setdefault(plain_name(one.child_by_field_name("function")), []).append(one)
        return found

    def _count(self, shift: Node, value: Node, amount: Node) -> tuple[Node, int]:
        """What counts lanes in an amount, and how many make it all: `n`, or in `~0u >> (32 - n)` what is left."""
        left, right = amount.child_by_field_name("left"), amount.child_by_field_name("right")
        rest = amount.type == "binary_expression" and text(amount.child_by_field_name("operator")) == b"-"
        if not rest or left is None or right is None:
            return amount, self.lanes
        whole = self.lanes if is_builtin(self.parsed, left) else shown(self.amounts.values, bare(left))
        return (right, 0) if whole == self.lanes and self._is_full(value) else (amount, self.lanes)

    def _is_full(self, value: Node) -> bool:
        return shown(self.amounts.values, value) in _ALL[self.lanes]

    def _mask(self, shift: Node, value: Node, rest: bool) -> Node | None:
        """The expression that is a mask of so many lanes: `(1u << n) - 1`, `~0u << n`, `~0u >> (32 - n)`."""
        if self._is_full(value):
            return shift if rest or text(shift.child_by_field_name("operator")) == b"<<" else None
        around = outer(shift)
        less = around is not None and text(around.child_by_field_name("operator")) == b"-"
        if around is None or not less or shown(self.amounts.values, without_cast(value)) != 1:
            return None
        right = around.child_by_field_name("right")
        return around if right is not None and shown(self.amounts.values, bare(right)) == 1 else None

    def _is_asked_for(self, amount: Node, found: Count) -> bool:
        """Whether a condition may keep the count from its value, or something puts right what comes of it."""
        function, own, made = function_around(amount), found.own, found.own | _names(found.part)
        if found.kind != CLAMPED:  # what a limit is of may be anything
            own = made
        if function is None or any(
            self._bounds(one, own, found.value) or self._excludes(one, made, found.value) for one in asked(amount)
        ):
            return True
        given = [one for one in _ASSIGNED.below(function) if text(one.child_by_field_name("left")) in own]
        limiting = [test for one in given for test in limits(one)]
        part = found.part
        return any(
            self._excludes(test, own, found.value)
            for test in tests(function)
            if not holds(test, amount) and not holds(part, test) and not any(holds(one, test) for one in limiting)
        )

    def _bounds(self, test: Node, own: frozenset[bytes], value: int) -> bool:
        """Whether a condition that holds at the place keeps the count from its value: `n < most`; not `lane < n`."""
        for one in _compared(test):
            sides = [not own.isdisjoint(_names(side)) for side in _sides(one)]
            sign = text(one.child_by_field_name("operator"))
            is_lower = len(sides) == 2 and not sides[sign not in (b"<", b"<=")] and sign not in (b"==", b"!=")
            if any(sides) and (not is_lower or value == 0):
                return True
        return False

    def _excludes(self, test: Node, own: frozenset[bytes], value: int) -> bool:
        """Whether a condition elsewhere asks for the value: for a constant near it, or whether there are any."""
        for one in _compared(test):
            sides = _sides(one)
            if any(not own.isdisjoint(_names(side)) for side in sides) and self._is_about(sides, value):
                return True
        return False

    def _is_about(self, sides: list[Node], value: int) -> bool:
        """Whether one side of a comparison is a value or next to it; a single one is asked whether it is 0."""
        known = [self.lanes if is_builtin(self.parsed, one) else shown(self.amounts.values, bare(one)) for one in sides]
        return value == 0 if len(sides) == 1 else any(one is not None and abs(one - value) <= 1 for one in known)

    def _is_of_lanes(self, mask: Node) -> bool:
        """Whether a mask meets votes, or is that of a lane call, through variables and functions of the file."""
        waiting, seen = [mask], set[int]()
        while waiting and len(seen) < _MOST:
            one = waiting.pop()
            if one.start_byte in seen:
                continue
            seen.add(one.start_byte)
            whole, meets = self._whole(one)
            if meets:
                return True
            waiting += self._next(whole)
        return False

    def _whole(self, mask: Node) -> tuple[Node, bool]:
        """The outermost expression that is still made of a mask, and whether it meets votes on the way."""
        while (around := outer(mask)) is not None:
            sign = text(around.child_by_field_name("operator"))
            if around.type == "binary_expression" and sign in (*_KEEPING, b"==", b"!="):
                others = [one for one in _sides(around) if not holds(one, mask)]
                if sign in (b"&", b"==", b"!=") and any(map(self._votes, others)):
                    return mask, True
                if sign not in _KEEPING:
                    return mask, False
            elif around.type not in ("unary_expression", "cast_expression", "conditional_expression"):
                return mask, self._is_given_to_lanes(around, mask)
            mask = around
        return mask, False

    def _is_given_to_lanes(self, around: Node, mask: Node) -> bool:
        """Whether an expression is the mask of a lane call, or taken from votes by `&=`."""
        if around.type == "assignment_expression" and text(around.child_by_field_name("operator")) == b"&=":
            return self._votes(around.child_by_field_name("left"))
        call = tree_sitter_nodes.parent(around) if around.type == "argument_list" else None
        name = plain_name(call.child_by_field_name("function")) if call is not None else b""
        given = tree_sitter_nodes.elements(around) if name.startswith(b"__") and name.endswith(b"_sync") else []
        return bool(given) and holds(given[0], mask)

    def _votes(self, node: Node | None) -> bool:
        """Whether an expression is votes of lanes: the call, or a local variable that was given one."""
        inner = bare(node)
        if inner is not None and inner.type == "unary_expression":
            inner = bare(inner.child_by_field_name("argument"))
        return any(one.type == "call_expression" and self.votes.of_lanes(one, self.lanes) for one in self._given(inner))

    def _given(self, node: Node | None) -> Iterator[Node]:
        """What an expression is, or what code gives to the local variable that it is."""
        declared = self.amounts.ranges.scope(node) if node is not None and node.type == "identifier" else None
        made: list[Node | None] = [node]
        if node is not None and declared is not None:
            made = [declared[1].child_by_field_name("value")]
            made += [
                one.child_by_field_name("right") for one in self.amounts.writes.assignments(declared[0], text(node))
            ]
        yield from (inner for one in made if (inner := bare(one)) is not None)

    def _next(self, mask: Node) -> Iterator[Node]:
        """Where else a mask is: where the variable is named that holds it, the function called that returns it."""
        around, function = outer(mask), function_around(mask)
        if around is None or function is None:
            return
        if around.type == "return_statement":
            declarator = function.child_by_field_name("declarator")
            name = plain_name(declarator.child_by_field_name("declarator")) if declarator is not None else b""
            yield from self._calls.get(name, ()) if name else ()
        left = around.child_by_field_name("declarator") or around.child_by_field_name("left")
        if around.type in ("init_declarator", "assignment_expression") and left is not None and not holds(left, mask):
            yield from (
                one for one in _NAMES.below(function) if text(one) == text(left) and one.start_byte > mask.end_byte
            )

    def _by_thread(self, amount: Node) -> str:
        """The number of a thread in a block that the file launches with more than 32."""
        function, inner = function_around(amount), self.amounts.followed(amount)
        if function is None or inner is None or b"".join(text(inner).split()) != b"threadIdx.x":
            return ""
        declarator = function.child_by_field_name("declarator")
        name = plain_name(declarator.child_by_field_name("declarator")) if declarator is not None else b""
        width = self.widths.get(name.decode("latin-1"), 0)
        names = {"threadIdx", *(one.decode("latin-1") for one in deciding(amount))}
        bounded = width <= WIDTH or is_bounded(amount, names)
        return "" if bounded else f"up to {width - 1} in blocks of {width} threads"

    def said(self, found: Count) -> str:
        """A count in words."""
        part = b" ".join(text(found.part).split()).decode("latin-1")
        return f"{self.lanes} where `{part}` is {found.value}"


def _compared(test: Node) -> Iterator[Node]:
    """The comparisons of a condition, and what is only asked whether it is 0."""
    inner = bare(test)
    if inner is None:
        return
    sign = text(inner.child_by_field_name("operator"))
    if inner.type == "condition_clause":
        held = inner.child_by_field_name("value")
        yield from _compared(held) if held is not None else ()
    elif inner.type == "binary_expression" and sign in (b"&&", b"||"):
        for side in _sides(inner):
            yield from _compared(side)
    elif (inner.type == "binary_expression" and sign in COMPARISONS) or inner.type == "identifier":
        yield inner
    elif inner.type == "unary_expression" and sign == b"!":
        held = inner.child_by_field_name("argument")
        yield from _compared(held) if held is not None else ()


def _names(node: Node) -> frozenset[bytes]:
    """The variables that decide on a value, and its own spelling, as that of a member."""
    return frozenset((*deciding(node), b"".join(text(bare(node)).split())))


def _sides(node: Node) -> list[Node]:
    """The operands of a comparison; a value that is only asked whether it is 0 is one by itself."""
    sides = (node.child_by_field_name(side) for side in ("left", "right"))
    return [one for one in sides if one is not None] or [node]
