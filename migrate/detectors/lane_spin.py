"""Loops in which lanes wait for a lane of their own wave."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from migrate import trees
from migrate.model import Hit, Span, Use
from migrate.parsed import ParsedFile

_TAKING = re.compile(rb"\batomic(?:CAS|Exch)(?:_block|_system)?\s*\(")
_RELEASING = re.compile(rb"\batomic(?:Exch|CAS|And|Sub|Add)\w*\s*\(|\bbreak\b|\breturn\b|=\s*(?:true|false)\b")
_ONE_THREAD = re.compile(rb"threadIdx|\blane|\btid\b|thread_rank|elect")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """`while (atomicCAS(...))` with nothing in its body that could let go of the lock.

    Where a condition around the loop chooses threads, one lane may be alone in it: that stays silent.
    """
    for match in parsed.lexed.matches(_TAKING, b"atomicCAS", b"atomicExch"):
        if parsed.scope(match.start()) == "host" or parsed.hip(match.start()) is not None:
            continue
        loop = _loop(parsed, match.start())
        if loop is None or _chosen(loop):
            continue
        span = Span(loop.start_byte, loop.end_byte)
        name = match[0].rstrip(b"( \t").decode("latin-1")
        use = Use("name", name, span, span, (), parsed.scope(span.start), parsed.certainty(span.start))
        yield Hit("warp/lane-spin", use, {"name": name})


def _loop(parsed: ParsedFile, offset: int) -> Node | None:
    """The loop whose condition takes the lock at `offset` and whose body does not release it."""
    node = parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    for around in trees.ancestors(node) if node is not None else ():
        if around.type in ("while_statement", "do_statement", "for_statement"):
            condition, body = around.child_by_field_name("condition"), around.child_by_field_name("body")
            if condition is None or not condition.start_byte <= offset < condition.end_byte:
                return None
            inside = b"" if body is None or body.text is None else body.text
            return None if _RELEASING.search(inside) else around
        if around.type.endswith("_statement") or around.type == "compound_statement":
            return None
    return None


def _chosen(loop: Node) -> bool:
    for around in trees.ancestors(loop):
        if around.type == "if_statement":
            condition = around.child_by_field_name("condition")
            if condition is not None and condition.text is not None and _ONE_THREAD.search(condition.text):
                return True
        if around.type == "function_definition":
            return False
    return False
