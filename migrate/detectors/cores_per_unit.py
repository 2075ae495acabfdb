"""Cores of a multiprocessor worked out from the compute capability, to be multiplied by the number of them."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.syntax import tree_sitter_nodes

WORDS = ((b"major", b"multiProcessorCount"),)

_CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")
_BINARY = tree_sitter_nodes.Kinds("cuda", "binary_expression")
_PART = re.compile(rb"(?P<of>.+?)\s*(?:\.|->)\s*(?P<part>major|minor)", re.DOTALL)
_COUNT = re.compile(rb"\bmultiProcessorCount\b")
_AROUND = ("parenthesized_expression", "cast_expression")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each call that gets `major` and `minor` of a GPU's properties, and whose result the multiprocessors multiply."""
    for call in _CALLS.below(parsed.tree.root_node):
        if _takes_capability(call) and _is_multiplied(parsed, call):
            span = Span(call.start_byte, call.end_byte)
            yield Hit("memory/cores-per-unit", parsed.named_use("major", span, "syntax"))


def _takes_capability(call: Node) -> bool:
    given = call.child_by_field_name("arguments")
    found = [_PART.fullmatch(text(one)) for one in given.named_children] if given is not None else []
    parts = [(one["of"], one["part"]) for one in found if one is not None]
    return len(found) == 2 == len(parts) and parts[0][0] == parts[1][0] and parts[0][1] != parts[1][1]


def _is_multiplied(parsed: ParsedFile, call: Node) -> bool:
    """Whether the result, or the variable that it becomes the value of, is multiplied by the count."""
    inner, outer = call, tree_sitter_nodes.parent(call)
    while outer is not None and outer.type in _AROUND:
        inner, outer = outer, tree_sitter_nodes.parent(outer)
    if outer is None:
        return False
    if outer.type == "binary_expression":
        return _multiplies(outer, text(inner))
    side = {"init_declarator": "declarator", "assignment_expression": "left"}.get(outer.type, "")
    name, function = text(outer.child_by_field_name(side)) if side else b"", parsed.function(call.start_byte)
    if not name or function is None:
        return False
    return any(
        outer.end_byte <= one.start_byte < function.span.end and _multiplies(one, name)
        for one in _BINARY.below(parsed.tree.root_node)
    )


def _multiplies(one: Node, factor: bytes) -> bool:
    sides = [text(one.child_by_field_name(side)) for side in ("left", "right")]
    return (
        text(one.child_by_field_name("operator")) == b"*"
        and factor in sides
        and _COUNT.search(sides[1 - sides.index(factor)]) is not None
    )
