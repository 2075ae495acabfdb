"""Counts of lanes that an amount is made of, and whether they are shown to be all 32: clamped there, or counted bits.

`min(n - base, 32)` is 32 in every full step of a loop, `__popc(votes)` where every lane votes. A number from memory or
of a kernel's caller has no bound at all: it is a count of lanes only where the code uses it as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.analysis.shown_values import shown
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.amount_conditions import function_around
from cudamigrate.warp.tree_queries import bare, plain_name
from cudamigrate.warp.value_ranges import ValueRanges

WIDTH = 32
CLAMPED, BITS, SIZE = "clamped", "bits", "size"
VOTES = (b"__ballot_sync", b"__ballot", b"__activemask", b"__match_any_sync", b"__match_all_sync")
_COUNTS = {
    WIDTH: (b"__popc", b"__builtin_popcount", b"popcount", b"popc"),
    2 * WIDTH: (b"__popcll", b"__builtin_popcountll"),
}
"""What counts the bits of a word of so many."""
_DEPTH = 8
_MEMORY = ("subscript_expression", "pointer_expression")
_PARAMETERS = ("parameter_declaration", "optional_parameter_declaration")
_ASSIGNED = tree_sitter_nodes.Kinds("cuda", "assignment_expression")


class Count(NamedTuple):
    """Where an amount has a value: the part that decides, what that is worth, how it is known, and the names it has."""

    part: Node
    value: int
    kind: str
    own: frozenset[bytes] = frozenset()


class CountedAmounts:
    """The counts in the expressions of one file."""

    def __init__(self, parsed: ParsedFile, lanes: int = WIDTH) -> None:
        self.parsed, self.ranges, self.lanes = parsed, ValueRanges.of_file(parsed), lanes
        self.values, self.writes = self.ranges.values, self.ranges.writes

    def value(self, node: Node | None, value: int, depth: int = _DEPTH) -> Count | None:
        """How an expression comes to a value, the number of lanes or none of them; None where that is not shown."""
        inner = bare(node)
        if inner is None or depth == 0 or shown(self.values, inner) is not None:
            return None
        bounds = self.ranges.of(inner)
        if (bounds.high is not None and bounds.high < value) or (bounds.low is not None and bounds.low > value):
            return None
        if inner.type == "identifier":
            return self._variable(inner, value, depth)
        if inner.type == "cast_expression":
            return self.value(inner.child_by_field_name("value"), value, depth - 1)
        if inner.type == "conditional_expression":
            parts = [inner.child_by_field_name(side) for side in ("consequence", "alternative")]
            return self._chosen(inner, parts, value, depth)
        if inner.type == "call_expression":
            return self._called(inner, value, depth)
        if inner.type == "field_expression":
            return self._member(inner, value, depth)
        if inner.type in _MEMORY:
            return Count(inner, value, SIZE) if not text(inner).startswith(b"&") else None
        return self._moved(inner, value, depth) if inner.type == "binary_expression" else None

    def _moved(self, node: Node, value: int, depth: int) -> Count | None:
        """A count that a constant is added to, or taken from."""
        sign, left = text(node.child_by_field_name("operator")), node.child_by_field_name("left")
        by = shown(self.values, bare(node.child_by_field_name("right")))
        if by is None or sign not in (b"+", b"-"):
            return None
        return self.value(left, value - by if sign == b"+" else value + by, depth - 1)

    def _chosen(self, whole: Node, parts: list[Node | None], value: int, depth: int) -> Count | None:
        """The smaller of a number and a limit: it is the limit wherever the number is beyond."""
        known = [shown(self.values, bare(one)) for one in parts]
        if value in known and None in known:
            return Count(whole, value, CLAMPED)
        found = [made for one in parts if (made := self.value(one, value, depth - 1)) is not None]
        if not found:
            return None
        limited = any(one is not None and one >= value for one in known)
        return found[0]._replace(kind=CLAMPED) if limited else found[0]

    def _called(self, call: Node, value: int, depth: int) -> Count | None:
        name, given = plain_name(call.child_by_field_name("function")), call.child_by_field_name("arguments")
        parts: list[Node | None] = [*tree_sitter_nodes.elements(given)]
        if name in (b"min", b"max", b"umin", b"umax") and len(parts) == 2:
            return self._chosen(call, parts, value, depth)
        if name in _COUNTS[self.lanes] and len(parts) == 1:
            return Count(call, value, BITS) if self._are_all(parts[0], value) else None
        is_cast = name in (b"static_cast", b"int", b"unsigned") and len(parts) == 1
        return self.value(parts[0], value, depth - 1) if is_cast else None

    def _are_all(self, node: Node | None, value: int) -> bool:
        """Whether all bits of a word, or none, may be set: no `&` takes some of them, and no constant is there."""
        inner = self.followed(node)
        if inner is None or value not in (0, self.lanes) or shown(self.values, inner) is not None:
            return False
        if inner.type == "call_expression":
            name = plain_name(inner.child_by_field_name("function"))
            return name in VOTES if value else name in VOTES[:2]
        return inner.type in ("identifier", "field_expression", *_MEMORY)

    def followed(self, node: Node | None) -> Node | None:
        """What a local variable is given that nothing writes again, or the expression itself."""
        inner = bare(node)
        declared = self.ranges.scope(inner) if inner is not None and inner.type == "identifier" else None
        if inner is None or declared is None or declared[1].type != "init_declarator":
            return inner
        written = self.writes.assignments(declared[0], text(inner))
        return inner if written else bare(declared[1].child_by_field_name("value"))

    def _variable(self, node: Node, value: int, depth: int) -> Count | None:
        name, declared = text(node), self.ranges.scope(node)
        if declared is None:
            return None
        scope, begun = declared
        writes = self.writes.assignments(scope, name)
        found = None
        for one in writes:
            given = one.child_by_field_name("right") if text(one.child_by_field_name("operator")) == b"=" else None
            if given is not None and one.end_byte <= node.start_byte:
                limit = shown(self.values, bare(given)) == value and _is_limit(one, name)
                found = Count(node, value, CLAMPED) if limit else found or self.value(given, value, depth - 1)
        if begun.type in _PARAMETERS and not writes:
            found = self._passed(node, value, depth)
        elif begun.type == "init_declarator" and not writes:
            found = self.value(begun.child_by_field_name("value"), value, depth - 1)
        return None if found is None else found._replace(own=found.own | {name})

    def _passed(self, node: Node, value: int, depth: int) -> Count | None:
        """What callers of the file pass; a kernel's are the host, which may pass anything."""
        function = function_around(node)
        if function is None or function.type != "function_definition":
            return None
        if b"__global__" in text(function).partition(b"{")[0]:
            return Count(node, value, SIZE)
        found = (self.value(one, value, depth - 1) for one in self.values.given(node))
        made = next((one for one in found if one is not None), None)
        return None if made is None else made._replace(own=frozenset())

    def _member(self, node: Node, value: int, depth: int) -> Count | None:
        """What a member was given before, in the same function and once."""
        function, spelled = function_around(node), b"".join(text(node).split())
        if function is None:
            return None
        found = [one for one in _ASSIGNED.below(function) if text(one.child_by_field_name("left")) == spelled]
        if len(found) != 1 or found[0].end_byte > node.start_byte:
            return None
        made = self.value(found[0].child_by_field_name("right"), value, depth - 1)
        return None if made is None else made._replace(own=made.own | {spelled})


def _is_limit(write: Node, name: bytes) -> bool:
    """Whether an assignment is what happens where the variable is beyond: `if (n > 32) n = 32;`."""
    return any(name in _names(test) for test in limits(write))


def limits(write: Node) -> Iterator[Node]:
    """The conditions of which an assignment is all that they decide on."""
    statement = write.parent
    block = statement.parent if statement is not None and statement.type == "expression_statement" else None
    around = block if block is None or block.type != "compound_statement" else block.parent
    test = around.child_by_field_name("condition") if around is not None and around.type == "if_statement" else None
    if test is not None:
        yield test


def _names(node: Node) -> set[bytes]:
    waiting, found = [node], set()
    while waiting:
        one = waiting.pop()
        if one.type == "identifier":
            found.add(text(one))
        waiting += one.named_children
    return found
