"""The integer types of what code reads through pointers, arrays, members and CUDA's short vectors, as it declares them.

`words[i]`, `*(words + i)` and `__ldg(&words[i])` have the type that `words` points to, `four.x` of a `uint4` is one
`unsigned int`, and `tile.bits` has the type that the class of `tile` gives the member. Types of other files' variables
and members are not seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis import declared_types
from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import text
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.integer_ranges import Integer, integer_type
from cudamigrate.warp.tree_queries import bare, declared_name, plain_name
from cudamigrate.warp.type_names import TypeNames

_VECTOR = re.compile(rb"(u?(?:char|short|int|long|longlong))[1-4]")
_PARTS = (b"x", b"y", b"z", b"w")
LOADS = (b"__ldg", b"__ldca", b"__ldcg", b"__ldcs", b"__ldlu", b"__ldcv")
_POINTERS = ("pointer_declarator", "array_declarator")
_PARAMETERS = ("parameter_declaration", "optional_parameter_declaration")


def element(node: Node, types: TypeNames) -> Integer | None:
    """The type of an expression that reads memory or a part of a vector; None where it is not seen."""
    child = node.child_by_field_name
    if node.type == "subscript_expression":
        return types.integer(pointee(child("argument")))
    if node.type == "pointer_expression" and text(child("operator")) == b"*":
        return types.integer(pointee(child("argument")))
    if node.type == "call_expression" and plain_name(child("function")) in LOADS:
        given = tree_sitter_nodes.elements(child("arguments"))
        return types.integer(pointee(given[0])) if given else None
    if node.type == "field_expression" and text(child("field")) in _PARTS:
        return _part(child("argument"))
    return None


def member(node: Node, values: Values, types: TypeNames) -> Integer | None:
    """The type of a member of an object, or of an element of one that is an array; None where no class shows it."""
    field, levels = bare(node), 0
    while field is not None and field.type == "subscript_expression":
        field, levels = bare(field.child_by_field_name("argument")), levels + 1
    if field is None or field.type != "field_expression":
        return None
    declared = declared_types.member(values, field)
    found = [types.integer(text(one.type)) for one in declared if one.rank == levels]
    return found[0] if len(found) == len(declared) == 1 else None


def pointee(node: Node | None) -> bytes:
    """The type that an expression points to, as it is spelled: of a pointer or array, moved on or not, or of a cast."""
    inner = bare(node)
    if inner is None:
        return b""
    if inner.type == "binary_expression" and text(inner.child_by_field_name("operator")) in (b"+", b"-"):
        sides = (inner.child_by_field_name(side) for side in ("left", "right"))
        return next((found for one in sides if (found := pointee(one))), b"")
    if inner.type == "update_expression":
        return pointee(inner.child_by_field_name("argument"))
    if inner.type == "pointer_expression" and text(inner.child_by_field_name("operator")) == b"&":
        what = bare(inner.child_by_field_name("argument"))
        indexed = what is not None and what.type == "subscript_expression"
        return pointee(what.child_by_field_name("argument")) if what is not None and indexed else b""
    if inner.type == "cast_expression":
        spelled = text(inner.child_by_field_name("type")).rstrip()
        return spelled[:-1].rstrip() if spelled.endswith(b"*") and spelled.count(b"*") == 1 else b""
    spelled, levels = _declared(inner) if inner.type == "identifier" else (b"", 0)
    return spelled if levels == 1 else b""


def variable_type(name: Node) -> bytes:
    """The type that the nearest declaration of a variable spells; empty for pointers, arrays and references."""
    spelled, levels = _declared(name)
    return spelled if levels == 0 else b""


def _part(node: Node | None) -> Integer | None:
    """The type of the parts of a vector: of a variable, or of an element of an array."""
    inner = bare(node)
    wanted = 0
    if inner is not None and inner.type == "subscript_expression":
        inner, wanted = bare(inner.child_by_field_name("argument")), 1
    spelled, levels = _declared(inner) if inner is not None and inner.type == "identifier" else (b"", 0)
    words = [word for word in spelled.split() if word not in (b"const", b"volatile")]
    found = _VECTOR.fullmatch(words[0]) if len(words) == 1 and levels == wanted else None
    return integer_type({b"longlong": b"int64_t", b"ulonglong": b"uint64_t"}.get(found[1], found[1])) if found else None


def _declared(name: Node) -> tuple[bytes, int]:
    """The type that the nearest declaration of a name spells, and how many pointers or arrays are on top of it."""
    wanted, child = text(name), name
    for around in tree_sitter_nodes.ancestors(name):
        for one in _declarations(around, child):
            kind = one.child_by_field_name("type")
            for declarator in one.children_by_field_name("declarator"):
                if declared_name(one if one.type in _PARAMETERS else declarator) == wanted:
                    levels = _levels(declarator)
                    return (text(kind), levels) if levels >= 0 and kind is not None else (b"", 0)
        child = around
    return b"", 0


def _declarations(around: Node, child: Node) -> Iterator[Node]:
    """What is declared right in a block or function before what is looked at, the last first."""
    if around.type == "compound_statement":
        before = (one for one in around.named_children if one.start_byte < child.start_byte)
        yield from reversed([one for one in before if one.type == "declaration"])
    elif around.type == "for_statement":
        first = around.child_by_field_name("initializer")
        yield from (first,) if first is not None and first.type == "declaration" else ()
    elif around.type in ("function_definition", "lambda_expression"):
        holder: Node | None = around
        while holder is not None and holder.child_by_field_name("parameters") is None:
            holder = holder.child_by_field_name("declarator")
        listed = holder.child_by_field_name("parameters") if holder is not None else None
        yield from (one for one in tree_sitter_nodes.elements(listed) if one.type in _PARAMETERS)


def _levels(declarator: Node | None) -> int:
    """How many pointers and arrays a declarator makes; -1 for references and functions."""
    levels = 0
    while declarator is not None and declarator.type != "identifier":
        if declarator.type in _POINTERS:
            levels += 1
        elif declarator.type != "init_declarator":
            return -1
        declarator = declarator.child_by_field_name("declarator")
    return levels
