"""Shifts by an element of a constant table that is as large as the type: `x >> by[i]` with `by[] = {0, 64}`.

NVIDIA's GPUs give 0 there, AMD's leave the value as it is. The element is followed through variables that hold it, what
is left of a size (`64 - by[i]`), the parameters of macros and those of functions of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.analysis.shown_values import shown
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.amount_conditions import asked, deciding, function_around, tests
from cudamigrate.warp.block_threads import CALCULATED
from cudamigrate.warp.constant_tables import ConstantTables, indexed
from cudamigrate.warp.integer_ranges import INT, LONG, UINT, ULONG
from cudamigrate.warp.macro_routines import Macro
from cudamigrate.warp.reached_amounts import Reached
from cudamigrate.warp.reached_shifts import ReachedShifts
from cudamigrate.warp.tree_queries import COMPARISONS, bare, holds, identifiers, plain_name
from cudamigrate.warp.value_ranges import ValueRanges

_CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")
WIDTHS: Mapping[int | None, int] = {INT: 32, UINT: 32, LONG: 64, ULONG: 64}
"""In how many bits operators work, by the rank of their type."""
_DEPTH, _RANK_DEPTH = 6, 12
_PARAMETERS = ("parameter_declaration", "optional_parameter_declaration")
_NO_NAMES: Mapping[bytes, Node] = {}


class WideShift(NamedTuple):
    """How wide the shifted type is, and in words by what it is shifted."""

    width: int
    amount: str


class _Worth(NamedTuple):
    """The numbers that an amount may be, each by the element that makes it so, and where the element is named."""

    by: Mapping[int, int]
    element: Node
    places: tuple[Node, ...]
    names: frozenset[bytes]


class TableShifts:
    """The shifts of one file by elements of its tables."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed, self.ranges = parsed, ValueRanges.of_file(parsed)
        self.tables = parsed.once(ConstantTables)

    def of(self, shift: Node, amount: Node) -> WideShift | None:
        """How a shift of device code is too wide; None where no table shows it."""
        if not self.tables.names:
            return None
        width = WIDTHS.get(self._rank(shift.child_by_field_name("left"), _NO_NAMES))
        return None if width is None else self._wide(shift, amount, width, _NO_NAMES, "")

    def of_macro(self, macro: Macro, shift: Node, amount: Node) -> WideShift | None:
        """The same for a shift in a macro's body, as device code of the file gives the macro what it takes."""
        for call in self._calls.get(macro.name.encode("latin-1"), ()) if self.tables.names else ():
            arguments = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
            given = {name.encode("latin-1"): one for name, one in zip(macro.parameters, arguments, strict=False)}
            width = WIDTHS.get(self._rank(shift.child_by_field_name("left"), given))
            if width is None or self.parsed.scope(call.start_byte) != "device":
                continue
            found = self._wide(shift, amount, width, given, f", as `{macro.name}` is called")
            if found is not None:
                return found
        return None

    def _rank(self, value: Node | None, given: Mapping[bytes, Node]) -> int | None:
        inner = bare(value)
        return self.ranges.rank(given.get(text(inner), inner), _RANK_DEPTH)

    def _wide(
        self, shift: Node, amount: Node, width: int, given: Mapping[bytes, Node], called: str
    ) -> WideShift | None:
        worth = self._worth(amount, given, _DEPTH)
        largest = max(worth.by, default=0) if worth is not None else 0
        if worth is None or largest < width or any(self._is_asked_for(one, worth) for one in worth.places):
            return None
        said = " ".join(text(worth.element).decode("latin-1").split())
        found = Reached(worth.element, worth.by[largest], worth.names)
        if self.parsed.once(ReachedShifts).is_made_up_for(shift, found):
            return None
        return WideShift(width, f"{largest} where `{said}` is {found.value}{called}")

    def _worth(self, node: Node | None, given: Mapping[bytes, Node], depth: int) -> _Worth | None:
        """What an amount may be by the tables; None where it is not made of one element and constants."""
        inner = bare(node)
        if inner is None or depth == 0:
            return None
        if inner.type == "subscript_expression":
            name, _ = indexed(inner)
            found = self.tables.values(inner)
            names = frozenset((text(name),))
            return _Worth({one: one for one in found}, inner, (inner,), names) if found else None
        if inner.type == "cast_expression":
            return self._worth(inner.child_by_field_name("value"), given, depth - 1)
        if inner.type == "identifier":
            told = given.get(text(inner))
            return self._variable(inner, depth) if told is None else self._worth(told, _NO_NAMES, depth - 1)
        return self._operation(inner, given, depth) if inner.type == "binary_expression" else None

    def _operation(self, node: Node, given: Mapping[bytes, Node], depth: int) -> _Worth | None:
        sign = text(node.child_by_field_name("operator"))
        sides = [node.child_by_field_name(side) for side in ("left", "right")]
        known = [shown(self.ranges.values, bare(one)) for one in sides]
        if sign not in CALCULATED or (known[0] is None) == (known[1] is None):
            return None
        at = int(known[0] is not None)
        worth, other = self._worth(sides[at], given, depth - 1), known[1 - at]
        if worth is None or other is None or (sign in (b"/", b"%") and (at == 1 or not other)):
            return None
        calculated = CALCULATED[sign]
        made = {int(calculated(one, other) if at == 0 else calculated(other, one)): by for one, by in worth.by.items()}
        return worth._replace(by=made)

    def _variable(self, node: Node, depth: int) -> _Worth | None:
        """What a variable holds that is given one value, or a parameter is given by a call of the file."""
        declared, name = self.ranges.scope(node), text(node)
        if declared is None:
            return None
        scope, begun = declared
        if self.ranges.writes.assignments(scope, name) or self.ranges.writes.is_exposed(scope, begun, name):
            return None
        values = [begun.child_by_field_name("value")] if begun.type == "init_declarator" else []
        if begun.type in _PARAMETERS:
            calls = self.ranges.values.given(node)
            values += [one for one in calls if self.parsed.scope(one.start_byte) == "device"]
        found = (self._worth(one, _NO_NAMES, depth - 1) for one in values if one is not None)
        worth = max((one for one in found if one is not None), key=lambda one: max(one.by), default=None)
        return None if worth is None else worth._replace(places=(*worth.places, node), names=worth.names | {name})

    def _is_asked_for(self, place: Node, worth: _Worth) -> bool:
        """Whether a condition asks for the amount, or keeps the index from a part of the table."""
        function = function_around(place)
        if function is None:
            return True
        name, indices = indexed(worth.element)
        row = self.tables.row(text(name))
        size = len(row) if isinstance(row, list) else 0
        index = {word for one in indices for word in identifiers(one)} if place == worth.element else set[bytes]()
        if any(_keeps(one, index, size, self.ranges) for test in asked(place) for one in _parts(test)):
            return True
        return any(not worth.names.isdisjoint(deciding(one)) for one in tests(function) if not holds(one, place))

    @cached_property
    def _calls(self) -> Mapping[bytes, list[Node]]:
        found: dict[bytes, list[Node]] = {}
        for one in _CALLS.below(self.parsed.tree.root_node):
            found.setdefault(plain_name(one.child_by_field_name("function")), []).append(one)
        return found


def _parts(test: Node) -> Iterator[Node]:
    """The comparisons that a condition is put together of."""
    inner = bare(test)
    if inner is not None and inner.type == "condition_clause":
        inner = bare(inner.child_by_field_name("value"))
    if inner is None:
        return
    if inner.type == "binary_expression" and text(inner.child_by_field_name("operator")) in (b"&&", b"||"):
        for side in ("left", "right"):
            part = inner.child_by_field_name(side)
            yield from _parts(part) if part is not None else ()
    else:
        yield inner


def _keeps(test: Node, index: set[bytes], size: int, ranges: ValueRanges) -> bool:
    """Whether a condition on an index may be more than the bound of the table, `i < 25`, or the start of a loop."""
    if index.isdisjoint(identifiers(test)) or test.type in ("declaration", "update_expression"):
        return False
    if test.type != "binary_expression" or text(test.child_by_field_name("operator")) not in COMPARISONS:
        return True
    sides = (shown(ranges.values, bare(test.child_by_field_name(side))) for side in ("left", "right"))
    bound = next((one for one in sides if one is not None), None)
    return bound is None or bound < size - 1
