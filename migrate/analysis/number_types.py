"""Of which type of numbers an expression is, `float` and `double` included.

Result: the type as C++ spells it, not promoted; empty where it is not seen.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.analysis import integer_types
from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import text
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes

FLOATING = ("float", "double")
_LITERAL = re.compile(rb"(?:\d[\d']*\.[\d']*|\.\d[\d']*|\d[\d']*(?=[eE]))(?:[eE][+-]?\d+)?([fF]?)")
_ARITHMETIC = (b"+", b"-", b"*", b"/")
_DEPTH = 8


def of(values: Values, node: Node | None, depth: int = _DEPTH) -> str:
    """The type of an expression, as an overload sees it."""
    if node is None or depth == 0:
        return ""
    kind = integer_types.exact(values, node)
    return kind.spelled if kind is not None else _floating(values, node, depth)


def common(left: str, right: str) -> str:
    """The one of two types that both are converted to, where one of them is a floating-point type."""
    if not left or not right:
        return ""
    return next((kind for kind in reversed(FLOATING) if kind in (left, right)), "")


def _floating(values: Values, node: Node, depth: int) -> str:
    child = node.child_by_field_name
    if node.type == "number_literal":
        match = _LITERAL.fullmatch(text(node))
        return "" if match is None else "float" if match[1] else "double"
    if node.type == "parenthesized_expression":
        return of(values, node.named_child(0), depth - 1)
    if node.type == "unary_expression" and text(child("operator")) in (b"-", b"+"):
        return of(values, child("argument"), depth - 1)
    if node.type == "binary_expression" and text(child("operator")) in _ARITHMETIC:
        return common(*(of(values, child(side), depth - 1) for side in ("left", "right")))
    if node.type == "conditional_expression":
        return common(*(of(values, child(side), depth - 1) for side in ("consequence", "alternative")))
    spelled = _cast(node) or integer_types.declared(values, node)
    return spelled if spelled in FLOATING else ""


def _cast(node: Node) -> str:
    """What `(float)x`, `float(x)` and `static_cast<float>(x)` give."""
    if node.type == "cast_expression":
        return text(node.child_by_field_name("type")).decode("latin-1")
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    if function is None or function.type != "template_function":
        return text(function).decode("latin-1")
    is_cast = text(function.child_by_field_name("name")) == b"static_cast"
    listed = tree_sitter_nodes.elements(function.child_by_field_name("arguments"))
    return text(listed[0]).decode("latin-1") if is_cast and len(listed) == 1 else ""
