"""Remarks on 32 lanes that compute nothing: assertions, and full masks on their way to a call across lanes."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Span
from cudamigrate.warp.lane_counts import NUMBER, in_device
from cudamigrate.warp.quantities import Quantities
from cudamigrate.warp.tree_queries import (
    assertion,
    bare,
    callee,
    class_name,
    identifiers,
    made,
    span,
)
from cudamigrate.warp.vocabulary import NAMES, Quantity

_FULL = 0xFFFFFFFF


def remarks(parsed: ParsedFile) -> Iterator[Span]:
    """Every range that speaks of 32 lanes and computes nothing: assertions, full masks on their way to a call."""
    found = _Remarks(parsed)
    for start in in_device(parsed, (match.start() for match in NUMBER.finditer(parsed.data))):
        node = _number_at(parsed, start)
        place = found.find(node) if node is not None else None
        if place is not None and parsed.hip(start) is None:
            yield place


def _number_at(parsed: ParsedFile, start: int) -> Node | None:
    node = parsed.tree.root_node.descendant_for_byte_range(start, start + 1)
    return node if node is not None and node.type == "number_literal" else None


class _Remarks:
    """Numbers that only assert something of lanes, or name them all."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed, self.quantities = parsed, Quantities.of_file(parsed)

    def find(self, node: Node) -> Span | None:
        """The range of an assertion's comparison, or of a mask."""
        value, parent = self.quantities.values.constant(node), node.parent
        if value == _FULL:
            return span(node) if self._is_mask(node) else None
        if parent is None or parent.type != "binary_expression" or value not in (31, 32):
            return None
        around = assertion(node)
        return span(parent) if around is not None and self._speaks(around, parent, node) else None

    def _speaks(self, around: Node, comparison: Node, node: Node) -> bool:
        """Whether an assertion is of lanes: in its words, its function's or class's name, or by what it bounds."""
        sign, left = text(comparison.child_by_field_name("operator")), comparison.child_by_field_name("left")
        if sign in (b"<", b"<=", b">", b">="):
            name = text(bare(left))
            return self.quantities.meets(name, node.start_byte, Quantity.LANE | Quantity.WARP)
        if b"64" in text(around):
            return False
        function = self.parsed.function(node.start_byte)
        if NAMES.says_lanes(class_name(node)) or (function is not None and NAMES.shuffles(function.name.encode())):
            return True
        return any(_says_lane_word(word) for word in identifiers(around))

    def _is_mask(self, node: Node) -> bool:
        """A full mask that goes into a call across lanes, by itself or by way of variables."""
        listed = node.parent
        if listed is not None and listed.type == "argument_list":
            name = callee(listed)
            return not name.startswith(b"__") and (NAMES.shuffles(name) or NAMES.votes(name))
        name, function = made(node), self.parsed.function(node.start_byte)
        if not name or function is None:
            return False
        wanted = {name}
        for _ in range(4):
            for other, locals_ in self.quantities.values.locals(node.start_byte).items():
                if any(one.value is not None and wanted & set(identifiers(one.value)) for one in locals_):
                    wanted.add(other)
        return any(text(bare(use_mask)) in wanted for use_mask in _masks(self.parsed, function.span))


def _masks(parsed: ParsedFile, span: Span) -> Iterator[Node]:
    """The first arguments of calls with a mask, in a range."""
    for use in parsed.uses:
        if (
            span.start <= use.span.start < span.end
            and use.args
            and (use.name.endswith("_sync") or use.name == "__syncwarp")
        ):
            first = use.args[0]
            node = parsed.tree.root_node.descendant_for_byte_range(first.start, first.end - 1)
            if node is not None:
                yield node


def _says_lane_word(word: bytes) -> bool:
    parts = set(NAMES.words(word.strip(b'",.;:()')))
    if parts & {"shape", "tile", "k", "m", "n"} and "size" not in parts:
        return False
    return bool(parts & {"warp", "warps", "lane", "warpsize"}) or word.strip(b'",.') == b"lanes"
