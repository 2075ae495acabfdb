"""`min` and `max` of PyTorch's 16-bit floats and a `double`: CUDA has them for a `float` and a `double`, HIP has not.

A kernel that is made for each type of `AT_DISPATCH_FLOATING_TYPES_AND_HALF` so compares its template's type with `0.1`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.dispatched_types import plain, stands_for_half
from cudamigrate.warp.element_types import pointee, variable_type
from cudamigrate.warp.tree_queries import bare

WORDS = ((b"min", b"AT_DISPATCH_"), (b"max", b"AT_DISPATCH_"))

_NAME = re.compile(rb"(?:(?<![\w.:>])min|(?<![\w.:>])max)(?=[ \t]*\()")
_DOUBLE = re.compile(rb"(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?")
"""A literal of type `double`: `0.1`, `1.`, `1e-3`."""
_ARITHMETIC = (b"+", b"-", b"*", b"/")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such call in device code, where the file has no function or macro of the name itself."""
    own = {definition.name for definition in parsed.definitions} | {one.name for one in parsed.functions}
    own |= {name.decode("latin-1") for name in Values.of(parsed).constants()}
    for match in parsed.lexed.starting(_NAME, b"min", b"max"):
        name, span = match[0].decode(), Span(*match.span())
        if name in own or parsed.scope(span.start) != "device" or parsed.hip(span.start) is not None:
            continue
        node = node_at(parsed, span.start, span.end)
        call = node.parent if node is not None else None
        if call is None or call.type != "call_expression":
            continue
        given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
        halves = [one for one in given if not _is_double(one)]
        if len(given) != 2 or len(halves) != 1:
            continue
        kind = _type(halves[0])
        if kind and stands_for_half(parsed, call, kind):
            place = Span(halves[0].start_byte, halves[0].end_byte)
            use = Use("call", name, span, Span(call.start_byte, call.end_byte), (place,), "device", "syntax")
            yield Hit("math/half-min-max", use, {"name": name, "type": kind.decode()})


def _is_double(node: Node) -> bool:
    inner = bare(node)
    if inner is not None and inner.type == "unary_expression":
        inner = bare(inner.child_by_field_name("argument"))
    return inner is not None and inner.type == "number_literal" and _DOUBLE.fullmatch(text(inner)) is not None


def _type(node: Node | None) -> bytes:
    """The type of a sum, product, element, cast or variable whose parts all have one type; empty for any other."""
    inner = bare(node)
    if inner is None:
        return b""
    child = inner.child_by_field_name
    if inner.type == "binary_expression" and text(child("operator")) in _ARITHMETIC:
        left, right = _type(child("left")), _type(child("right"))
        return left if left == right else b""
    if inner.type == "subscript_expression":
        return plain(pointee(child("argument")))
    if inner.type == "cast_expression":
        return plain(text(child("type")))
    return plain(variable_type(inner)) if inner.type == "identifier" else b""
