"""Identity elements of the operations that reductions use: values that may be brought in any number of times."""

from __future__ import annotations

from collections.abc import Collection

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.syntax import integer_literals
from cudamigrate.warp.tree_queries import bare, plain_name

_HIGHEST = frozenset(b"INFINITY HUGE_VAL HUGE_VALF FLT_MAX DBL_MAX CUDART_INF CUDART_INF_F".split())
_INTEGERS = frozenset((b"INT", b"LONG", b"LLONG"))
_UNSIGNED = frozenset((b"UINT", b"ULONG", b"ULLONG"))


def is_identity(by: str, node: Node | None, types: Collection[str] = ()) -> bool:
    """Whether a value changes nothing, brought by an operation: 0 of a sum, the lowest number of a maximum.

    `types` are names of types, by which numbers may be converted.
    """
    node = bare(node)
    if node is None:
        return False
    if by in ("max", "min"):
        return _is_end(node, by == "max")
    number = _number(node, types)
    if by == "&":
        return number in (-1, 0xFFFFFFFF)
    return number == (1 if by == "*" else 0) and by in ("+", "|", "^", "*")


def _number(node: Node | None, types: Collection[str]) -> float | None:
    """A literal with or without a sign, a cast or brackets around."""
    node = bare(node)
    if node is None:
        return None
    if node.type in ("true", "false"):
        return float(node.type == "true")
    if node.type == "number_literal":
        return _literal(text(node))
    if node.type == "unary_expression":
        inner = _number(node.child_by_field_name("argument"), types)
        sign = text(node.child_by_field_name("operator"))
        return None if inner is None else {b"-": -inner, b"+": inner, b"~": -1.0 - inner}.get(sign)
    if node.type == "cast_expression":
        return _number(node.child_by_field_name("value"), types)
    if node.type == "compound_literal_expression":
        return _number(_only(node.child_by_field_name("value")), types)
    if node.type == "call_expression" and _converts(node.child_by_field_name("function"), types):
        return _number(_only(node.child_by_field_name("arguments")), types)
    return None


def _converts(function: Node | None, types: Collection[str]) -> bool:
    name = plain_name(function)
    primitive = function is not None and function.type == "primitive_type"
    return primitive or name.endswith(b"_cast") or name.decode("latin-1") in types


def _only(listed: Node | None) -> Node | None:
    return listed.named_children[0] if listed is not None and listed.named_child_count == 1 else None


def _literal(spelled: bytes) -> float | None:
    if (number := integer_literals.value(spelled)) is not None:
        return float(number)
    try:
        return float(spelled.replace(b"'", b"").rstrip(b"lLfF"))
    except ValueError:
        return None


def _is_end(node: Node, lowest: bool) -> bool:
    """Whether a value is the lowest or the highest of its type: `-INFINITY`, `INT_MIN`, `numeric_limits<T>::max()`."""
    negative = node.type == "unary_expression" and text(node.child_by_field_name("operator")) == b"-"
    inner = bare(node.child_by_field_name("argument")) if negative else node
    if inner is None:
        return False
    if inner.type == "call_expression" and b"numeric_limits" in text(inner):
        name = plain_name(inner.child_by_field_name("function"))
        if lowest:
            return name == (b"infinity" if negative else b"lowest")
        return not negative and name in (b"max", b"infinity")
    said = text(inner)
    if said in _HIGHEST:
        return negative == lowest
    kind, _, end = said.partition(b"_")
    if lowest:
        return not negative and end == b"MIN" and kind in _INTEGERS
    return not negative and end == b"MAX" and kind in _INTEGERS | _UNSIGNED
