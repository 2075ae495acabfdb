"""TOML -> its pairs and strings by their dotted paths."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re

_KEYS = ("bare_key", "dotted_key", "quoted_key")


def values(root: Node) -> Iterator[tuple[str, Node]]:
    """Every pair that is in a table itself, with the path of that table, and every string, with its own path."""
    waiting: list[tuple[str, Node]] = [("", root)]
    while waiting:
        path, node = waiting.pop()
        if node.type == "string":
            yield path, node
            continue
        if node.type in ("table", "table_array_element", "pair"):
            key = next((child for child in node.named_children if child.type in _KEYS), None)
            if node.type == "pair":
                yield path, node
            path = ".".join(filter(None, (path, key_of(key) if key is not None else "")))
        waiting.extend((path, child) for child in reversed(node.named_children) if child.type not in _KEYS)


def key_of(node: Node) -> str:
    """The dotted text of a key, without quotes."""
    text = (node.text or b"").decode("utf-8", "replace")
    return re.sub(r"\s*\.\s*", ".", text).replace('"', "").replace("'", "")
