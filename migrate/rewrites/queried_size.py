"""Write 32 for the wave size that the host asked the GPU for: what it is in CUDA, and in the kernels converted."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from cudamigrate.analysis.device_properties import is_hardware_s
from cudamigrate.analysis.lvalue_uses import needs_place
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes

_STATEMENTS = ("expression_statement", "declaration", "if_statement", "return_statement", "for_statement")

_DOING = tree_sitter_nodes.Kinds("cuda", "update_expression", "assignment_expression", "call_expression")


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """A member becomes the number, but where a place in memory is needed; what a query gave is set after it."""
    node = parsed.tree.root_node.descendant_for_byte_range(use.span.start, max(use.span.start, use.span.end - 1))
    while node is not None and node.end_byte < use.span.end:
        node = node.parent
    if node is None or node.has_error:
        return []
    if node.type == "field_expression":
        sure = is_hardware_s(parsed, node) and not needs_place(parsed, node)
        return [Edit(use.span, b"32")] if sure else []
    if node.type == "qualified_identifier" or text(node) == b"warpSize":  # a member that is read elsewhere
        return []
    return _after_query(parsed, node)


def _after_query(parsed: ParsedFile, node: Node) -> list[Edit]:
    call = next((one for one in tree_sitter_nodes.ancestors(node) if one.type == "call_expression"), None)
    arguments = call.child_by_field_name("arguments") if call is not None else None
    if call is None or arguments is None or len(arguments.named_children) != 3:
        return []
    result = arguments.named_children[0]
    if result.type != "pointer_expression" or not text(result).startswith(b"&"):
        return []
    statement = next((one for one in tree_sitter_nodes.ancestors(call) if one.type in _STATEMENTS), None)
    if statement is None or statement.parent is None or statement.parent.type != "compound_statement":
        return []
    name = text(result)[1:].strip()
    if _DOING.below(result):
        return []  # `&sizes[n++]` would be another place when it is named again
    if statement.type == "return_statement" or len(re.findall(rb"\b%s\b" % re.escape(name), text(statement))) > 1:
        return []  # read before anything behind the statement is done
    line = parsed.data.rfind(b"\n", 0, statement.start_byte) + 1
    indent = parsed.data[line : statement.start_byte]
    gap = b"\n" + indent if not indent.strip() else b" "
    place = Span(statement.end_byte, statement.end_byte)
    return [Edit(place, gap + name + b" = 32;")]
