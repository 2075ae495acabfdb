"""Syntax nodes -> expressions of the graph."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.model.warp_graph import Expression
from cudamigrate.syntax import integer_literals, tree_sitter_nodes
from cudamigrate.warp.placed_objects import PLACED
from cudamigrate.warp.sources import kinds

_DEPTH = 60
_SHORT = ("&&", "||", "and", "or")
_CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")
_DOING = tree_sitter_nodes.Kinds(
    *("cuda", "call_expression", "assignment_expression", "update_expression", "pointer_expression"),
    *("gnu_asm_expression", "conditional_expression", "lambda_expression", "compound_statement"),
    "new_expression",
)
"""What in an expression does anything, or decides on it."""
_PLAIN = frozenset(
    b"""binary_expression subscript_expression subscript_argument_list parenthesized_expression field_expression
    unary_expression cast_expression argument_list initializer_list""".decode().split()
)
"""Expressions that do nothing by themselves."""
Names = Mapping[str, str]
"""What names mean that stand for another variable than the first of that name."""


def without_casts(what: Expression) -> Expression:
    """An expression as it is before it is converted to other types."""
    while what[0] == "o" and what[1] == "cast" and len(what) > 2:
        what = what[2]
    return what


def word(node: Node | None) -> str:
    """The text of a node."""
    return text(node).decode("latin-1")


@lru_cache(maxsize=8192)
def called(name: str) -> str:
    """The plain name of what is called: no namespace, no template arguments."""
    return name.partition("<")[0].strip().rpartition("::")[2]


def function_name(spelled: str) -> str:
    """The plain name of a function that is called, also of a template's member: `Work<int, 2>::run<3>` is `run`."""
    at = spelled.rfind(">::")
    while at >= 0:
        if spelled.count("<", 0, at) == spelled.count(">", 0, at + 1):
            return called(spelled[at + 3 :].removeprefix("template "))
        at = spelled.rfind(">::", 0, at)
    return called(spelled)


@lru_cache(maxsize=65_536)
def type_name(spelled: str) -> str:
    """A type's name without namespaces, template arguments and signs."""
    return spelled.partition("<")[0].strip("*& ").rpartition("::")[2].rpartition(" ")[2]


def decides(operation: Node) -> Node | None:
    """The operand that decides whether the other one is asked at all, where that calls something: the left of `&&`."""
    right = operation.child_by_field_name("right")
    short = operation.type == "binary_expression" and word(operation.child_by_field_name("operator")) in _SHORT
    return operation.child_by_field_name("left") if short and right is not None and _CALLS.below(right) else None


def doing(root: Node) -> Sequence[int]:
    """Where expressions of a tree do anything: where they call, change, choose or point to, or have a lambda."""
    return _DOING.starts(root)


def does_nothing(node: Node, starts: Sequence[int]) -> bool:
    """Whether a node is an expression that does nothing; `starts` is what `doing` gives for its tree."""
    if node.type not in _PLAIN or node.has_error:
        return False
    at = bisect_left(starts, node.start_byte)
    return at == len(starts) or starts[at] > node.end_byte


def expression(node: Node | None, names: Names = MappingProxyType({}), depth: int = _DEPTH) -> Expression:
    """The expression of a node; what is not known is an operation on its parts."""
    if node is None or depth == 0:
        return ("o", "?")
    kind = node.type
    if kind in ("identifier", "qualified_identifier", "this"):
        made = _named(text(node))
        return ("v", names[made[1]]) if names and made[0] == "v" and made[1] in names else made
    if kind == "number_literal":
        return _number(word(node))
    read = _READ.get(kind)
    if read is not None:
        return read(node, names, depth - 1)
    parts = tuple(expression(child, names, depth - 1) for child in node.named_children if child.type != "comment")
    return ("a", *parts) if kind == "initializer_list" else ("o", "?", *parts)


@lru_cache(maxsize=8192)
def _named(spelled: bytes) -> Expression:
    name = spelled.decode("latin-1")
    if name in kinds():
        return ("k", kinds()[name])
    member = f"::{function_name(name)}" if ">::" in name else ""  # `Slot<T>::free` is not `Slot<T>::full`
    return "v", called(name) + member


