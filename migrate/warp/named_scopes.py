"""Namespaces around a function, and the scope that a call names before the function's name: a namespace or a class."""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.places import Place

_TEMPLATE = "<"
"""What follows the name of a class template in a scope as it is kept."""
_NAMESPACES = tree_sitter_nodes.Kinds("cuda", "namespace_definition")


def around(root: Node, node: Node) -> frozenset[str]:
    """The names of the namespaces around a function; `root` is that of its tree."""
    found = (text(one.child_by_field_name("name")).decode("latin-1") for one in _NAMESPACES.around(root, node))
    return frozenset(part.strip() for spelled in found for part in spelled.split("::") if part)


def named(function: Node) -> str:
    """The last scope that a call names: `warp` of `kat::warp::scan<T>`, `Sum<` of a class template; empty for none."""
    scope: Node | None = None
    inner: Node | None = function
    while inner is not None and inner.type == "qualified_identifier":
        scope, inner = inner.child_by_field_name("scope"), inner.child_by_field_name("name")
    if scope is not None and scope.type == "template_type":
        return text(scope.child_by_field_name("name")).decode("latin-1") + _TEMPLATE
    return text(scope).decode("latin-1") if scope is not None and scope.type == "namespace_identifier" else ""


def within(found: list[Place], scope: str) -> list[Place]:
    """Of functions of one name those in a scope that a call names, where it is a namespace that any of them is in.

    So it is with a class template that any of them is a member of. Another class may have the member from a base, and
    any other name may be an alias, or what a template is given.
    """
    if scope.endswith(_TEMPLATE):
        return [one for one in found if one.routine.owner == scope[: -len(_TEMPLATE)]] or found
    if not any(scope in one.routine.within for one in found):
        return found
    return [one for one in found if scope in one.routine.within or scope == one.routine.owner]
