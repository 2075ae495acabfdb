"""What of the text each answer to a condition runs alone: branches, cases, and what a branch that leaves passes by.

A region is a row of spans of bytes. No thread runs code of two regions of a condition while it answers it once.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.syntax import tree_sitter_nodes

Spans = tuple[tuple[int, int], ...]
_LOOPS = frozenset(("while_statement", "do_statement", "for_statement", "for_range_loop"))
_ROUTINES = frozenset(("function_definition", "lambda_expression"))
_LEAVES = {
    "return_statement": _ROUTINES,
    "continue_statement": _LOOPS,
    "break_statement": _LOOPS | {"switch_statement"},
}


def regions(node: Node) -> tuple[Spans, ...]:
    """The regions of a branch, a choice, a `switch`, or of the turns of a loop, which is one."""
    if node.type == "switch_statement":
        return tuple(_cases(node))
    if node.type in ("conditional_expression", "if_statement"):
        first, second = (node.child_by_field_name(part) for part in ("consequence", "alternative"))
        parts: list[list[tuple[int, int]]] = [[_span(one)] if one is not None else [] for one in (first, second)]
        for at, one in enumerate((first, second) if node.type == "if_statement" else ()):
            end = _left_at(one) if one is not None else 0
            if end > node.end_byte:
                parts[1 - at].append((node.end_byte, end))
        return tuple(tuple(one) for one in parts if one)
    part = node.child_by_field_name("body" if node.type in _LOOPS else "right")
    return () if part is None else ((_span(part),),)


def behind(node: Node) -> tuple[int, int]:
    """What all threads come to after a statement: up to the end of the loop or the routine around."""
    around = _around(node, _LOOPS | _ROUTINES)
    return node.end_byte, around.end_byte if around is not None else node.end_byte


def _span(node: Node) -> tuple[int, int]:
    return node.start_byte, node.end_byte


def _around(node: Node, kinds: frozenset[str]) -> Node | None:
    return next((one for one in tree_sitter_nodes.ancestors(node) if one.type in kinds), None)


def _cases(node: Node) -> Iterator[Spans]:
    """One region for each row of cases that run into each other."""
    body = node.child_by_field_name("body")
    start = 0
    for case in body.named_children if body is not None else ():
        if case.type == "case_statement":
            start = start or case.start_byte
            if _left_at(case):
                yield ((start, case.end_byte),)
                start = 0
    if start and body is not None:
        yield ((start, body.end_byte),)


def _left_at(node: Node) -> int:
    """Where what a statement that never runs to its end passes by ends; 0 where it may run to its end."""
    kinds = _LEAVES.get(node.type)
    if kinds is not None:
        around = _around(node, kinds)
        return around.end_byte if around is not None else 0
    held = [one for one in node.named_children if one.type != "comment"]
    if node.type in ("compound_statement", "case_statement", "else_clause"):
        return next((end for one in reversed(held) if (end := _left_at(one))), 0)
    if node.type == "if_statement":
        parts = [node.child_by_field_name(part) for part in ("consequence", "alternative")]
        ends = [_left_at(one) if one is not None else 0 for one in parts]
        return min(ends)
    return 0