def below(what: Expression) -> list[Expression]:
    """An expression, or a list of them, and all that is in it, the outer ones first."""
    found = [what]
    for one in found:
        found += [part for part in one if part.__class__ is tuple]
    return [one for one in found if one and one[0].__class__ is str]


def _inner(node: Node, names: Names, depth: int) -> Expression:
    """What brackets are around."""
    value = node.child_by_field_name("value")
    return expression(value or (node.named_children[-1] if node.named_children else None), names, depth)


def _binary(node: Node, names: Names, depth: int) -> Expression:
    left, sign, right = (node.child_by_field_name(part) for part in ("left", "operator", "right"))
    return ("o", "" if sign is None else sign.type, expression(left, names, depth), expression(right, names, depth))


def _unary(node: Node, names: Names, depth: int) -> Expression:
    return ("o", word(node.child_by_field_name("operator")), _argument(node, names, depth))


def _argument(node: Node, names: Names, depth: int) -> Expression:
    return expression(node.child_by_field_name("argument"), names, depth)


def _pointer(node: Node, names: Names, depth: int) -> Expression:
    inner = _argument(node, names, depth)
    return ("i", inner, ("n", 0)) if word(node.child_by_field_name("operator")) == "*" else inner


def _converted(node: Node, names: Names, depth: int) -> Expression:
    value = expression(node.child_by_field_name("value"), names, depth)
    return _cast(word(node.child_by_field_name("type")), (value,))


def _choice(node: Node, names: Names, depth: int) -> Expression:
    parts = (node.child_by_field_name(part) for part in ("condition", "consequence", "alternative"))
    return ("o", "?:", *(expression(part, names, depth) for part in parts))


def _given(node: Node, names: Names, depth: int) -> Expression:
    return expression(node.child_by_field_name("right"), names, depth)


def _element(node: Node, names: Names, depth: int) -> Expression:
    index = node.named_children[-1]
    lone = index.named_children[0] if index.named_child_count == 1 else index
    index = lone if index.type == "subscript_argument_list" else index
    return ("i", _argument(node, names, depth), expression(index, names, depth))


def _member(node: Node, names: Names, depth: int) -> Expression:
    owner, field = node.child_by_field_name("argument"), word(node.child_by_field_name("field"))
    name = word(owner)
    if name in kinds():
        return ("k", kinds()[name] if field in ("x", "") else f"{kinds()[name]}.{field}")
    return ("m", expression(owner, names, depth), field)


def of_register(spelled: bytes) -> Expression:
    """What a special register of PTX is, by how C++ spells it: `threadIdx.y`, or `laneid`, `warpid`."""
    name, _, field = spelled.decode().partition(".")
    if name == "laneid":
        return ("c", "__lane_id", (), None)
    if name == "warpid":
        return ("k", "warp")
    return ("k", kinds()[name] if field == "x" else f"{kinds()[name]}.{field}")


def _call(node: Node, names: Names, depth: int) -> Expression:
    function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    items = listed.named_children if listed is not None else []
    given = tuple(expression(one, names, depth) for one in items if one.type != "comment")
    if function is None:
        return ("o", "?", *given)
    if function.type == "field_expression":
        receiver = expression(function.child_by_field_name("argument"), names, depth)
        return ("c", called(word(function.child_by_field_name("field"))), given, receiver)
    name = word(function)
    if function.type in ("identifier", "qualified_identifier", "template_function"):
        if called(name).endswith("_cast") or called(name) in INTEGERS:
            return _cast(name.partition("<")[2].rpartition(">")[0] or name, given)
        size = name.partition("<")[2].rpartition(">")[0].strip()
        if function_name(name) == "tiled_partition" and size.isdigit():
            given = (*given, ("n", int(size)))  # as the form that takes the size as an argument
        return ("c", function_name(name), given, None)
    if function.type in ("primitive_type", "sized_type_specifier"):
        return _cast(name, given)
    return ("c", "", given, expression(function, names, depth))


