"""Calls in warp-synchronous steps whose arguments must stay of one type: `s[t] = std::min(s[t], s[t + 16])`.

A template such as `std::min` takes its one type from all arguments. Elements of a `volatile` array agree on it, and
plain copies do; an element and a copy do not. Source: C++ standard, [temp.deduct.call].
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import bare
from cudamigrate.warp.warp_synchronous import Step, is_volatile
from cudamigrate.warp.warp_synchronous_steps import assignments, squeezed, with_members

_CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")


def copied_beside(parsed: ParsedFile, function: Function, step: Step) -> dict[bytes, list[Node]] | None:
    """The lane's own places that calls of a step take beside those of another lane, by their source.

    They are to be copied as those are. None where that would change what the step does or is not understood: a second
    assignment of the step may change what a later call reads, and an element of a third index may not be the lane's.
    """
    if step.after is not None:
        return {}  # such a step stays as it is written
    read = {node.start_byte for nodes in step.reads.values() for node in nodes}
    found: dict[bytes, list[Node]] = {}
    for arguments in _arguments(step.statement):
        others = [one for one in arguments if one.start_byte not in read]
        if len(others) == len(arguments):
            continue
        for one in others:
            access = _access(one)
            if access is None or not is_volatile(parsed, function, access):
                continue
            if squeezed(access.child_by_field_name("indices")) != b"[" + squeezed(step.index) + b"]":
                return None
            found.setdefault(squeezed(one), []).append(one)
    return None if found and len(list(assignments(step.statement))) > 1 else found


def _arguments(statement: Node) -> Iterator[list[Node]]:
    """The arguments of each call that leaves its types to them, as `f<float>(a, b)` does not."""
    for call in _CALLS.below(statement):
        function, given = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if given is not None and not text(function).rstrip().endswith(b">"):
            yield [inner for one in given.named_children if (inner := bare(one)) is not None]


def _access(argument: Node) -> Node | None:
    """The element that an argument is, or a member of which it is."""
    node: Node | None = argument
    while node is not None and node.type == "field_expression":
        node = node.child_by_field_name("argument")
    whole = node is not None and node.type == "subscript_expression" and with_members(node) == argument
    return node if whole else None
