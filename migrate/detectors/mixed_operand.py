"""Operators of the project's own for a number and a vector that are given a number of another type: HIP's is taken.

CUDA's vectors, and `cuFloatComplex` and `cuDoubleComplex`, which are two of them, have no operators: the number is
converted to the one that the project's operator takes. HIP's have templates that take a vector and a number of any type
as it is, which is the better match, and work on each component. Of the type itself, the project's own is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.analysis import number_types, vector_types
from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.vector_operators import MIXED, of_numbers
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes

WORDS = (b"operator",)
RULE = "memory/mixed-operand"

_OPERATIONS = tree_sitter_nodes.Kinds("cuda", "binary_expression")


class _Operand(NamedTuple):
    """The number of such an operation, its type, and the vector's."""

    node: Node
    kind: str
    vector: bytes
    first: bool


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each operation of a vector and a number of another type than the file's operators for them take.

    Operators that work on each component, as HIP's do, give the same either way.
    """
    if MIXED.search(parsed.data) is None:
        return
    own = of_numbers(parsed)
    differing = {(one.sign, one.vector, one.first) for one in own if one.differs}
    for node in _OPERATIONS.below(parsed.tree.root_node) if differing else ():
        sign = text(node.child_by_field_name("operator"))
        operand = _operand(Values.of(parsed), node) if any(sign == one[0] for one in differing) else None
        if operand is None or (sign, operand.vector, operand.first) not in differing:
            continue
        fitting = [one for one in own if one[:3] == (sign, operand.vector, operand.first)]
        taken = {one.number for one in fitting}
        if len(taken) == 1 and operand.kind not in taken and parsed.hip(node.start_byte) is None:
            yield _hit(parsed, node, operand, fitting[0].number)


def _hit(parsed: ParsedFile, node: Node, operand: _Operand, number: str) -> Hit:
    inner = operand.node
    extent, span = Span(node.start_byte, node.end_byte), Span(inner.start_byte, inner.end_byte)
    use = Use("name", number, span, extent, (), parsed.scope(span.start), "syntax")
    vector = operand.vector.decode()
    sides = (number, vector) if operand.first else (vector, number)
    sign = text(node.child_by_field_name("operator")).decode()
    given = {"expression": " ".join(text(node).decode("latin-1").split()), "type": number, "given": operand.kind}
    return Hit(RULE, use, {**given, "operator": f"operator{sign}({', '.join(sides)})"})


def _operand(values: Values, node: Node) -> _Operand | None:
    """The number in an operation of a vector and a number; None for any other, and where a type is not seen."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return None
    vectors = vector_types.of(values, left), vector_types.of(values, right)
    if bool(vectors[0]) == bool(vectors[1]):
        return None
    first = not vectors[0]
    number = left if first else right
    kind = number_types.of(values, number)
    return _Operand(number, kind, vectors[0] or vectors[1], first) if kind else None
