"""Syntax nodes -> expressions of the graph."""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.model.warp_graph import Expression
from cudamigrate.warp.sources import kinds

_INSIDE = ("parenthesized_expression", "condition_clause", "init_statement", "comma_expression")
_LITERALS = ("true", "false", "null", "char_literal", "string_literal")
_DEPTH = 60


def word(node: Node | None) -> str:
    """The text of a node."""
    return text(node).decode("latin-1")


def called(name: str) -> str:
    """The plain name of what is called: no namespace, no template arguments."""
    return name.partition("<")[0].strip().rpartition("::")[2]


def expression(node: Node | None, depth: int = _DEPTH) -> Expression:
    """The expression of a node; what is not known is an operation on its parts."""
    if node is None or depth == 0:
        return ("o", "?")
    kind = node.type
    if kind in _INSIDE:
        inner = node.child_by_field_name("value") or (node.named_children[-1] if node.named_children else None)
        return expression(inner, depth - 1)
    if kind == "number_literal":
        return _number(word(node))
    if kind in _LITERALS:
        return ("r", word(node))
    if kind in ("identifier", "qualified_identifier", "this"):
        name = word(node)
        return ("k", kinds()[name]) if name in kinds() else ("v", called(name))
    made = _operation(node, kind, depth - 1)
    if made is not None:
        return made
    parts = tuple(expression(child, depth - 1) for child in node.named_children if child.type != "comment")
    return ("a", *parts) if kind == "initializer_list" else ("o", "?", *parts)


def _operation(node: Node, kind: str, depth: int) -> Expression | None:
    child = node.child_by_field_name
    if kind == "binary_expression":
        return ("o", word(child("operator")), expression(child("left"), depth), expression(child("right"), depth))
    if kind == "unary_expression":
        return ("o", word(child("operator")), expression(child("argument"), depth))
    if kind == "cast_expression":
        return _cast(word(child("type")), (expression(child("value"), depth),))
    if kind == "pointer_expression":
        inner = expression(child("argument"), depth)
        return ("i", inner, ("n", 0)) if word(child("operator")) == "*" else inner
    if kind == "conditional_expression":
        parts = (expression(child(part), depth) for part in ("condition", "consequence", "alternative"))
        return ("o", "?:", *parts)
    if kind == "assignment_expression":
        return expression(child("right"), depth)
    if kind == "update_expression":
        return expression(child("argument"), depth)
    if kind == "subscript_expression":
        index = node.named_children[-1]
        lone = index.named_children[0] if index.named_child_count == 1 else index
        index = lone if index.type == "subscript_argument_list" else index
        return ("i", expression(child("argument"), depth), expression(index, depth))
    if kind == "field_expression":
        return _member(node, depth)
    return _call(node, depth) if kind == "call_expression" else None


def _member(node: Node, depth: int) -> Expression:
    owner, field = node.child_by_field_name("argument"), word(node.child_by_field_name("field"))
    name = word(owner)
    if name in kinds():
        return ("k", kinds()[name] if field in ("x", "") else f"{kinds()[name]}.{field}")
    return ("m", expression(owner, depth), field)


def _call(node: Node, depth: int) -> Expression:
    function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    items = listed.named_children if listed is not None else []
    given = tuple(expression(one, depth) for one in items if one.type != "comment")
    if function is None:
        return ("o", "?", *given)
    if function.type == "field_expression":
        receiver = expression(function.child_by_field_name("argument"), depth)
        return ("c", called(word(function.child_by_field_name("field"))), given, receiver)
    name = word(function)
    if function.type in ("identifier", "qualified_identifier", "template_function"):
        if called(name).endswith("_cast") or called(name) in INTEGERS:
            return _cast(name.partition("<")[2].rpartition(">")[0] or name, given)
        return ("c", called(name), given, None)
    if function.type in ("primitive_type", "sized_type_specifier"):
        return _cast(name, given)
    return ("c", "", given, expression(function, depth))


def _cast(kind: str, given: tuple[Expression, ...]) -> Expression:
    """A number as another type: it stays what it is in one that holds every thread's number."""
    if len(given) != 1:
        return ("o", "?", *given)
    return given[0] if " ".join(kind.split()).removeprefix("std::") in INTEGERS else ("o", "cast", *given)


_LONG = ("long", "long int", "unsigned long", "long long", "unsigned long long", "int64_t", "uint64_t", "size_t")
INTEGERS = frozenset(("int", "unsigned", "unsigned int", "uint", "uint32_t", "int32_t", "ptrdiff_t", "auto", *_LONG))
"""Types of integers that hold the number of any thread."""


def _number(spelled: str) -> Expression:
    digits = spelled.replace("'", "").rstrip("uUlLzZ")
    try:
        return (
            "n",
            int(digits, 8) if digits.isdigit() and digits.startswith("0") and digits != "0" else int(digits, 0),
        )
    except ValueError:
        pass
    try:
        return ("r", str(float(spelled.rstrip("fFlL"))))
    except ValueError:
        return ("o", "?")
