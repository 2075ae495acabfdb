"""Shifts of values by an amount that is their width on some run, 32 or 64, beside nothing that makes up for it.

NVIDIA's GPUs give 0 there, AMD's leave the value as it is. `x << n | x >> (32 - n)` is the same on both: what is joined
is one value twice. So is what a mask of no bits takes, and a value that is 0 where the amount is 32.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.builtin_wave import is_builtin
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.amount_conditions import deciding, function_around, keeps_away
from cudamigrate.warp.reached_amounts import Reached, ReachedAmounts
from cudamigrate.warp.tree_queries import bare, outer, plain_name

WIDTH = 32
_VOTES = (b"__ballot", b"__ballot_sync")
_SHIFTS = {b"<<": b">>", b">>": b"<<"}
_GIVEN = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "init_declarator")
_MASKED = tree_sitter_nodes.Kinds("cuda", "binary_expression", "assignment_expression")
_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_SHIFTING = ("binary_expression", "assignment_expression")
_TAKES = (b"&", b"*", b"&=", b"*=")
"""Operators that leave nothing of a value where the other side is 0."""


class ReachedShifts:
    """The shifts of one file whose amounts are shown to reach the width of the type."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed, self.amounts = parsed, ReachedAmounts(parsed)

    def words(self, amount: Node, width: int = WIDTH) -> str:
        """Where an amount is the width of the type, in words; empty where that is not shown, or makes no difference."""
        shift = next((one for one in tree_sitter_nodes.ancestors(amount) if one.type in _SHIFTING), None)
        value = bare(shift.child_by_field_name("left")) if shift is not None else None
        if shift is None or value is None:
            return ""
        found = self.amounts.value(amount, width) or (self._of_lane(value, amount) if width == WIDTH else None)
        if found is None or not found.own.isdisjoint(_words(value)):
            return ""
        if keeps_away(amount, found.own, found.under, found.part):
            return ""
        if self._turns(shift, value) or self._is_masked(shift, found):
            return ""
        return f"{width} where `{' '.join(text(found.part).decode('latin-1').split())}` is {found.value}"

    def is_made_up_for(self, shift: Node, found: Reached) -> bool:
        """Whether a shift by too much changes nothing: a value turned in itself, or one that a mask of it takes."""
        value = bare(shift.child_by_field_name("left"))
        return value is None or self._turns(shift, value) or self._is_masked(shift, found)

    def _of_lane(self, value: Node, amount: Node) -> Reached | None:
        """Votes shifted by what is left of the warp beside a parameter: the lanes before the one that it numbers."""
        sign, whole = text(amount.child_by_field_name("operator")), bare(amount.child_by_field_name("left"))
        lane = bare(amount.child_by_field_name("right"))
        if sign != b"-" or whole is None or lane is None or lane.type != "identifier" or not self._is_warp(whole):
            return None
        declared, voted = self.amounts.ranges.scope(lane), self._followed(value)
        if declared is None or declared[1].type != "parameter_declaration":
            return None
        if self.amounts.writes.assignments(declared[0], text(lane)) or self.amounts.ranges.of(lane).low not in (
            None,
            0,
        ):
            return None
        votes = voted.type == "call_expression" and plain_name(voted.child_by_field_name("function")) in _VOTES
        return Reached(lane, 0, frozenset((text(lane),))) if votes else None

    def _is_warp(self, node: Node) -> bool:
        return is_builtin(self.parsed, node) or self.amounts.ranges.values.constant(node) == WIDTH

    def _followed(self, node: Node) -> Node:
        """What a local variable is given that nothing writes again, or the expression itself."""
        declared = self.amounts.ranges.scope(node) if node.type == "identifier" else None
        if declared is None or declared[1].type != "init_declarator":
            return node
        written = self.amounts.writes.assignments(declared[0], text(node))
        value = bare(declared[1].child_by_field_name("value"))
        return node if written or value is None else value

    def _turns(self, shift: Node, value: Node) -> bool:
        """Whether a shift is one of two of the same value, to both sides, that are joined: `x << n | x >> (32 - n)`."""
        back = _SHIFTS.get(text(shift.child_by_field_name("operator")).removesuffix(b"="), b"")
        return any(
            one.type == "binary_expression"
            and text(one.child_by_field_name("operator")) == back
            and text(bare(one.child_by_field_name("left"))) == text(value)
            for one in self._joined(shift)
        )

    def _joined(self, shift: Node) -> Iterator[Node]:
        """What a shift is joined with by `|`: right there, in a variable that holds it, or in one it is added to."""
        yield from self._parts_beside(shift)
        holder, function = outer(shift), function_around(shift)
        left = holder.child_by_field_name("declarator") or holder.child_by_field_name("left") if holder else None
        if holder is None or function is None or holder.type not in ("init_declarator", "assignment_expression"):
            return
        for given in _GIVEN.below(function):
            name = given.child_by_field_name("declarator") or given.child_by_field_name("left")
            said = given.child_by_field_name("value") or given.child_by_field_name("right")
            if text(name) == text(left) and said is not None:
                yield from _parts(said)
        for one in _NAMES.below(function):
            if text(one) == text(left) and one != left:
                yield from self._parts_beside(one)

    def _parts_beside(self, node: Node) -> Iterator[Node]:
        """The parts of the largest `|` around an expression, variables followed to what they hold."""
        top, around = node, outer(node)
        while around is not None and text(around.child_by_field_name("operator")) in (b"|", b"|="):
            top, around = around, outer(around)
        if top != node:
            for one in _parts(top):
                yield self._followed(one)

    def _is_masked(self, shift: Node, found: Reached) -> bool:
        """Whether what comes of a shift is masked by what is made of the amount."""
        own = found.own | found.under
        names = own | set(deciding(found.part))
        around, child = outer(shift), shift
        while around is not None and around.type in ("binary_expression", "cast_expression"):
            if text(around.child_by_field_name("operator")) in _TAKES:
                sides = [around.child_by_field_name(side) for side in ("left", "right")]
                if any(one is not None and not _holds(one, child) and _made_of(one, names) for one in sides):
                    return True
            child, around = around, outer(around)
        left = (
            None if around is None else around.child_by_field_name("declarator") or around.child_by_field_name("left")
        )
        function = function_around(shift)
        if left is None or function is None:
            return False
        return any(
            text(one.child_by_field_name("operator")) in _TAKES
            and text(bare(one.child_by_field_name("left"))) == text(left)
            and _made_of(one.child_by_field_name("right"), names)
            for one in _MASKED.below(function)
        )


def _parts(node: Node) -> Iterator[Node]:
    """The parts of an expression that `|` joins."""
    inner = bare(node)
    if inner is not None and text(inner.child_by_field_name("operator")) in (b"|", b"|="):
        for side in ("left", "right"):
            part = inner.child_by_field_name(side)
            yield from _parts(part) if part is not None else ()
    elif inner is not None:
        yield inner


def _holds(outside: Node, inside: Node) -> bool:
    return outside.start_byte <= inside.start_byte and inside.end_byte <= outside.end_byte


def _words(node: Node) -> set[bytes]:
    """The variables that decide on a value; none of an index."""
    return set(deciding(node))


def _made_of(node: Node | None, names: frozenset[bytes] | set[bytes]) -> bool:
    """Whether an expression names one of some variables."""
    return node is not None and any(text(one) in names for one in [*_NAMES.below(node), node])
