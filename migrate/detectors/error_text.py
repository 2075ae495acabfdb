"""Names of CUDA's errors in strings that are compared with the name that the library gives for an error.

`cudaGetErrorName` gives the enumerator as a text. HIP's gives its own, so that a comparison with CUDA's is never true.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.syntax.tree_sitter_nodes import Kinds

WORDS = (b"GetErrorName",)

_ASKING = re.compile(rb"\b(?:cuda|cu|hip|hipDrv)GetErrorName\s*\(")
_HELD = re.compile(
    rb"\b(?P<name>[A-Za-z_]\w*)\s*(?:=\s*|[({]\s*)(?:std\s*::\s*)?(?:string(?:_view)?\s*[({]\s*)?(?:cuda|hip)GetErrorName\s*\("
    rb"|\b(?:cu|hipDrv)GetErrorName\s*\([^;]*?,\s*&\s*(?P<given>[A-Za-z_]\w*)\s*\)"
)
"""A variable that is given the name: `name = cudaGetErrorName(`, `cuGetErrorName(e, &name)`."""
_RETURNED = re.compile(rb"\breturn\s[^;]*\b(?:cuda|hip)GetErrorName\s*\(")
_ERROR = re.compile(rb"\b(?:cudaError[A-Z]\w*|cudaSuccess|CUDA_ERROR_\w+|CUDA_SUCCESS)")
_NODES = Kinds("cuda", "binary_expression", "call_expression")
_COMPARE = re.compile(
    rb"(?:str(?:n?case)?n?cmp|strn?icmp|memcmp|strn?str|strcasestr|r?find|compare|equals?|starts_with|ends_with|contains"
    rb"|regex_(?:search|match)|iequals|(?:EXPECT|ASSERT)_(?:STR(?:CASE)?)?(?:EQ|NE)|(?:EXPECT|ASSERT|CHECK|REQUIRE)(?:_EQ)?)"
)
"""Functions that compare texts, and the macros of test frameworks."""
_LAST = re.compile(rb"(\w+)\s*\Z")
_LITERALS = ("string_literal", "raw_string_literal", "concatenated_string")
_MADE = re.compile(rb"(?:std\s*::\s*)?(?:string|string_view|regex)")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each string with such a name in a comparison with what the library gives, also through a variable."""
    if _ERROR.search(parsed.data) is None:
        return
    functions = _giving(parsed)
    for node in _NODES.below(parsed.tree.root_node):
        sides = _compared(node)
        if not sides or _ERROR.search(parsed.data, node.start_byte, node.end_byte) is None:
            continue
        literals = [one for one in map(_literal, sides) if one is not None]
        others = [one for one in sides if _literal(one) is None]
        if any(_is_name(parsed, one, functions) for one in others):
            for literal in literals:
                yield from _hits(parsed, literal)


def _hits(parsed: ParsedFile, literal: Node) -> Iterator[Hit]:
    named = _ERROR.search(text(literal))
    if named is not None and parsed.hip(literal.start_byte) is None:
        span = Span(literal.start_byte, literal.end_byte)
        yield Hit("memory/error-text", parsed.named_use(named[0].decode(), span, "syntax"))


def _compared(node: Node) -> list[Node]:
    """What a comparison compares; nothing for any other expression."""
    child = node.child_by_field_name
    if node.type == "binary_expression":
        sides = [child("left"), child("right")] if text(child("operator")) in (b"==", b"!=") else []
        return [one for one in sides if one is not None]
    function, given = child("function"), child("arguments")
    called = _LAST.search(text(function))
    if function is None or given is None or called is None or _COMPARE.fullmatch(called[1]) is None:
        return []
    receiver = function.child_by_field_name("argument") if function.type == "field_expression" else None
    return [*([receiver] if receiver is not None else []), *given.named_children]


def _literal(node: Node) -> Node | None:
    """The string literal that a side is, also as `std::string("...")`."""
    if node.type in _LITERALS:
        return node
    given = node.child_by_field_name("arguments")
    if node.type == "call_expression" and given is not None and given.named_child_count == 1:
        made = _MADE.fullmatch(text(node.child_by_field_name("function"))) is not None
        return _literal(given.named_children[0]) if made else None
    return None


def _is_name(parsed: ParsedFile, node: Node, functions: frozenset[bytes]) -> bool:
    """Whether a side is the name of an error: a call that gives it, or a variable of the function that holds one."""
    written = text(node)
    if _ASKING.search(written) is not None or not functions.isdisjoint(re.findall(rb"\b(\w+)\s*\(", written)):
        return True
    function = parsed.function(node.start_byte)
    if function is None:
        return False
    held = {one["name"] or one["given"] for one in _HELD.finditer(parsed.data, function.body.start, function.body.end)}
    for name in functions:
        given = re.compile(rb"\b(\w+)\s*(?:=|[({])\s*%b\s*\(" % re.escape(name))
        held.update(given.findall(parsed.data, function.body.start, function.body.end))
    return not held.isdisjoint(re.findall(rb"\w+", written))


def _giving(parsed: ParsedFile) -> frozenset[bytes]:
    """The functions of the file that return the name of an error."""
    bodies = ((one.name.encode(), one.body) for one in parsed.functions)
    return frozenset(name for name, body in bodies if _RETURNED.search(parsed.data, body.start, body.end) is not None)
