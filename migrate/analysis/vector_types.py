"""Which of CUDA's vector types an expression is of: those of complex numbers are two of them.

Result: the type's name, as `float2`; empty for any other type, and where it is not seen.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.analysis import declared_types, integer_types
from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import text

_COMPLEX = {b"cuFloatComplex": b"float2", b"cuComplex": b"float2", b"cuDoubleComplex": b"double2"}
VECTORS = frozenset(
    b"%b%b%d" % (sign, kind, size)
    for kind in (b"char", b"short", b"int", b"long", b"longlong")
    for sign in (b"", b"u")
    for size in (1, 2, 3, 4)
).union(b"%b%d" % (kind, size) for kind in (b"float", b"double") for size in (1, 2, 3, 4))
"""The vector types that HIP has with operators."""
_MADE = b"make_"
_DEPTH = 12


def of(values: Values, node: Node | None, depth: int = _DEPTH) -> bytes:
    """The vector type of an expression: of a variable, of a call that makes one, of what is calculated from one."""
    if node is None or depth == 0:
        return b""
    child = node.child_by_field_name
    if node.type == "parenthesized_expression":
        return of(values, node.named_child(0), depth - 1)
    if node.type == "unary_expression":
        return of(values, child("argument"), depth - 1)
    if node.type == "binary_expression":
        sides = (of(values, child(side), depth - 1) for side in ("left", "right"))
        return next(filter(None, sides), b"")
    if node.type == "call_expression":
        return _called(values, text(child("function")))
    if node.type == "cast_expression":
        return vector_named(text(declared_types.meant(values.parsed, child("type"))))
    return vector_named(integer_types.declared(values, node).encode("latin-1"))


def _called(values: Values, name: bytes) -> bytes:
    """The vector type that a function gives: CUDA's `make_float2`, and those of the file that all return one type."""
    if name.startswith(_MADE):
        return vector_named(name.removeprefix(_MADE))
    listed = declared_types.returned(values.parsed, name)
    kinds = {vector_named(text(declared_types.meant(values.parsed, one))) for one in listed}
    return kinds.pop() if len(kinds) == 1 else b""


def vector_named(spelled: bytes) -> bytes:
    """The vector type that a spelling stands for, that of a complex number too; empty for any other type."""
    found = _COMPLEX.get(spelled, spelled)
    return found if found in VECTORS else b""
