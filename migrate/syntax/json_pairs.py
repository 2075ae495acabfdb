"""JSON: the pairs of its objects, with the keys around them."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.model import Span
from cudamigrate.syntax import utf8
from cudamigrate.syntax.shell import Word


def pairs(data: bytes, root: Node) -> Iterator[tuple[tuple[str, ...], Node, Node]]:
    """Each pair of an object with the keys that lead to it, its own last, and its value."""
    waiting: list[tuple[tuple[str, ...], Node]] = [((), root)]
    while waiting:
        path, node = waiting.pop()
        if node.type == "pair":
            key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
            if key is None or value is None:
                continue
            path = (*path, word(data, key).text)[:20]
            yield path, node, value
        waiting.extend((path, child) for child in reversed(node.named_children))


def word(data: bytes, node: Node) -> Word:
    """What a string holds, without its quotes."""
    span = Span(node.start_byte + 1, max(node.start_byte + 1, node.end_byte - 1))
    return Word(utf8.text(data[span.start : span.end]), span, plain=True)
