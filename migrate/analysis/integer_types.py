"""Of which integer type an expression is: what C++ makes of the types that the file shows.

Result: `int`, `long` or `long long`, with or without `unsigned`; None where the type is not seen or is none of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.analysis import declared_types
from cudamigrate.analysis.constant_values import COORDINATES, Values
from cudamigrate.cuda.declarations import Local, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes

_DEPTH = 8
_RANKS = ("int", "long", "long long")


class Integer(NamedTuple):
    """A type: 0 for `int`, 1 for `long`, 2 for `long long`, and whether it is unsigned. Smaller ones count as `int`."""

    rank: int
    unsigned: bool

    @property
    def spelled(self) -> str:
        """The type in C++."""
        return f"{'unsigned ' if self.unsigned else ''}{_RANKS[self.rank]}"


_INT, _UNSIGNED = Integer(0, unsigned=False), Integer(0, unsigned=True)
_NAMED = {
    **dict.fromkeys((b"bool", b"char", b"short", b"int8_t", b"uint8_t", b"int16_t", b"uint16_t", b"int32_t"), _INT),
    **dict.fromkeys((b"int", b"signed", b"uchar", b"ushort"), _INT),
    **dict.fromkeys((b"uint32_t", b"uint", b"unsigned"), _UNSIGNED),
    **{name: Integer(1, unsigned=True) for name in (b"size_t", b"uint64_t", b"uintptr_t", b"ulong")},
    **{name: Integer(1, unsigned=False) for name in (b"ptrdiff_t", b"int64_t", b"ssize_t", b"intptr_t")},
}
_BUILT = {b"unsigned", b"signed", b"int", b"short", b"char"}
_OTHER = {b"const", b"volatile", b"static", b"register", b"std", b"constexpr"}
_PARAMETERS = ("parameter_declaration", "optional_parameter_declaration")
_SHIFTS = (b"<<", b">>")
_ARITHMETIC = (b"+", b"-", b"*", b"/", b"%", b"&", b"|", b"^")
_EXTREMES = (b"min", b"max")
_COMPARISONS = (b"==", b"!=", b"<", b">", b"<=", b">=", b"&&", b"||")


def of(values: Values, node: Node | None, depth: int = _DEPTH) -> Integer | None:
    """The type of an expression, small types promoted."""
    if node is None or depth == 0:
        return None
    if node.type == "number_literal":
        return _literal(text(node))
    if node.type == "parenthesized_expression":
        return of(values, node.named_child(0), depth - 1)
    if node.type == "unary_expression" and text(node.child_by_field_name("operator")) in (b"-", b"+", b"~"):
        return of(values, node.child_by_field_name("argument"), depth - 1)
    if node.type == "binary_expression":
        return _operation(values, node, depth)
    if node.type == "cast_expression":
        return _spelled(text(node.child_by_field_name("type")).split())
    if node.type == "field_expression":
        builtin = text(node.child_by_field_name("argument")) in COORDINATES
        return _UNSIGNED if builtin else _variable(values, node, depth)
    if node.type == "call_expression":
        return _cast(node) or _returned(values, node) or _extreme(values, node, depth)
    if node.type == "conditional_expression":
        sides = [of(values, node.child_by_field_name(side), depth - 1) for side in ("consequence", "alternative")]
        return _common(sides[0], sides[1]) if sides[0] is not None and sides[1] is not None else None
    return _variable(values, node, depth)


def is_number(parsed: ParsedFile, node: Node) -> bool:
    """Whether an expression is a number as it is written, or a macro of the file that stands for one."""
    return node.type == "number_literal" or parsed.once(_macros).get(text(node)) is not None


def _spelled(listed: list[bytes]) -> Integer | None:
    """The type that a text says, such as `const unsigned long`."""
    known = _named(frozenset(listed) - {b"long"} | {b"int"}) if b"long" in listed else _named(frozenset(listed))
    return known._replace(rank=listed.count(b"long")) if known and b"long" in listed else known


def _named(words: frozenset[bytes]) -> Integer | None:
    """The type that words are; `long` may be there twice, so that what it is is not known."""
    said = words - _OTHER
    if b"long" in said:
        return None
    if said and said <= _BUILT:
        return _INT if b"short" in said or b"char" in said else Integer(0, b"unsigned" in said)
    return _NAMED.get(next(iter(said))) if len(said) == 1 else None


def _literal(spelled: bytes) -> Integer | None:
    digits = spelled.replace(b"'", b"").lower()
    plain = digits.rstrip(b"ul")
    hexadecimal = plain.startswith(b"0x")
    if not plain or (not hexadecimal and not plain.isdigit()):
        return None  # a floating-point number, or one in another base
    ending = digits[len(plain) :]
    if int(plain, 16 if hexadecimal else 10) >= 2**31:
        return None  # its type depends on its value
    return Integer(min(ending.count(b"l"), 2), b"u" in ending)


def _operation(values: Values, node: Node, depth: int) -> Integer | None:
    sign = text(node.child_by_field_name("operator"))
    left, right = (of(values, node.child_by_field_name(side), depth - 1) for side in ("left", "right"))
    if sign in _COMPARISONS:
        return _INT
    if left is None or right is None:
        return None
    return left if sign in _SHIFTS else _common(left, right) if sign in _ARITHMETIC else None


def _common(left: Integer, right: Integer) -> Integer:
    """What both are converted to: the type of higher rank, unsigned where it holds not all that the other may be."""
    high, low = max(left, right), min(left, right)
    return high._replace(unsigned=high.unsigned or (low.unsigned and low.rank > 0))


def _cast(node: Node) -> Integer | None:
    """What `static_cast<unsigned int>(x)` and `int(x)` give."""
    function = node.child_by_field_name("function")
    if function is None:
        return None
    if function.type != "template_function":
        return _spelled([text(function)])
    if text(function.child_by_field_name("name")) != b"static_cast":
        return None
    return _spelled(text(function.child_by_field_name("arguments")).strip(b"<> ").split())


def _returned(values: Values, call: Node) -> Integer | None:
    """What a function of the file returns, where all of its name return the same."""
    kinds = {_meant(values, kind) for kind in declared_types.returned(values.parsed, _callee(call))}
    return kinds.pop() if len(kinds) == 1 else None


def _extreme(values: Values, call: Node, depth: int) -> Integer | None:
    """What CUDA's `min` and `max` of two integers give, where the file declares no function of the name."""
    given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    if _callee(call) not in _EXTREMES or len(given) != 2 or declared_types.returned(values.parsed, _callee(call)):
        return None
    left, right = (of(values, one, depth - 1) for one in given)
    return _common(left, right) if left is not None and right is not None else None


