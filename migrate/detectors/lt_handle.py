"""Handles of cuBLAS used as handles of cuBLASLt: hipBLAS and hipBLASLt share none."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import declared, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.syntax import tree_sitter_nodes

WORDS = (b"cublasLtHandle_t", b"hipblasLtHandle_t")

_TYPE = re.compile(rb"\b(?:cublasLtHandle_t|hipblasLtHandle_t)\b")
_CASTS = re.compile(rb"(?:reinterpret_cast|static_cast)\s*<[^<>*&]*>")
"""A cast of C++ with the type in it; to a pointer or a reference to handles it is another matter."""
_NOTHING = (b"0", b"NULL", b"nullptr")
_HELD = frozenset(
    (b"void", b"cublasLtHandle_t", b"hipblasLtHandle_t", b"uintptr_t", b"intptr_t", b"int64_t", b"uint64_t", b"size_t")
)
"""Words of types that carry a handle of any kind, which the code that fills them knows."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each value that a cast makes a handle of cuBLASLt, but a null, or one of a type that any handle may be in."""
    for match in parsed.lexed.starting(_TYPE, *WORDS):
        around = [*parsed.nodes_around(*match.span())]
        cast = next((one for one in reversed(around) if one.type in ("cast_expression", "call_expression")), None)
        value = None if cast is None else _value(cast, match.start())
        if cast is None or value is None or text(value) in _NOTHING or _is_carried(parsed, value):
            continue
        given = Span(value.start_byte, value.end_byte)
        yield Hit("library/lt-handle", parsed.named_use(text(value).decode("utf-8", "replace"), given))


def _value(cast: Node, offset: int) -> Node | None:
    """What is cast, where the type at `offset` is what it is cast to."""
    if cast.type == "cast_expression":
        to = cast.child_by_field_name("type")
        value = cast.child_by_field_name("value")
        return value if to is not None and to.start_byte <= offset < to.end_byte and b"*" not in text(to) else None
    function = cast.child_by_field_name("function")
    given = tree_sitter_nodes.elements(cast.child_by_field_name("arguments"))
    named = function is not None and function.start_byte <= offset < function.end_byte and len(given) == 1
    is_cast = named and (_CASTS.fullmatch(text(function)) or _TYPE.fullmatch(text(function)))
    return given[0] if is_cast else None


def _is_carried(parsed: ParsedFile, value: Node) -> bool:
    """Whether a value is a variable of the function around it whose type may carry any handle."""
    function = parsed.function(value.start_byte)
    if function is None or value.type != "identifier":
        return False
    node = parsed.tree.root_node.descendant_for_byte_range(function.span.start, function.span.end - 1)
    found = [local for name, local in declared(node) if name == text(value)] if node is not None else []
    return bool(found) and all(not _HELD.isdisjoint(local.words) for local in found)
