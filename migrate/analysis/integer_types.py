"""Of which integer type an expression is: what C++ makes of the types that the file shows.

Result: `int`, `long` or `long long`, with or without `unsigned`, or with `exact` a smaller type; None where the type is
not seen or is none of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.analysis import declared_types
from cudamigrate.analysis.constant_values import COORDINATES, Values, node_at
from cudamigrate.cuda.declarations import Local, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes

_DEPTH = 8
_RANKS = {-4: "bool", -3: "char", -2: "char", -1: "short", 0: "int", 1: "long", 2: "long long"}


class Integer(NamedTuple):
    """A type and whether it is unsigned: 0 for `int`, 1 for `long`, 2 for `long long`, negative for those below `int`.

    -1 is `short`, -2 `signed char` or `unsigned char`, -3 `char`, which is a type of its own, and -4 `bool`.
    """

    rank: int
    unsigned: bool

    @property
    def spelled(self) -> str:
        """The type in C++."""
        if self.rank == _BOOL.rank:
            return _RANKS[self.rank]
        sign = "unsigned " if self.unsigned else "signed " if self == _SIGNED_CHAR else ""
        return sign + _RANKS[self.rank]

    @property
    def promoted(self) -> Integer:
        """What arithmetic makes of it: `int` of a smaller type."""
        return self if self.rank >= 0 else _INT


_INT, _UNSIGNED = Integer(0, unsigned=False), Integer(0, unsigned=True)
_SIZE = Integer(1, unsigned=True)
_BOOL, _CHAR, _SIGNED_CHAR = Integer(-4, unsigned=True), Integer(-3, unsigned=False), Integer(-2, unsigned=False)
_UNSIGNED_CHAR, _SHORT, _UNSIGNED_SHORT = (
    Integer(-2, unsigned=True),
    Integer(-1, unsigned=False),
    Integer(-1, unsigned=True),
)
_NAMED = {
    b"bool": _BOOL,
    b"char": _CHAR,
    b"short": _SHORT,
    b"int8_t": _SIGNED_CHAR,
    b"int16_t": _SHORT,
    **dict.fromkeys((b"uint8_t", b"uchar"), _UNSIGNED_CHAR),
    **dict.fromkeys((b"uint16_t", b"ushort"), _UNSIGNED_SHORT),
    **dict.fromkeys((b"int", b"signed", b"int32_t"), _INT),
    **dict.fromkeys((b"uint32_t", b"uint", b"unsigned"), _UNSIGNED),
    **{name: Integer(1, unsigned=True) for name in (b"size_t", b"uint64_t", b"uintptr_t", b"ulong")},
    **{name: Integer(1, unsigned=False) for name in (b"ptrdiff_t", b"int64_t", b"ssize_t", b"intptr_t")},
}
_VECTOR = re.compile(rb"(u?)(char|short|int|longlong|long)[1-4]")
"""A vector of CUDA and HIP, `uchar4`: its members are plain integers."""
_ELEMENTS = {b"char": _SIGNED_CHAR, b"short": _SHORT, b"int": _INT, b"long": Integer(1, unsigned=False)}
_COMPONENTS = (b"x", b"y", b"z", b"w")
_BUILT = {b"unsigned", b"signed", b"int", b"short", b"char"}
_OTHER = {b"const", b"volatile", b"static", b"register", b"std", b"constexpr"}
_PARAMETERS = ("parameter_declaration", "optional_parameter_declaration")
_SHIFTS = (b"<<", b">>")
_ARITHMETIC = (b"+", b"-", b"*", b"/", b"%", b"&", b"|", b"^")
_EXTREMES = (b"min", b"max")
_COMPARISONS = (b"==", b"!=", b"<", b">", b"<=", b">=", b"&&", b"||")


def of(values: Values, node: Node | None, depth: int = _DEPTH) -> Integer | None:
    """The type of an expression, small types promoted."""
    kind = exact(values, node, depth)
    return kind.promoted if kind is not None else None


def exact(values: Values, node: Node | None, depth: int = _DEPTH) -> Integer | None:
    """The type of an expression as a template or an overload sees it, not promoted."""
    if node is None or depth == 0:
        return None
    if node.type in ("number_literal", "sizeof_expression"):
        return _literal(text(node)) if node.type == "number_literal" else _SIZE
    if node.type == "parenthesized_expression":
        return exact(values, node.named_child(0), depth - 1)
    if node.type == "unary_expression" and text(node.child_by_field_name("operator")) in (b"-", b"+", b"~"):
        return of(values, node.child_by_field_name("argument"), depth - 1)
    if node.type == "binary_expression":
        return _operation(values, node, depth)
    if node.type == "cast_expression":
        return _spelled(text(node.child_by_field_name("type")).split())
    if node.type == "field_expression":
        builtin = text(node.child_by_field_name("argument")) in COORDINATES
        return _UNSIGNED if builtin else _variable(values, node, depth) or _component(values, node)
    if node.type == "call_expression":
        return _cast(node) or _returned(values, node) or _extreme(values, node, depth)
    if node.type == "conditional_expression":
        left, right = (
            exact(values, node.child_by_field_name(side), depth - 1) for side in ("consequence", "alternative")
        )
        return left if left == right else common(left, right)
    return _variable(values, node, depth)


def common(left: Integer | None, right: Integer | None) -> Integer | None:
    """What both are converted to: the type of higher rank, unsigned where it holds not all that the other may be."""
    if left is None or right is None:
        return None
    high, low = max(left.promoted, right.promoted), min(left.promoted, right.promoted)
    return high._replace(unsigned=high.unsigned or (low.unsigned and low.rank > 0))


def joined(parsed: ParsedFile, call: Span) -> str:
    """The type that both arguments of a call are converted to; empty where it is not seen."""
    node = node_at(parsed, call.start, call.end)
    given = tree_sitter_nodes.elements(node.child_by_field_name("arguments")) if node is not None else []
    kinds = [of(Values.of(parsed), one) for one in given]
    kind = common(kinds[0], kinds[1]) if len(kinds) == 2 else None
    return kind.spelled if kind is not None else ""


def named(values: Values, kind: Node | None) -> Integer | None:
    """The type that a node of the text says, or the one for which an alias of the file stands; not promoted."""
    meant = declared_types.meant(values.parsed, kind)
    return _spelled([word for part in text(meant).split() if (word := part.removeprefix(b"std::"))])


def declared(values: Values, node: Node) -> str:
    """The type that a variable, a member or an element of what it points to is declared as; empty where unseen."""
    place, indexed = _indexed(node)
    found = _declarations(values, place) if place is not None else ()
    kinds = {text(declared_types.meant(values.parsed, one.type)) if one.rank == indexed else b"" for one in found}
    return kinds.pop().decode("latin-1") if len(kinds) == 1 else ""


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
        if b"char" in said:
            return _CHAR if said == {b"char"} else Integer(_SIGNED_CHAR.rank, b"unsigned" in said)
        return Integer(_SHORT.rank if b"short" in said else 0, b"unsigned" in said)
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
        return _BOOL
    if left is None or right is None:
        return None
    return left if sign in _SHIFTS else common(left, right) if sign in _ARITHMETIC else None


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
    return _alike({named(values, kind) for kind in declared_types.returned(values.parsed, _callee(call))})


def _alike(kinds: set[Integer | None]) -> Integer | None:
    """The type that all are, or that arithmetic makes of all."""
    known = {kind for kind in kinds if kind is not None}
    made = known if len(known) == 1 else {kind.promoted for kind in known}
    return made.pop() if len(made) == 1 and None not in kinds else None


def _extreme(values: Values, call: Node, depth: int) -> Integer | None:
    """What `min` and `max` of two integers give in CUDA, where the file declares no function of the name.

    Of one type below `int` HIP gives that type, which CUDA promotes.
    """
    given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    if _callee(call) not in _EXTREMES or len(given) != 2 or declared_types.returned(values.parsed, _callee(call)):
        return None
    left, right = (exact(values, one, depth - 1) for one in given)
    return left if left == right else common(left, right)


def _callee(call: Node) -> bytes:
    function = call.child_by_field_name("function")
    return text(function) if function is not None and function.type == "identifier" else b""


def _variable(values: Values, node: Node, depth: int) -> Integer | None:
    """A variable or a member, or an element of what it points to."""
    place, indexed = _indexed(node)
    if place is None:
        return None
    found = _declarations(values, place)
    if not found and not indexed and place.type == "identifier":
        return _parameter(values, place) or values.parsed.once(_macros).get(text(place))
    return _alike({_declared(values, one, indexed, depth) for one in found})


def _component(values: Values, field: Node) -> Integer | None:
    """A member of a vector of CUDA's: `p.x` of a `uchar4`, `p[i].x`, `p->x`."""
    place, indexed = _indexed(field.child_by_field_name("argument"))
    if place is None or text(field.child_by_field_name("field")) not in _COMPONENTS:
        return None
    indexed += text(field.child_by_field_name("operator")) == b"->"
    kinds = {_element(values, one) if one.rank == indexed else None for one in _declarations(values, place)}
    return kinds.pop() if len(kinds) == 1 else None


