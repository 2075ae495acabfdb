"""Loops that only another thread can end: they change nothing that they look at."""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.warp.expressions import called

_IDLE = frozenset(("__nanosleep", "__threadfence", "__threadfence_block", "__threadfence_system", "__syncwarp"))


def only_waits(loop: Node) -> bool:
    """Whether a loop changes nothing that it looks at, so that only another thread can end it."""
    test = loop.child_by_field_name("condition")
    if loop.child_by_field_name("update") is not None or loop.type == "for_range_loop":
        return False
    body = loop.child_by_field_name("body")
    tests = [] if test is None else [test]
    waiting = [body] if body is not None else []
    while waiting:
        node = waiting.pop()
        if node.type in ("assignment_expression", "update_expression", "declaration", "return_statement"):
            return False
        if node.type == "if_statement":
            inner = node.child_by_field_name("condition")
            tests += [] if inner is None else [inner]
            waiting += [one for one in node.named_children if one != inner]
        elif (
            node.type == "call_expression" and called(text(node.child_by_field_name("function")).decode()) not in _IDLE
        ):
            return False
        else:
            waiting += node.named_children
    return any(_looks(one) for one in tests)


def _looks(test: Node) -> bool:
    """Whether a condition reads memory or calls something, as a number by itself never changes."""
    if test.type in ("call_expression", "subscript_expression", "pointer_expression", "field_expression"):
        return True
    if test.type in ("assignment_expression", "update_expression"):
        return False
    return any(_looks(one) for one in test.named_children)
