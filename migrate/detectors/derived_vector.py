"""Operators of a structure that is derived from one of CUDA's vector types and converts itself to a number.

CUDA's vectors have no operators, so `a ^ b` of two such structures is that of the numbers. HIP's are templates that
take a vector and anything derived from it, without a conversion: they win, work on each component and give a vector.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.declarators import bases
from cudamigrate.warp.dispatched_types import plain
from cudamigrate.warp.element_types import pointee, variable_type
from cudamigrate.warp.tree_queries import bare, plain_name

WORDS = (b"operator",)

_VECTOR = re.compile(r"(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]")
_DERIVED = re.compile(
    rb"\b(?:struct|class)\s+\w+[^;{}()]*:[^;{}()]*\b(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]\b"
)
_CONVERSION = re.compile(
    rb"\boperator\s+(?P<type>(?:unsigned\s+|signed\s+)?(?:u?int(?:8|16|32|64)_t|char|short|int|long|float|double|unsigned"
    rb"|size_t|bool)(?:\s+long)?(?:\s+int)?)\s*\(\s*(?:void)?\s*\)"
)
"""A conversion to a number: `operator uint64_t() const`."""
_OPERATORS = frozenset((b"+", b"-", b"*", b"/", b"%", b"^", b"|", b"&", b"<<", b">>"))
_COMPARISONS = frozenset((b"==", b"!="))
_CLASSES = tree_sitter_nodes.Kinds("cuda", "struct_specifier", "class_specifier")
_OPERATIONS = tree_sitter_nodes.Kinds("cuda", "binary_expression", "unary_expression")
_SIDES = {"binary_expression": ("left", "right"), "unary_expression": ("argument",)}
_SIGNS = {"binary_expression": _OPERATORS | _COMPARISONS, "unary_expression": frozenset((b"-", b"~"))}


class _Derived(NamedTuple):
    """A structure: its vector type, the number that it converts itself to, and the operators that are its members."""

    vector: str
    number: str
    own: frozenset[bytes]


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each operator of HIP's that is given such a structure, and that neither it nor the file defines for it."""
    if _DERIVED.search(parsed.data) is None:
        return
    known = dict(_structures(parsed))
    for node in _OPERATIONS.below(parsed.tree.root_node) if known else ():
        sign = text(node.child_by_field_name("operator"))
        names = [_type(node.child_by_field_name(side), known) for side in _SIDES[node.type]]
        name = next(filter(None, names), b"")
        if not name or sign not in _SIGNS[node.type] or parsed.hip(node.start_byte) is not None:
            continue
        if not _is_own(parsed, sign, names, known):
            yield _hit(parsed, node, sign, name, known[name], silent=sign in _COMPARISONS and not all(names))


def _hit(parsed: ParsedFile, node: Node, sign: bytes, name: bytes, made: _Derived, *, silent: bool) -> Hit:
    span = Span(node.start_byte, node.end_byte)
    use = Use("name", sign.decode(), span, span, (), parsed.scope(span.start), "syntax")
    rule = "derived-vector-comparison" if silent else "derived-vector-operator"
    words = {"sign": sign.decode(), "name": name.decode(), "vector": made.vector, "number": made.number}
    return Hit(f"memory/{rule}", use, words)


def _structures(parsed: ParsedFile) -> Iterator[tuple[bytes, _Derived]]:
    """The structures of a file that are derived from a vector type and convert themselves to one kind of number."""
    for node in _CLASSES.below(parsed.tree.root_node):
        body = node.child_by_field_name("body")
        vector = next((one for one in bases(node) if _VECTOR.fullmatch(one)), "")
        if body is None or not vector:
            continue
        given = {one["type"] for one in _CONVERSION.finditer(parsed.data, body.start_byte, body.end_byte)}
        own = re.findall(rb"\boperator\s*([-+*/%^|&~]|<<|>>|[=!]=)\s*\(", parsed.data[body.start_byte : body.end_byte])
        if len(given) == 1:
            yield text(node.child_by_field_name("name")), _Derived(vector, given.pop().decode(), frozenset(own))


def _type(node: Node | None, known: dict[bytes, _Derived]) -> bytes:
    """The structure that an expression is one of, empty for anything else."""
    inner = bare(node)
    if inner is None:
        return b""
    if inner.type == "call_expression":
        found = plain_name(inner.child_by_field_name("function"))
    elif inner.type == "cast_expression":
        found = text(inner.child_by_field_name("type")).strip()
    elif inner.type == "subscript_expression":
        found = plain(pointee(inner.child_by_field_name("argument")))
    else:
        found = plain(variable_type(inner)) if inner.type == "identifier" else b""
    return found if found in known else b""


def _is_own(parsed: ParsedFile, sign: bytes, names: list[bytes], known: dict[bytes, _Derived]) -> bool:
    """Whether an operator of the structure's own is taken: a member for the left side, or a function of the file."""
    if names[0] and sign in known[names[0]].own:
        return True
    of = b"|".join(re.escape(one) for name in names if name for one in (name, known[name].vector.encode()))
    free = re.compile(
        rb"\boperator\s*%b\s*\([^()]*\b(?:%b)\b[^()]*,[^()]*\)|\boperator\s*%b\s*\([^()]*,[^()]*\b(?:%b)\b"
        % ((re.escape(sign), of) * 2)
    )
    return next(parsed.lexed.matches(free, b"operator"), None) is not None
