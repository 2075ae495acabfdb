"""Rust: the files whose text a program takes in when it is compiled, `include_str!("a.cu")`, and texts in its code."""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.syntax import tree_sitter_nodes, utf8
from cudamigrate.syntax.tree_sitter_nodes import Kinds

_MACROS = Kinds("rust", "macro_invocation")
_TEXTS = Kinds("rust", "string_content")
_TAKING = ("include_str", "include_bytes")


def taken(data: bytes) -> tuple[str, ...]:
    """The files whose text the code takes in, as it spells them.

    Of `concat!(env!("CARGO_MANIFEST_DIR"), "/src/a.cu")` it is the end that is told, from its slash on.
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


def _text(node: Node) -> str:
    return utf8.text(node.text or b"")
