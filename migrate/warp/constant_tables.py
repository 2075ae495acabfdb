"""What elements of a file's constant arrays are worth: `__constant__ int by[2] = {0, 32};`, or an array copied to one.

An array counts where one declaration of the file gives it numbers in braces and says `const`, `constexpr` or
`__constant__`; one of device memory, where the only copy to it (`cudaMemcpyToSymbol`) is of such an array. An index
that is not known may be any that its bounds allow: a table is there to be read whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.integer_ranges import Range
from cudamigrate.warp.tree_queries import bare, plain_name
from cudamigrate.warp.value_ranges import ValueRanges

_DECLARATIONS = tree_sitter_nodes.Kinds("cuda", "declaration")
_CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")
_FIXED = re.compile(rb"\b(?:const|constexpr|__constant__)\b")
_ON_DEVICE = re.compile(rb"\b(?:__constant__|__device__)\b")
_COPIES = (b"cudaMemcpyToSymbol", b"cudaMemcpyToSymbolAsync", b"hipMemcpyToSymbol", b"hipMemcpyToSymbolAsync")
_LARGEST = 4096
"""Bytes of the longest list that is read: larger ones are no tables of shifts."""

Row = int | list["Row"]
"""A number, or the elements of a row."""


class ConstantTables:
    """The tables of one file."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed, self.ranges = parsed, ValueRanges.of_file(parsed)

    def values(self, element: Node) -> frozenset[int]:
        """The numbers that an element, `by[i][1]`, may be; none where its array is not seen, or an index misses it."""
        name, indices = indexed(element)
        if name is None or text(name) not in self.names:
            return frozenset()
        if self.ranges.scope(name) is not None:  # a parameter or a variable of the same name
            return frozenset()
        row = self.row(text(name))
        return frozenset() if row is None else frozenset(_chosen(row, [self.ranges.of(one) for one in indices]))

    def row(self, name: bytes) -> Row | None:
        """All of a table, or of the one that is copied to it."""
        given = self.names.get(name)
        if given is not None and given.type == "initializer_list":
            return self._read(given)
        sources = self._copied.get(name, [])
        source = self.names.get(sources[0]) if len(sources) == 1 else None
        return self._read(source) if source is not None and source.type == "initializer_list" else None

    @cached_property
    def names(self) -> Mapping[bytes, Node]:
        """The arrays that may be tables, each with its list, or its declarator where it has none."""
        found: dict[bytes, list[Node | None]] = {}
        for one in _DECLARATIONS.below(self.parsed.tree.root_node):
            for declarator in one.children_by_field_name("declarator"):
                inner: Node | None = declarator
                if declarator.type == "init_declarator":
                    inner = declarator.child_by_field_name("declarator")
                if inner is not None and inner.type == "array_declarator":
                    found.setdefault(_array(inner), []).append(_table(one, declarator, inner))
        return {name: every[0] for name, every in found.items() if len(every) == 1 and every[0] is not None}

    @cached_property
    def _copied(self) -> Mapping[bytes, list[bytes]]:
        """The arrays that calls copy to symbols, by symbol; one with an offset or a size of its own is in no list."""
        found: dict[bytes, list[bytes]] = {}
        for one in _CALLS.below(self.parsed.tree.root_node) if b"MemcpyToSymbol" in self.parsed.data else ():
            given = tree_sitter_nodes.elements(one.child_by_field_name("arguments"))
            if plain_name(one.child_by_field_name("function")) in _COPIES and len(given) >= 3:
                whole = text(given[2]).startswith(b"sizeof") or len(given) == 3
                found.setdefault(text(given[0]).strip(b'&" '), []).append(text(given[1]) if whole else b"")
        return found

    def _read(self, listed: Node, depth: int = 4) -> Row | None:
        """The numbers of a list; None where one of them is not known."""
        if listed.end_byte - listed.start_byte > _LARGEST or not depth:
            return None
        found: list[Row] = []
        for one in tree_sitter_nodes.elements(listed):
            number = self._read(one, depth - 1) if one.type == "initializer_list" else self.ranges.values.constant(one)
            if number is None:
                return None
            found.append(number)
        return found


def indexed(element: Node) -> tuple[Node | None, list[Node]]:
    """The array of an element, None for what is no variable, and its indices, the outermost first."""
    node, indices = bare(element), list[Node]()
    while node is not None and node.type == "subscript_expression":
        given = node.child_by_field_name("index") or node.child_by_field_name("indices")
        listed = tree_sitter_nodes.elements(given) if given is not None and given.type.endswith("list") else [given]
        indices[:0] = [one for one in listed if one is not None]
        node = bare(node.child_by_field_name("argument"))
    return (node if node is not None and node.type == "identifier" else None), indices


def _chosen(row: Row, indices: Sequence[Range]) -> list[int]:
    """The numbers that some indices, each between bounds, may pick of a table."""
    if isinstance(row, int) or not indices:
        return [row] if isinstance(row, int) and not indices else []
    low, high = indices[0]
    picked = row[max(low or 0, 0) : len(row) if high is None else high + 1]
    return [number for one in picked for number in _chosen(one, indices[1:])]


def _array(declarator: Node) -> bytes:
    """The name of an array of whatever dimensions."""
    inner: Node | None = declarator
    while inner is not None and inner.type == "array_declarator":
        inner = inner.child_by_field_name("declarator")
    return text(inner)


def _table(declaration: Node, declarator: Node, array: Node) -> Node | None:
    """The list of a declared table, or the array alone where device memory is filled elsewhere; None for others."""
    head = text(declaration)[: array.start_byte - declaration.start_byte]
    value = declarator.child_by_field_name("value") if declarator.type == "init_declarator" else None
    if value is not None:
        return value if value.type == "initializer_list" and _FIXED.search(head) is not None else None
    return array if _ON_DEVICE.search(head) is not None else None
