"""What an integer is modulo what it is a multiple of: `int at = i * 16` makes `at + 4` byte 4 of each 16."""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.analysis.shown_values import shown
from cudamigrate.analysis.type_sizes import type_size
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.warp.tree_queries import bare
from cudamigrate.warp.value_ranges import ValueRanges

_DEPTH = 8


class Residue(NamedTuple):
    """Numbers `step * n + offset` for any n; a step of 0 is one number, a step of 1 may be any."""

    step: int
    offset: int


_ANY = Residue(1, 0)


class Residues:
    """The integers of one file."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.ranges = ValueRanges.of_file(parsed)

    def of(self, node: Node | None, depth: int = _DEPTH) -> Residue:
        """What an expression is known to be, with a step of 1 where that is nothing."""
        inner = bare(node)
        if inner is None or depth == 0:
            return _ANY
        if (number := shown(self.ranges.values, inner)) is not None:
            return Residue(0, number)
        if inner.type == "sizeof_expression":
            named = inner.child_by_field_name("type") or inner.child_by_field_name("value")
            size = type_size(text(named).strip(b"()"))
            return _ANY if size is None else Residue(0, size)
        if inner.type == "identifier":
            return self._variable(inner, depth)
        if inner.type == "cast_expression":
            return self.of(inner.child_by_field_name("value"), depth - 1)
        return self._operation(inner, depth) if inner.type == "binary_expression" else _ANY

    def _operation(self, node: Node, depth: int) -> Residue:
        sign = text(node.child_by_field_name("operator"))
        left, right = (self.of(node.child_by_field_name(side), depth - 1) for side in ("left", "right"))
        if sign in (b"+", b"-"):
            by = 1 if sign == b"+" else -1
            return Residue(gcd(left.step, right.step), left.offset + by * right.offset)
        if sign == b"<<" and right.step == 0 and 0 <= right.offset < 32:
            sign, right = b"*", Residue(0, 1 << right.offset)
        if sign != b"*" or 0 not in (left.step, right.step):
            return _ANY
        of, factor = (left, right.offset) if right.step == 0 else (right, left.offset)
        return Residue(of.step * abs(factor), of.offset * factor)

    def _variable(self, node: Node, depth: int) -> Residue:
        """What a variable is that keeps what it was declared with."""
        declared, name = self.ranges.scope(node), text(node)
        if declared is None or declared[1].type != "init_declarator":
            return _ANY
        scope, begun = declared
        if self.ranges.writes.assignments(scope, name) or self.ranges.writes.is_exposed(scope, begun, name):
            return _ANY
        return self.of(begun.child_by_field_name("value"), depth - 1)
