"""Names that are given a number of lanes: 32, its logarithm, the last lane, a mask of all, a number of warps.

A constant stands for lanes where warp-level code is given it as a width or mask, goes on in steps up to
it, or parts a block's threads by it. Where no use is seen, as in a header of constants, its name raises a report.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.lane_code import facts
from cudamigrate.warp.lane_words import SHUFFLES
from cudamigrate.warp.quantities import Quantities
from cudamigrate.warp.tree_queries import (
    OPERATIONS,
    bare,
    class_name,
    declared_name,
    expressions_around,
    identifiers,
    made,
    outer,
    plain_name,
)
from cudamigrate.warp.vocabulary import NAMES

_VALUES = {
    "init_declarator": ("declarator", "value"),
    "enumerator": ("name", "value"),
    "field_declaration": ("declarator", "default_value"),
    "optional_parameter_declaration": ("declarator", "default_value"),
    "assignment_expression": ("left", "right"),
}
_DEFINITIONS = tree_sitter_nodes.Kinds("cuda", *_VALUES)
_LITERALS = ("number_literal", "unary_expression", "pointer_expression")
_FULL = (-1, 0xFFFFFFFF)


@dataclass(frozen=True, slots=True)
class Definition:
    """A name that is given a value: its place, the number its value begins with, and what that is divided by."""

    name: bytes
    start: int
    number: int | None
    end: int
    divides: bool = False
    member: bool = False


def constants(parsed: ParsedFile) -> Iterator[Span]:
    """Every name with its number that stands for lanes; none that code for HIP alone gives another value."""
    known = definitions(parsed)
    of_hip = {one.name for one in known if parsed.hip(one.start) is True}
    wide = {one.name for one in known if one.number == 64 and one.member}
    uses = _Uses(parsed)
    for one in known:
        twice = one.name in of_hip or parsed.hip(one.start) is False or (one.member and one.name in wide)
        if one.number in (5, 31, 32, *_FULL) and not twice and uses.stands_for_lanes(one):
            yield Span(one.start, one.end)


def definitions(parsed: ParsedFile) -> list[Definition]:
    """The names that a file gives values, macros among them, in its order; worked out once."""
    return parsed.once(_definitions)


def _definitions(parsed: ParsedFile) -> list[Definition]:
    macros = (directive for directive in parsed.lexed.directives if directive.name == "define")
    found = [_of_macro(parsed, directive.rest, directive.end) for directive in macros]
    found += [_of_node(parsed, node) for node in _DEFINITIONS.below(parsed.tree.root_node)]
    return sorted((one for one in found if one is not None), key=lambda one: one.start)


def _of_macro(parsed: ParsedFile, start: int, end: int) -> Definition | None:
    """`#define WARP_SIZE (32)`; none for a macro with parameters."""
    lexed = parsed.lexed
    name = lexed.token(start)
    value = lexed.after(name)
    if name is None or value is None or value.start >= end:
        return None
    if lexed.text(value) == b"(" and value.start > name.end:
        value = lexed.after(value)
    sign = lexed.text(value) if lexed.text(value) in (b"-", b"~") else b""
    number = lexed.after(value) if sign else value
    if number is None or number.start >= end:
        return None
    worth = Quantities.of_file(parsed).values.spelled(lexed.text(number)) if lexed.text(number)[:1].isdigit() else None
    worth = {b"-": -worth, b"~": ~worth}.get(sign, worth) if worth is not None else None
    after = lexed.after(number)
    divides = after is not None and after.start < end and lexed.text(after) == b"/"
    return Definition(lexed.text(name), name.start, worth, number.end, divides)


def _of_node(parsed: ParsedFile, node: Node) -> Definition | None:
    named, valued = _VALUES[node.type]
    target, value = node.child_by_field_name(named), bare(node.child_by_field_name(valued))
    if value is not None and value.type == "initializer_list" and value.named_child_count == 1:
        value = value.named_children[0]
    while target is not None and target.type == "field_expression":
        target = target.child_by_field_name("field")
    if target is None or value is None or target.type not in ("identifier", "field_identifier"):
        return None
    divides = value.type == "binary_expression" and text(value.child_by_field_name("operator")) == b"/"
    first = bare(value.child_by_field_name("left")) if divides else value
    literal = first is not None and first.type in _LITERALS
    number = Quantities.of_file(parsed).values.constant(first) if literal else None
    member = node.type == "assignment_expression" and node.child_by_field_name("left") != target
    end = first.end_byte if first is not None else value.end_byte
    return Definition(text(target), target.start_byte, number, end, divides, member)


class _Uses:
    """What the constants of a file are used for."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed, self.quantities = parsed, Quantities.of_file(parsed)
        self._bounds: set[bytes] | None = None
        self._splits: set[bytes] | None = None
        self._naming: dict[int, bool] = {}

    def stands_for_lanes(self, one: Definition) -> bool:
        """Whether a constant is a number of lanes, its logarithm, the last lane or a mask of them all."""
        if one.number == 31:
            return NAMES.says_lane_bits(one.name)
        if one.number == 5:
            return NAMES.says_logarithm(one.name)
        if one.number in _FULL:
            return NAMES.says_all_lanes(one.name) or one.name in self._masks()
        if NAMES.words(one.name)[-1:] == ("threads",) and len(NAMES.words(one.name)) < 4 and self._in_warp_class(one):
            return True
        if NAMES.says_share_of_warp(one.name) if one.divides else NAMES.says_number_of_lanes(one.name):
            return True
        return one.name in self.bounds() or one.name in self.splits()

    def _in_warp_class(self, one: Definition) -> bool:
        node = self.parsed.tree.root_node.descendant_for_byte_range(one.start, one.start + 1)
        return node is not None and "warp" in NAMES.words(class_name(node))

    def _masks(self) -> set[bytes]:
        """Names that calls across lanes are given as their mask."""
        masked = (use for use in self.parsed.uses if use.args and use.name.endswith("_sync"))
        spelled = (self.parsed.data[use.args[0].start : use.args[0].end] for use in masked)
        return {one.rpartition(b"::")[2].strip() for one in spelled}

    def bounds(self) -> set[bytes]:
        """Names up to which the steps of shuffles go, and names of their widths."""
        if self._bounds is None:
            self._bounds = set()
            for use in self.parsed.uses:
                if use.name not in SHUFFLES or use.kind != "call":
                    continue
                if len(use.args) == (4 if use.name.endswith("_sync") else 3):
                    last = use.args[-1]
                    self._bounds.add(self.parsed.data[last.start : last.end])
                node = self.parsed.tree.root_node.descendant_for_byte_range(use.span.start, use.span.end)
                for around in tree_sitter_nodes.ancestors(node) if node is not None else ():
                    test = around.child_by_field_name("condition") if around.type == "for_statement" else None
                    if test is not None and text(test.child_by_field_name("operator")) == b"<":
                        self._bounds.add(text(test.child_by_field_name("right")))
        return self._bounds

    def splits(self) -> set[bytes]:
        """Names that part the threads of a block in warp-level functions that name no other warp's size."""
        if self._splits is None:
            self._splits = set()
            for node in OPERATIONS.below(self.parsed.tree.root_node):
                right = bare(node.child_by_field_name("right"))
                if right is None or right.type not in ("identifier", "qualified_identifier"):
                    continue
                left = bare(node.child_by_field_name("left"))
                if text(node.child_by_field_name("operator")) in (b"/", b"%") and text(left) == b"threadIdx.x":
                    function = self.parsed.function(node.start_byte)
                    if function is not None and works_in_warps(self.parsed, function.span) and not self._says(node):
                        self._splits.add(text(right).rpartition(b"::")[2])
        return self._splits

    def _says(self, node: Node) -> bool:
        """Whether the function around a place names a warp's size."""
        function = self.quantities.function_at(node.start_byte)
        if function is None:
            return False
        start = function.span.start
        if start not in self._naming:
            around = self.parsed.tree.root_node.descendant_for_byte_range(start, function.span.end - 1)
            self._naming[start] = around is not None and any(NAMES.says_width(one) for one in identifiers(around))
        return self._naming[start]


