"""Variables that `auto` makes pointers: what is stored through one is in memory, and not in the variable.

A cast says so: `auto words = reinterpret_cast<int *>(buffer);`. One of an object of the routine leads to what each
thread has for itself, and counts as that object does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.model.warp_graph import Expression
from cudamigrate.warp.declarators import constructed, is_value
from cudamigrate.warp.tree_queries import bare

if TYPE_CHECKING:
    from cudamigrate.warp.routine_drafts import Draft

_AUTO = "auto"
_POINTER = "abstract_pointer_declarator"
_CASTS = (b"static_cast", b"reinterpret_cast", b"const_cast")


def has_value(declarator: Node, kind: str, initial: Expression | None, draft: Draft) -> bool:
    """Whether a variable of type `kind` is an object or a number that each thread has, no pointer or reference."""
    if constructed(declarator):
        return True
    return is_value(declarator) and not (kind == _AUTO and initial is not None and _leads(declarator, initial, draft))


def _leads(declarator: Node, initial: Expression, draft: Draft) -> bool:
    """Whether a variable is a pointer by what it begins with, and to memory: no object of the routine's own."""
    is_memory = _root(initial) in draft.types.keys() - draft.held
    return is_memory and _is_pointer(declarator.child_by_field_name("value"))


def _is_pointer(value: Node | None) -> bool:
    """Whether an expression is cast to a pointer, and maybe moved on from there."""
    node = bare(value)
    while node is not None and node.type == "binary_expression":
        node = bare(node.child_by_field_name("left"))
    if node is None:
        return False
    if node.type == "cast_expression":
        return _names_pointer(node.child_by_field_name("type"))
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    if function is None or text(function.child_by_field_name("name")) not in _CASTS:
        return False
    listed = function.child_by_field_name("arguments")
    return listed is not None and any(map(_names_pointer, listed.named_children))


def _names_pointer(kind: Node | None) -> bool:
    inner = None if kind is None else kind.child_by_field_name("declarator")
    return inner is not None and inner.type == _POINTER


def _root(what: Expression) -> str:
    """The variable that an address begins with, also as the first that a function which aligns it is given."""
    while what[0] in ("m", "i", "o", "c"):
        parts = what[2] if what[0] == "c" else what[2:] if what[0] == "o" else what[1:]
        if not parts:
            return ""
        what = parts[0]
    return str(what[1]) if what[0] == "v" else ""