def _element(values: Values, local: Local) -> Integer | None:
    """The type of the members of a vector that a variable is declared as, or of a `dim3`."""
    spelled = text(declared_types.meant(values.parsed, local.type))
    match = _VECTOR.fullmatch(spelled)
    if match is None:
        return _UNSIGNED if spelled == b"dim3" else None
    kind = _ELEMENTS.get(match[2], Integer(2, unsigned=False))
    return kind._replace(unsigned=bool(match[1]))


def _indexed(node: Node | None) -> tuple[Node | None, int]:
    """The variable or member of which an expression is an element, and how often it is indexed."""
    indexed = 0
    while node is not None and node.type in ("subscript_expression", "pointer_expression", "parenthesized_expression"):
        if node.type == "pointer_expression" and text(node.child_by_field_name("operator")) != b"*":
            return None, 0
        listed = tree_sitter_nodes.elements(node.child_by_field_name("indices")) or node.named_children[1:]
        if node.type == "subscript_expression" and len(listed) != 1:
            return None, 0
        indexed += node.type != "parenthesized_expression"
        node = node.child_by_field_name("argument") or node.named_child(0)
    return node, indexed


def _declarations(values: Values, place: Node) -> Sequence[Local]:
    if place.type == "identifier":
        return declared_types.variable(values, place)
    return declared_types.member(values, place) if place.type == "field_expression" else ()


def _parameter(values: Values, name: Node) -> Integer | None:
    """A parameter of a template around a name: `template <unsigned size>`."""
    for around in tree_sitter_nodes.ancestors(name):
        listed = around.child_by_field_name("parameters") if around.type == "template_declaration" else None
        for one in listed.named_children if listed is not None else ():
            if one.type in _PARAMETERS and text(one.child_by_field_name("declarator")) == text(name):
                return named(values, one.child_by_field_name("type"))
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
        return exact(values, local.value, depth - 1)
    return named(values, local.type)
