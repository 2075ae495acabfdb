"""Values that go to output and nowhere else: what they are changes a text, and nothing that is computed."""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes

_OUTPUT = frozenset((b"printf", b"fprintf", b"snprintf", b"std::printf", b"std::fprintf", b"puts", b"fmt::print"))
_LITERALS = ("string_literal", "concatenated_string")
_TEXTS = (*_LITERALS, "char_literal")
_PLACE = re.compile(rb"%[-+ #0]*\d*l{0,2}[diuxXz]")
"""A place for a number in a text: `%d`, `%4u`."""
_PROGRAM = re.compile(rb"-D\w|#\s*define|;\s*%|=\s*%[^;]*;")
"""Text of a program, `int lanes = %d;`, or of a compiler's options."""
_SETTING = re.compile(rb"=\s*%")
"""A value behind `=`, as an option, a setting or a list of what there is has it."""
_DESCRIBES = re.compile(rb"\A[^-]*(?:\\n|\s)")
"""A text of several words or lines, and without options: it is read by people."""
_STREAM = re.compile(rb"\s*(?:std::)?(?:cout|cerr|clog)\s*<<")


def is_printed(parsed: ParsedFile, start: int) -> bool:
    """Whether a value goes to a stream or to a function that writes text, and nowhere else."""
    node = parsed.tree.root_node.descendant_for_byte_range(start, start + 1)
    for around in tree_sitter_nodes.ancestors(node) if node is not None else ():
        if around.type == "call_expression":
            return text(around.child_by_field_name("function")) in _OUTPUT or _is_formatted(around, start)
        if around.type == "expression_statement":
            return (_STREAM.match(text(around)) is not None or _writes_text(around)) and not _assigns(around)
        if around.type in ("declaration", "assignment_expression", "compound_statement"):
            return False
    return False


def _writes_text(statement: Node) -> bool:
    """Whether a statement is a row of `<<` in which a text is: no number is shifted by it, so it goes to a stream."""
    node = statement.named_children[0] if statement.named_child_count else None
    while node is not None and node.type == "binary_expression" and text(node.child_by_field_name("operator")) == b"<<":
        right = node.child_by_field_name("right")
        if right is not None and right.type in _TEXTS:
            return True
        node = node.child_by_field_name("left")
    return False


def _is_formatted(call: Node, start: int) -> bool:
    """Whether a value is given to a function or macro behind a text with a place: `LOG("lanes: %d", p.warpSize)`.

    Text of a program or of a compiler's options, `"-DLANES=%d"`, is no output. One with `lanes=%d` may be a setting; it
    is output where the text comes first and describes several things, and nothing takes what the call gives.
    """
    given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    texts = [text(one) for one in given if one.type in _LITERALS and one.start_byte < start]
    if not any(_PLACE.search(one) for one in texts) or any(_PROGRAM.search(one) for one in texts):
        return False
    if not any(_SETTING.search(one) for one in texts):
        return True
    is_statement = call.parent is not None and call.parent.type == "expression_statement"
    return is_statement and given[0].type in _LITERALS and all(_DESCRIBES.search(one) for one in texts)


def _assigns(statement: Node) -> bool:
    return any(child.type == "assignment_expression" for child in statement.named_children)
