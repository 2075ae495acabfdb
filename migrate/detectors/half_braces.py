"""Empty braces that a variable of half precision is assigned: HIP's types have several `operator=` that take them."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.dispatched_types import plain
from cudamigrate.warp.element_types import pointee, variable_type
from cudamigrate.warp.tree_queries import bare

WORDS = (b"half", b"half2", b"__half", b"__half2", b"nv_half", b"nv_half2", b"__nv_half", b"__nv_half2")

_ASSIGNMENTS = tree_sitter_nodes.Kinds("cuda", "assignment_expression")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such assignment in code that HIP compiles; the use has the braces."""
    for one in _ASSIGNMENTS.below(parsed.tree.root_node):
        right = one.child_by_field_name("right")
        empty = right is not None and right.type == "initializer_list" and not right.named_children
        if right is None or not empty or text(one.child_by_field_name("operator")) != b"=":
            continue
        kind = _assigned(one.child_by_field_name("left"))
        if kind in WORDS and parsed.hip(one.start_byte) is None:
            span, whole = Span(right.start_byte, right.end_byte), Span(one.start_byte, one.end_byte)
            scope, certainty = parsed.scope(span.start), parsed.certainty(span.start)
            written = "__half2" if kind.endswith(b"2") else "__half"
            use = Use("name", written, span, whole, (Span(span.start, span.start),), scope, certainty)
            yield Hit("math/half-braces", use, {"type": kind.decode(), "written": written})


def _assigned(node: Node | None) -> bytes:
    """The type of what is assigned, as its declaration spells it: a variable, an element, or what is pointed to."""
    inner = bare(node)
    if inner is None:
        return b""
    if inner.type in ("subscript_expression", "pointer_expression"):
        return plain(pointee(inner.child_by_field_name("argument")))
    return plain(variable_type(inner)) if inner.type == "identifier" else b""
