"""Rust: files whose text a program takes in when it is compiled, `include_str!("a.cu")`, and strings in its code.

Strings that start programs are found among them: `Command::new("nvcc")`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes, utf8
from cudamigrate.syntax.tree_sitter_nodes import Kinds

_MACROS = Kinds("rust", "macro_invocation")
_CALLS = Kinds("rust", "call_expression")
_TEXTS = Kinds("rust", "string_content")
_TAKING = ("include_str", "include_bytes")


def taken(data: bytes) -> tuple[str, ...]:
    """The files whose text the code takes in, as it spells them.

    Of `concat!(env!("CARGO_MANIFEST_DIR"), "/src/a.cu")` the result is the end, from its slash on.
    Source: The Rust standard library, `include_str` and `include_bytes`: relative to the file that has the macro.
    """
    if not any(f"{one}!".encode() in data for one in _TAKING):
        return ()
    root = tree_sitter_nodes.parse("rust", data).root_node
    found = []
    for node in _MACROS.below(root):
        name = node.child_by_field_name("macro")
        texts = _TEXTS.below(node) if name is not None and _text(name).rpartition("::")[2] in _TAKING else []
        found += [_text(texts[-1])] if texts else []
    return tuple(found)


def literals(data: bytes) -> tuple[str, ...]:
    """What the strings in the code hold."""
    return tuple(map(_text, _TEXTS.below(tree_sitter_nodes.parse("rust", data).root_node)))


def calls_with_one_text(data: bytes, method: str) -> Iterator[tuple[Span, Span]]:
    """The calls of a method that are given a string and nothing else, `.header("a.h")`: the string, and the call.

    The call begins at the dot of the method. What is in the string has no quotes.
    """
    if f".{method}".encode() not in data:
        return
    for call in _CALLS.below(tree_sitter_nodes.parse("rust", data).root_node):
        function = call.child_by_field_name("function")
        field = function.child_by_field_name("field") if function is not None else None
        given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
        if field is None or _text(field) != method or len(given) != 1 or not given[0].type.endswith("string_literal"):
            continue
        for text in _TEXTS.below(given[0]):
            start = data.rfind(b".", 0, field.start_byte)
            yield Span(text.start_byte, text.end_byte), Span(start, call.end_byte)


def makes_command(call: Node) -> bool:
    """Whether a call is `Command::new(...)` of the standard library, by whatever path."""
    return _text(call.child_by_field_name("function") or call).endswith("Command::new")


def started(root: Node, program: re.Pattern[str]) -> Iterator[Span]:
    """The texts by which commands start a program, `Command::new("nvcc")`, of those that a pattern is for."""
    for call in filter(makes_command, _CALLS.below(root)):
        given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
        for text in _TEXTS.below(given[0]) if given else ():
            if program.fullmatch(_text(text)) is not None:
                yield Span(text.start_byte, text.end_byte)


def _text(node: Node) -> str:
    return utf8.text(node.text or b"")