def _callee(call: Node) -> bytes:
    function = call.child_by_field_name("function")
    return text(function) if function is not None and function.type == "identifier" else b""


def _meant(values: Values, kind: Node | None) -> Integer | None:
    """The type that a node of the text says, or the one for which an alias of the file stands."""
    meant = declared_types.meant(values.parsed, kind)
    return _spelled([word for part in text(meant).split() if (word := part.removeprefix(b"std::"))])


def _variable(values: Values, node: Node, depth: int) -> Integer | None:
    """A variable or a member, or an element of what it points to."""
    indexed = 0
    while node.type in ("subscript_expression", "pointer_expression"):
        if node.type == "pointer_expression" and text(node.child_by_field_name("operator")) != b"*":
            return None
        argument = node.child_by_field_name("argument")
        listed = tree_sitter_nodes.elements(node.child_by_field_name("indices")) or node.named_children[1:]
        if argument is None or (node.type == "subscript_expression" and len(listed) != 1):
            return None
        node, indexed = argument, indexed + 1
    found: Sequence[Local] = ()
    if node.type == "identifier":
        found = declared_types.variable(values, node)
        if not found and not indexed:
            return _parameter(values, node) or values.parsed.once(_macros).get(text(node))
    elif node.type == "field_expression":
        found = declared_types.member(values, node)
    types = {_declared(values, one, indexed, depth) for one in found}
    return types.pop() if len(types) == 1 else None


def _parameter(values: Values, name: Node) -> Integer | None:
    """A parameter of a template around a name: `template <unsigned size>`."""
    for around in tree_sitter_nodes.ancestors(name):
        listed = around.child_by_field_name("parameters") if around.type == "template_declaration" else None
        for one in listed.named_children if listed is not None else ():
            if one.type in _PARAMETERS and text(one.child_by_field_name("declarator")) == text(name):
                return _meant(values, one.child_by_field_name("type"))
    return None


def _macros(parsed: ParsedFile) -> dict[bytes, Integer | None]:
    """The macros of a file that stand for a number, with its type; None for those defined as several."""
    found: dict[bytes, Integer | None] = {}
    for directive in parsed.lexed.directives:
        name, _, value = (
            directive.argument(parsed.data).partition(b" ") if directive.name == "define" else (b"", b"", b"")
        )
        if name:
            kind = _literal(value.strip().removeprefix(b"(").removesuffix(b")").strip())
            found[name] = kind if found.get(name, kind) == kind else None
    return found


def _declared(values: Values, local: Local, indexed: int, depth: int) -> Integer | None:
    if local.rank != indexed:
        return None
    if local.words - _OTHER == {b"auto"}:
        return of(values, local.value, depth - 1)
    return _meant(values, local.type)
