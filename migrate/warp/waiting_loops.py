"""Loops that only another thread can end: they change nothing that they look at."""

from __future__ import annotations

from collections.abc import Mapping

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.syntax import tree_sitter_nodes

_VARIABLES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_LEAVES = ("break_statement", "return_statement")
_LOOKS = ("call_expression", "subscript_expression", "pointer_expression", "field_expression")


def waits(loop: Node) -> list[Node] | None:
    """The calls in the body of a loop that changes nothing it looks at; None for a loop that does.

    What it declares is new in each turn, and what it does right before it leaves is done once.
    A variable that no condition mentions may change.
    """
    test = loop.child_by_field_name("condition")
    if loop.child_by_field_name("update") is not None or loop.type == "for_range_loop":
        return None
    body = loop.child_by_field_name("body")
    tests = [] if test is None else [test]
    waiting = [body] if body is not None else []
    calls: list[Node] = []
    made: dict[bytes, Node] = {}
    changed: set[bytes] = set()
    while waiting:
        node = waiting.pop()
        if node.type in ("assignment_expression", "update_expression"):
            changed.add(_changed(node))
        if node.type == "return_statement" or b"" in changed:
            return None
        if node.type == "if_statement":
            inner = node.child_by_field_name("condition")
            tests += [] if inner is None else [inner]
            waiting += [one for one in node.named_children if one != inner and not _leaves(one)]
            continue
        if node.type == "init_declarator":
            name, value = node.child_by_field_name("declarator"), node.child_by_field_name("value")
            made |= {text(name): value} if value is not None else {}
        calls += [node] if node.type == "call_expression" else []
        waiting += node.named_children
    asked = {name for one in (*tests, *made.values()) for name in _names(one)}
    return calls if changed.isdisjoint(asked) and any(_looks(one, made) for one in tests) else None


def _names(node: Node) -> set[bytes]:
    """The variables of an expression."""
    return {text(one) for one in _VARIABLES.below(node)}


def _changed(node: Node) -> bytes:
    """The variable that an assignment changes; empty for memory."""
    target = node.child_by_field_name("left") or node.child_by_field_name("argument")
    return text(target) if target is not None and target.type == "identifier" else b""


def _leaves(node: Node) -> bool:
    """Whether a branch ends the loop."""
    last = node.named_children[-1] if node.type == "compound_statement" and node.named_child_count else node
    return last.type in _LEAVES


def _looks(test: Node, made: Mapping[bytes, Node]) -> bool:
    """Whether a condition reads memory or calls something, as a number by itself never changes."""
    if test.type in _LOOKS:
        return True
    if test.type == "update_expression":
        return False
    if test.type == "assignment_expression":
        left, right = test.child_by_field_name("left"), test.child_by_field_name("right")
        plain = text(test.child_by_field_name("operator")) == b"="
        return plain and right is not None and text(left) not in _names(right) and _looks(right, made)
    if test.type == "identifier" and text(test) in made:
        return _looks(made[text(test)], {})
    return any(_looks(one, made) for one in test.named_children)