def works_in_warps(parsed: ParsedFile, span: Span) -> bool:
    """Whether a function has warp-level code, or calls one that has it or is called after warps."""
    unit = facts(parsed).unit(span.start)
    if (unit is not None and unit.calls) or facts(parsed).calls_lane_code(span):
        return True
    node = parsed.tree.root_node.descendant_for_byte_range(span.start, max(span.start, span.end - 1))
    called = (plain_name(one.child_by_field_name("function")) for one in CALLS.below(node)) if node is not None else ()
    return any("warp" in word for name in called for word in NAMES.words(name))


def quotients(parsed: ParsedFile) -> Iterator[Span]:
    """Numbers of warps, or of what each lane has: something divided by 32, outside of the host's functions."""
    values = Quantities.of_file(parsed).values
    for node in OPERATIONS.below(parsed.tree.root_node):
        sign, right = text(node.child_by_field_name("operator")), bare(node.child_by_field_name("right"))
        by = {b"/": 32, b">>": 5}.get(sign)
        if by is None or right is None or right.type != "number_literal" or values.constant(right) != by:
            continue
        name, around = made(node), outer(node)
        factor = around is not None and text(around.child_by_field_name("operator")) == b"*"
        if not name or factor or parsed.scope(node.start_byte) == "host" or not NAMES.says_warps_or_share(name):
            continue
        span = Span(_place(node, name), right.end_byte)
        if (NAMES.says_warps(name) or _is_near_lanes(parsed, node)) and not _is_counted(parsed, span):
            yield span


def _place(node: Node, name: bytes) -> int:
    """Where the name stands that a value is for."""
    for around in expressions_around(node):
        for field in ("declarator", "name", "left"):
            target = around.child_by_field_name(field)
            if target is not None and target.end_byte <= node.start_byte and declared_name(target) == name:
                return target.start_byte
    return node.start_byte


def _is_near_lanes(parsed: ParsedFile, node: Node) -> bool:
    """Whether a function has warp-level code; outside of functions, whether lanes are named in the class around."""
    function = parsed.function(node.start_byte)
    if function is not None:
        return facts(parsed).unit(node.start_byte) is not None or works_in_warps(parsed, function.span)
    return near_lane_names(node)


def near_lane_names(node: Node) -> bool:
    """Whether the declaration or class around a place outside of functions names lanes or warps."""
    around = [node, *tree_sitter_nodes.ancestors(node)]
    holder = next((one for one in around if one.type in ("struct_specifier", "class_specifier")), None)
    if holder is None:
        holder = next((one for one in around if one.type.endswith("declaration")), node)
    return any(NAMES.says_lanes(one) for one in identifiers(holder))


def _is_counted(parsed: ParsedFile, span: Span) -> bool:
    """Whether lane arithmetic is found at a place already."""
    unit, units = facts(parsed).unit(span.start), facts(parsed).units
    among = [unit] if unit is not None else [units[at] for at in units if span.start <= at < span.end]
    return any(span.start <= count.start < span.end for one in among for count in one.counts)