def _lambda(node: Node, names: Names, depth: int) -> Expression:
    """A function object: where the lambda begins in the text, and what it is made of."""
    parts = tuple(expression(child, names, depth) for child in node.named_children if child.type != "comment")
    return ("l", node.start_byte, *parts)


def _braced(node: Node, names: Names, depth: int) -> Expression:
    """`T{n}`: braces keep a number what it is, or the compiler refuses them; anything else is made of its parts."""
    listed = [
        one for one in node.children_by_field_name("value") for one in one.named_children if one.type != "comment"
    ]
    parts = tuple(expression(one, names, depth) for one in listed)
    kind = node.child_by_field_name("type")
    if kind is not None and kind.type in ("type_identifier", "qualified_identifier", "template_type"):
        return ("b", called(word(kind)), *parts)
    return parts[0] if len(parts) == 1 else ("o", "?", *parts)


def _new(node: Node, names: Names, depth: int) -> Expression:
    """`new T(n)`: a pointer to what the constructor makes; `new (p) T(n)` makes it where `p` points to."""
    listed, placed = node.child_by_field_name("arguments"), node.child_by_field_name("placement")
    given = tuple(expression(one, names, depth) for one in tree_sitter_nodes.elements(listed))
    made = ("c", type_name(word(node.child_by_field_name("type"))), given, None)
    where = tree_sitter_nodes.elements(placed)
    return ("o", PLACED, expression(where[0], names, depth), made) if len(where) == 1 else made


def _named_in_braces(node: Node, names: Names, depth: int) -> Expression:
    """`.lane = 3`, or a value at an index."""
    named, value = (node.child_by_field_name(part) for part in ("designator", "value"))
    made = expression(value, names, depth)
    return ("d", word(named).strip(". "), made) if named is not None and named.type == "field_designator" else made


def _declared(node: Node, names: Names, depth: int) -> Expression:
    """A condition that declares a variable asks for its first value: `if (Part p = next())`."""
    value = node.child_by_field_name("value")
    if value is None:
        return ("o", "?", *(expression(one, names, depth) for one in node.named_children))
    made = expression(value, names, depth)
    return ("b", type_name(word(node.child_by_field_name("type"))), *made[1:]) if made[0] == "a" else made


_READ: dict[str, Callable[[Node, Names, int], Expression]] = {
    **dict.fromkeys(("parenthesized_expression", "condition_clause", "init_statement", "comma_expression"), _inner),
    **dict.fromkeys(
        ("true", "false", "null", "char_literal", "string_literal"), lambda node, _names, _depth: ("r", word(node))
    ),
    "binary_expression": _binary,
    "unary_expression": _unary,
    "cast_expression": _converted,
    "pointer_expression": _pointer,
    "conditional_expression": _choice,
    "assignment_expression": _given,
    "update_expression": _argument,
    "subscript_expression": _element,
    "field_expression": _member,
    "call_expression": _call,
    "compound_literal_expression": _braced,
    "lambda_expression": _lambda,
    "new_expression": _new,
    "initializer_pair": _named_in_braces,
    "declaration": _declared,
}


def _cast(kind: str, given: tuple[Expression, ...]) -> Expression:
    """A number as another type: it stays what it is in one that holds every thread's number."""
    if len(given) != 1:
        return ("o", "?", *given)
    return given[0] if " ".join(kind.split()).removeprefix("std::") in INTEGERS else ("o", "cast", *given)


_LONG = ("long", "long int", "unsigned long", "long long", "unsigned long long", "int64_t", "uint64_t", "size_t")
INTEGERS = frozenset(("int", "unsigned", "unsigned int", "uint", "uint32_t", "int32_t", "ptrdiff_t", "auto", *_LONG))
"""Types of integers that hold the number of any thread."""

_NUMBERS = INTEGERS - {"auto"} | {"float", "double", "bool", "char", "short"}


def is_number(spelled: str) -> bool:
    """Whether a declared type is a plain number's."""
    return type_name(spelled) in _NUMBERS


def _number(spelled: str) -> Expression:
    if (number := integer_literals.value(spelled.encode())) is not None:
        return ("n", number)
    try:
        return ("r", str(float(spelled.rstrip("fFlL"))))
    except ValueError:
        return ("o", "?")
