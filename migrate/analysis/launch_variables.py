"""The variables of a function around launches: how they are declared, and what changes them or has their address."""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.tree_sitter_nodes import elements

DIRECT = (b"cudaLaunchKernel", b"cudaLaunchCooperativeKernel")
"""Functions that are given a kernel, the grid and the block."""
_VARIABLES = tree_sitter_nodes.Kinds("cuda", "declaration")
_CHANGES = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "update_expression", "pointer_expression")


@dataclass(slots=True)
class Named:
    """The variables of one function by name: their declarators and what is assigned to them.

    `lent` are those that something points to, `passed` those that a call of the project's may change by a reference.
    """

    declared: dict[bytes, list[Node]] = field(default_factory=dict)
    changed: dict[bytes, list[tuple[bytes, Node]]] = field(default_factory=dict)
    lent: set[bytes] = field(default_factory=set)
    passed: set[bytes] = field(default_factory=set)


def named(parsed: ParsedFile, function: Node | None) -> Named:
    """The variables of a function, which is gone through once for all its launches; none where there is none."""
    if function is None:
        return Named()
    known = parsed.once(_functions)
    made = known.get(function.start_byte)
    if made is None:
        made = known[function.start_byte] = _read(parsed.tree.root_node, function)
    return made


def _functions(_parsed: ParsedFile) -> dict[int, Named]:
    """The functions that were gone through, by where they begin."""
    return {}


def _read(root: Node, function: Node) -> Named:
    made = Named()
    for node in _VARIABLES.within(root, function):
        for one in node.children_by_field_name("declarator"):
            made.declared.setdefault(text(one.child_by_field_name("declarator") or one), []).append(one)
    for one in _CHANGES.within(root, function):
        if one.type == "pointer_expression":
            made.lent.add(text(one.child_by_field_name("argument")))
            continue
        target = one.child_by_field_name("left") or one.child_by_field_name("argument")
        name, _, member = b"".join(text(target).split()).partition(b".")
        made.changed.setdefault(name, []).append((member or name, one.named_children[-1]))
    for call in CALLS.within(root, function):
        callee = text(call.child_by_field_name("function"))
        if callee != b"dim3" and callee not in DIRECT:
            given = elements(call.child_by_field_name("arguments"))
            made.passed |= {text(one) for one in given if one.type == "identifier"}
    return made
