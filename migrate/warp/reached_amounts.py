"""Values that an amount is shown to take on some run: `32 - (at & 31)` is 32 where `at` is a multiple of 32.

A rest takes every value below its size, unless what it is taken of goes in steps. What is worked out in a straight line
from rests, by sums, products and shifts with constants, is followed back to them; so is a choice between two values,
each of which it takes somewhere. Bounds alone show nothing: a variable that may be 0 by its type need never be.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.analysis.shown_values import shown
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.warp.amount_conditions import FUNCTIONS, deciding
from cudamigrate.warp.integer_ranges import ANY, Range
from cudamigrate.warp.tree_queries import COMPARISONS, bare
from cudamigrate.warp.value_ranges import ValueRanges

_DEPTH = 8
_SHRINKING = (b"<<", b">>", b"*", b"/", b"&", b"%")
"""Operators that keep a value of 0 as it is."""
_ADDING = (b"+", b"|", b"^", b"-")
_FREE = ("subscript_expression", "pointer_expression", "field_expression", "call_expression")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_COORDINATES = (b"threadIdx", b"blockIdx")


class Reached(NamedTuple):
    """The part of an amount that decides, what it is worth there, and the variables on the way to it.

    `own` are those that are worth nothing else, and `under` those that a rest is taken of, or that a choice asks for.
    """

    part: Node
    value: int
    own: frozenset[bytes] = frozenset()
    under: frozenset[bytes] = frozenset()


class Steps(NamedTuple):
    """Numbers `offset + step * n` for each n, all of which are taken; with the variables that they are made of."""

    step: int
    offset: int
    names: tuple[bytes, ...] = ()


class ReachedAmounts:
    """What the expressions of one file reach."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed, self.ranges = parsed, ValueRanges.of_file(parsed)
        self.writes = self.ranges.writes

    def value(self, node: Node | None, value: int, depth: int = _DEPTH) -> Reached | None:
        """Where an expression has a value; None where it is not shown to."""
        inner = bare(node)
        if inner is None or depth == 0 or shown(self.ranges.values, inner) is not None:
            return None
        if inner.type == "identifier":
            return self._variable(inner, value, depth)
        if inner.type == "cast_expression":
            kind = self.ranges.types.integer(text(inner.child_by_field_name("type")))
            held = inner.child_by_field_name("value")
            return None if kind is None or not 0 <= value < 128 else self.value(held, value, depth - 1)
        if inner.type == "conditional_expression":
            return self._chosen(inner, value, depth)
        return self._operation(inner, value, depth) if inner.type == "binary_expression" else None

    def _chosen(self, node: Node, value: int, depth: int) -> Reached | None:
        """Where one of two values is it: who asks again for what decides between them may keep it away."""
        under = frozenset(deciding(node.child_by_field_name("condition") or node))
        for arm in (node.child_by_field_name("consequence"), node.child_by_field_name("alternative")):
            if shown(self.ranges.values, bare(arm)) == value:
                return Reached(node, value, frozenset(), under)
            found = self.value(arm, value, depth - 1)
            if found is not None:
                return found._replace(under=found.under | under)
        return None

    def _operation(self, node: Node, value: int, depth: int) -> Reached | None:
        """Where the result of an operator has a value, one side of it being a constant."""
        sign = text(node.child_by_field_name("operator"))
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if sign in COMPARISONS:
            return Reached(node, value) if value == 0 else None
        first, second = (shown(self.ranges.values, bare(one)) for one in (left, right))
        if second is None:
            if first is None or sign not in (b"+", b"-", b"*", b"&"):
                return None
            if sign == b"-":
                return self.value(right, first - value, depth - 1)
            left, right, second = right, left, first
        if sign in (b"&", b"%"):
            return self._rest(node, left, second + (sign == b"&"), value, depth)
        wanted = _undone(sign, second, value)
        return None if wanted is None else self.value(left, wanted, depth - 1)

    def _rest(self, node: Node, left: Node | None, size: int, value: int, depth: int) -> Reached | None:
        """Where a rest has a value: of numbers that go in steps, where one of them leaves it."""
        if size < 2 or size & (size - 1) or not 0 <= value < size:
            return None
        found = self.value(left, value, depth - 1)
        if found is not None:
            return found
        return self._rest_of(node, self.steps(left, depth - 1), self.ranges.of(left), size, value)

    def _rest_of(self, node: Node, steps: Steps | None, bounds: Range, size: int, value: int) -> Reached | None:
        if steps is None or len(set(steps.names)) < len(steps.names) or (value - steps.offset) % gcd(steps.step, size):
            return None
        low, high = bounds
        if low is not None and high is not None and low + (value - low) % size > high:
            return None
        return Reached(node, value, frozenset(), frozenset(_words(steps.names)))

    def steps(self, node: Node | None, depth: int = _DEPTH) -> Steps | None:
        """The steps that an integer goes in; None where they are not seen."""
        inner = bare(node)
        if inner is None or depth == 0:
            return None
        number = shown(self.ranges.values, inner)
        if number is not None:
            return Steps(0, number)
        if inner.type == "identifier":
            return self._steps_of_variable(inner, depth)
        if inner.type == "field_expression" and text(inner.child_by_field_name("argument")) in _COORDINATES:
            return Steps(0, 0, (text(inner),))  # each block has a first thread, each grid a first block
        if inner.type == "cast_expression":
            return self.steps(inner.child_by_field_name("value"), depth - 1)
        if inner.type in _FREE:
            return Steps(1, 0, (text(inner),))
        return self._combined(inner, depth) if inner.type == "binary_expression" else None

    def _combined(self, node: Node, depth: int) -> Steps | None:
        sign = text(node.child_by_field_name("operator"))
        sides = [self.steps(node.child_by_field_name(side), depth - 1) for side in ("left", "right")]
        left, right = sides
        if left is None or right is None:
            return None
        names = left.names + right.names
        if sign in (b"+", b"-"):
            by = 1 if sign == b"+" else -1
            return Steps(gcd(left.step, right.step), left.offset + by * right.offset, names)
        if sign == b"<<" and not right.names and 0 <= right.offset < 64:
            return Steps(left.step << right.offset, left.offset << right.offset, names)
        if sign == b"*":
            return _product(left, right, names)
        free = left.step == 1 and not right.names and right.offset > 0
        return Steps(1, 0, names) if free and sign in (b"/", b">>") else None

    def _steps_of_variable(self, node: Node, depth: int) -> Steps | None:
        name, declared = text(node), self.ranges.scope(node)
        if declared is None:
            return None
        scope, begun = declared
        if self.writes.is_exposed(scope, begun, name):
            return None
        found = self.writes.assignments(scope, name)
        if begun.type in ("parameter_declaration", "optional_parameter_declaration"):
            start = self._steps_of_parameter(node)
        elif begun.type == "init_declarator":
            start = self.steps(begun.child_by_field_name("value"), depth - 1)
        else:
            start = self._given_alone(found, depth)
            found = []
        for write in found:
            start = self._moved(start, write, depth)
        return None if start is None else Steps(start.step, start.offset, (*start.names, name))

    def _given_alone(self, writes: list[Node], depth: int) -> Steps | None:
        """The steps of a variable that is declared without a value and given one once."""
        if len(writes) != 1 or text(writes[0].child_by_field_name("operator")) != b"=":
            return None
        return self.steps(writes[0].child_by_field_name("right"), depth - 1)

    def _steps_of_parameter(self, node: Node) -> Steps | None:
        """What callers pass: any number, unless all of them that are seen pass constants."""
        given = [shown(self.ranges.values, one) for one in self.ranges.values.given(node)]
        if given and None not in given:
            return Steps(0, given[0] or 0) if len(set(given)) == 1 else None
        return Steps(1, 0)

    def _moved(self, start: Steps | None, write: Node, depth: int) -> Steps | None:
        """The steps of a variable that code adds to, as often as it likes."""
        if start is None:
            return None
        if write.type == "update_expression":
            return start._replace(step=1)
        if text(write.child_by_field_name("operator")) not in (b"+=", b"-="):
            return None
        by = self.steps(write.child_by_field_name("right"), depth - 1)
        return None if by is None else Steps(gcd(start.step, by.step, by.offset), start.offset, start.names)

    def _variable(self, node: Node, value: int, depth: int) -> Reached | None:
        """Where a local variable has a value: it is given an expression once, or kept at 0 by all it is given."""
        name, declared = text(node), self.ranges.scope(node)
        if declared is None:
            return None
        scope, begun = declared
        writes = self.writes.assignments(scope, name)
        if self.writes.is_exposed(scope, begun, name):
            return None
        spelled = text(_owner(begun).child_by_field_name("type"))
        if spelled != b"auto" and self.ranges.types.integer(spelled) is None:
            return None
        first = begun.child_by_field_name("value") if begun.type == "init_declarator" else None
        if not writes and first is not None:
            return _named(self.value(first, value, depth - 1), name)
        if len(writes) == 1 and _comes_before(writes[0], scope, node):
            return _named(self._assigned(writes[0], declared, value, depth), name)
        return self._kept(node, name, value, first, writes, depth)

    def _assigned(self, write: Node, declared: tuple[Node, Node], value: int, depth: int) -> Reached | None:
        """Where a variable has a value that one assignment on the way gives it, maybe as a rest of what it was."""
        begun, given = declared[1], bare(write.child_by_field_name("right"))
        sign, name = text(write.child_by_field_name("operator")).removesuffix(b"="), text(write).split(b"=")[0].strip()
        again = (
            given is not None and given.type == "binary_expression" and text(given.child_by_field_name("left")) == name
        )
        if given is not None and again and not sign:
            sign, given = text(given.child_by_field_name("operator")), given.child_by_field_name("right")
        if not sign:
            return self.value(given, value, depth - 1)
        size = shown(self.ranges.values, given) if sign in (b"&", b"%") else None
        if size is None:
            return None
        if begun.type in ("parameter_declaration", "optional_parameter_declaration"):
            before: Steps | None = Steps(1, 0)
        else:
            before = self.steps(begun.child_by_field_name("value"), depth - 1)
        rest = size + (sign == b"&")
        fits = rest > 1 and not rest & (rest - 1) and 0 <= value < rest
        return self._rest_of(write, before, ANY, rest, value) if fits else None

    def _kept(
        self, node: Node, name: bytes, value: int, first: Node | None, writes: list[Node], depth: int
    ) -> Reached | None:
        """Where a variable is 0 that begins as 0: where all that is added to it is 0, which each of them reaches."""
        number = shown(self.ranges.values, first) if first is not None else None
        if value or number != 0 or not all(self._keeps_zero(one, name, depth) for one in writes):
            return None
        return Reached(node, 0, frozenset((name,)))

    def _keeps_zero(self, write: Node, name: bytes, depth: int) -> bool:
        sign, given = text(write.child_by_field_name("operator")), write.child_by_field_name("right")
        inner = bare(given)
        if write.type != "assignment_expression" or inner is None:
            return False
        if sign == b"=" and inner.type == "binary_expression" and text(inner.child_by_field_name("left")) == name:
            sign, given = text(inner.child_by_field_name("operator")) + b"=", inner.child_by_field_name("right")
        if sign.removesuffix(b"=") in _SHRINKING:
            return True
        return sign.removesuffix(b"=") in _ADDING and self.value(given, 0, depth - 1) is not None


