"""Whether a `double` gives another result than the `int` that an expression is meant to be, where the value is used.

A double holds each `int`, so that sums and products of `int` and what takes them are the same. A quotient keeps its
fraction, what works on bits takes no double, and unsigned numbers wrap where a double goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.analysis import declared_types, integer_types
from cudamigrate.analysis.arithmetic_types import parameters
from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.integer_types import Integer
from cudamigrate.cuda import declarations
from cudamigrate.cuda.declarations import Local, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes

_BITS = (b"%", b"<<", b">>", b"&", b"|", b"^")
_COMPARISONS = (b"==", b"!=", b"<", b">", b"<=", b">=")
_SUMS = (b"+", b"-", b"*")
_EXTREMES = (b"min", b"max")
_TAKES_TYPES = (b"printf", b"std::min", b"std::max")
"""What reads the bytes of an argument as another type, and what takes two of one type alone."""
_FLOATING = {b"float", b"double"}
_FUNCTIONS = tree_sitter_nodes.Kinds("cuda", "function_definition")
_TEMPLATE = "template_declaration"
_INT = Integer(0, unsigned=False)


class _Value(NamedTuple):
    """What came of the number so far: the expression, whether it is a quotient, and whether all in it are integers."""

    node: Node
    divided: bool = False
    known: bool = True


def differs_in_double(values: Values, node: Node) -> bool:
    """Whether what takes an expression of the type `int` is seen to make something else of a `double`."""
    value = _Value(node)
    for around in tree_sitter_nodes.ancestors(node):
        if around.type == "argument_list":
            if not _is_extreme(around.parent):
                return _is_changed_by_call(values, value, around)
            continue
        following: _Value | bool = value
        if around.type == "parenthesized_expression":
            pass
        elif around.type == "binary_expression":
            following = _operation(values, value, around)
        elif around.type == "unary_expression":
            following = _signed(value, around)
        elif around.type == "conditional_expression":
            following = _chosen(values, value, around)
        elif around.type == "call_expression":
            following = _extreme(values, value, around)
        else:
            return _is_changed_by_taker(values, value, around)
        if isinstance(following, bool):
            return following
        value = following._replace(node=around)
    return False


def _operation(values: Values, value: _Value, around: Node) -> _Value | bool:
    """What a binary operator makes of a double, or whether it is something else than of an `int`."""
    sign, left = text(around.child_by_field_name("operator")), around.child_by_field_name("left")
    other = around.child_by_field_name("right") if left == value.node else left
    kind = integer_types.of(values, other)
    if sign in _BITS:
        return True
    if sign in _COMPARISONS:
        return _is_fraction(value) or bool(kind and kind.unsigned and _may_be_negative(values, value.node))
    if sign == b"/" and kind is not None:
        wraps = kind.rank > 0 or (kind.unsigned and _may_be_negative(values, value.node))
        return wraps or _is_fraction(value) or value._replace(divided=True)
    if sign in _SUMS:
        return _summed(values, value, other, kind, is_product=sign == b"*")
    return _is_fraction(value)


def _summed(
    values: Values, value: _Value, other: Node | None, kind: Integer | None, *, is_product: bool
) -> _Value | bool:
    if _is_fraction(value) or (not is_product and _is_pointer(values, other)):
        return True
    if kind is None:
        return value._replace(known=False)
    return kind != _INT or value


def _signed(value: _Value, around: Node) -> _Value | bool:
    """The number with a sign; its complement, which no double has."""
    sign = text(around.child_by_field_name("operator"))
    return value if sign in (b"-", b"+") else sign == b"~" or _is_fraction(value)


def _chosen(values: Values, value: _Value, around: Node) -> _Value | bool:
    """One of two values, both of which become a double."""
    sides = [around.child_by_field_name(side) for side in ("consequence", "alternative")]
    if value.node not in sides:
        return _is_fraction(value)
    return _joined(values, value, sides[1] if sides[0] == value.node else sides[0])


def _extreme(values: Values, value: _Value, call: Node) -> _Value | bool:
    """A minimum of the number and another one: a double itself."""
    given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    others = [one for one in given if one != value.node]
    return _joined(values, value, others[0]) if len(given) == 2 and len(others) == 1 else False


def _joined(values: Values, value: _Value, other: Node | None) -> _Value | bool:
    kind = integer_types.of(values, other)
    if kind is None:
        return value._replace(known=False)
    return kind != _INT or value


def _is_extreme(call: Node | None) -> bool:
    return call is not None and text(call.child_by_field_name("function")) in _EXTREMES


def _is_fraction(value: _Value) -> bool:
    """Whether the number is a quotient of integers, which a double does not round."""
    return value.divided and value.known


def _is_changed_by_taker(values: Values, value: _Value, around: Node) -> bool:
    """Whether a subscript, a variable, a cast or a statement makes something else of a double."""
    if around.type == "init_declarator":
        return _is_changed_by_variable(values, value, around.child_by_field_name("declarator"))
    if around.type == "assignment_expression" and value.node == around.child_by_field_name("right"):
        return _is_changed_by_assignment(values, value, around)
    if around.type == "cast_expression":
        return _is_changed(values, value, integer_types.named(values, around.child_by_field_name("type")))
    if around.type == "return_statement":
        return _is_changed_by_return(values, value, around)
    if around.type in ("subscript_argument_list", "initializer_list", "subscript_expression"):
        return True  # an index is no double, and braces take none for an integer
    if around.type == "condition_clause" and around.parent is not None and around.parent.type == "switch_statement":
        return True
    return _is_fraction(value)


def _is_changed_by_assignment(values: Values, value: _Value, around: Node) -> bool:
    sign, target = text(around.child_by_field_name("operator")), around.child_by_field_name("left")
    if sign == b"=":
        return _is_changed_by_variable(values, value, target)
    if sign.removesuffix(b"=") in _BITS or _is_fraction(value) or _is_pointer(values, target):
        return True
    kind = integer_types.of(values, target)
    return kind is not None and kind != _INT


def _is_changed_by_variable(values: Values, value: _Value, target: Node | None) -> bool:
    found = declared_types.variable(values, target) if target is not None and target.type == "identifier" else ()
    if any(b"auto" in local.words for local in found):
        return True
    return _is_changed(values, value, integer_types.exact(values, target))


def _is_changed(values: Values, value: _Value, kind: Integer | None) -> bool:
    """Whether a conversion to a type differs: a double is cut to a whole number as a quotient of integers is."""
    if kind is None or kind.spelled == "bool":
        return _is_fraction(value)
    return kind.unsigned and _may_be_negative(values, value.node)


def _is_changed_by_return(values: Values, value: _Value, around: Node) -> bool:
    for one in tree_sitter_nodes.ancestors(around):
        if one.type == "lambda_expression":
            break
        if one.type == "function_definition":
            kind = one.child_by_field_name("type")
            deduced = text(kind) == b"auto" and b"->" not in text(one.child_by_field_name("declarator"))
            return deduced or _is_changed(values, value, integer_types.named(values, kind))
    return _is_fraction(value)


def _is_changed_by_call(values: Values, value: _Value, listed: Node) -> bool:
    """Whether a function, or a cast that is spelled as one, makes something else of an argument that is a double."""
    call = listed.parent
    name = text(call.child_by_field_name("function")) if call is not None else b""
    if name in _TAKES_TYPES:
        return True
    functions = values.parsed.once(_functions).get(name, ())
    if not functions:
        return _is_changed(values, value, integer_types.exact(values, call))
    place = next((at for at, one in enumerate(tree_sitter_nodes.elements(listed)) if one == value.node), 0)
    taking = [_taking(one, place) for one in functions]
    if len(taking) > 1 and any(local is None or local.words & _FLOATING for local in taking):
        return True  # an overload for double may be taken
    return any(_is_changed_by_parameter(values, value, *pair) for pair in zip(functions, taking, strict=True))


def _is_changed_by_parameter(values: Values, value: _Value, function: Node, local: Local | None) -> bool:
    template = parameters(function) if function.parent is not None and function.parent.type == _TEMPLATE else []
    if local is None or local.rank:
        return _is_fraction(value)
    if not local.words.isdisjoint(template):
        return True  # deduced as double
    return _is_changed(values, value, integer_types.named(values, local.type))


def _functions(parsed: ParsedFile) -> Mapping[bytes, Sequence[Node]]:
    """The functions that a file defines, by name."""
    found: dict[bytes, list[Node]] = {}
    for one in _FUNCTIONS.below(parsed.tree.root_node):
        found.setdefault(text(one.child_by_field_name("declarator")).partition(b"(")[0].strip(b"*& "), []).append(one)
    return found


def _taking(function: Node, place: int) -> Local | None:
    """What a function declares a parameter as."""
    listed = declarations.parameters(function)
    return listed[place] if place < len(listed) else None


def _is_pointer(values: Values, node: Node | None) -> bool:
    """Whether an expression is a variable that points to something."""
    if node is None or node.type != "identifier":
        return False
    found = declared_types.variable(values, node)
    return bool(found) and all(local.rank > 0 for local in found)


def _may_be_negative(values: Values, node: Node | None) -> bool:
    """Whether a number may be below zero, as far as its types and numbers show."""
    if node is None:
        return True
    if node.type == "parenthesized_expression":
        return _may_be_negative(values, node.named_child(0))
    if node.type == "number_literal":
        return False
    kind = integer_types.exact(values, node)
    if node.type == "call_expression" and _is_extreme(node):
        parts = [
            _may_be_negative(values, one) for one in tree_sitter_nodes.elements(node.child_by_field_name("arguments"))
        ]
        return all(parts) if text(node.child_by_field_name("function")) == b"max" else any(parts)
    if node.type == "binary_expression" and text(node.child_by_field_name("operator")) in (b"+", b"*", b"/"):
        return any(_may_be_negative(values, node.child_by_field_name(side)) for side in ("left", "right"))
    return kind is None or not kind.unsigned