def _undone(sign: bytes, by: int, value: int) -> int | None:
    """What an operator with a constant makes a value of; None for none, or where it is not looked at."""
    if sign == b"+":
        return value - by
    if sign == b"-":
        return value + by
    if sign == b"*":
        return value // by if by and value % by == 0 else None
    if sign == b"<<":
        return value >> by if 0 <= by < 32 and (value >> by) << by == value else None
    if sign == b">>":
        return value << by if 0 <= by < 32 else None
    return value * by if sign == b"/" and by > 0 else None


def _product(left: Steps, right: Steps, names: tuple[bytes, ...]) -> Steps | None:
    """The steps of a product: with a constant, or 0 where one of two numbers is."""
    for one, other in ((left, right), (right, left)):
        if not other.step:
            if not other.names or other.offset == 0:
                return Steps(one.step * other.offset, one.offset * other.offset, names)
        elif other.offset % other.step == 0:
            return Steps(0, 0, names)
    return None


def _named(found: Reached | None, name: bytes) -> Reached | None:
    """The same with a variable that it is the value of."""
    return None if found is None else found._replace(own=found.own | {name})


def _comes_before(write: Node, scope: Node, node: Node) -> bool:
    """Whether an assignment is a statement of its own in the block of a variable, before a place there."""
    body = scope.child_by_field_name("body") if scope.type in FUNCTIONS else scope
    statement = write.parent
    plain = statement is not None and statement.type == "expression_statement" and statement.parent == body
    return plain and write.end_byte <= node.start_byte


def _words(names: tuple[bytes, ...]) -> Iterator[bytes]:
    """The identifiers in what was named."""
    return (word for name in names for word in _WORD.findall(name))


def _owner(begun: Node) -> Node:
    """The declaration that names the type of what a declarator begins."""
    parent = begun.parent
    return parent if begun.child_by_field_name("type") is None and parent is not None else begun
