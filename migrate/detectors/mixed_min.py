"""`min` and `max` of a signed and an unsigned integer on the device: CUDA works in the unsigned type, HIP in double."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis import integer_types
from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes

WORDS = (b"min", b"max")

_INTEGERS = (b"/", b"%", b"<<", b">>", b"&", b"|", b"^")
_KEEPING = (b"+", b"-", b"*")
_NAME = re.compile(rb"(?:(?<![\w.:>])min|(?<![\w.:>])max)(?=[ \t]*\()")
"""A call of the global function, `min(a, b)`: not `std::min`, `a.min`, `p->min` or `my_min`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such call whose arguments are seen to have types that differ in their sign alone."""
    if parsed.data.find(b"__global__") < 0 and parsed.data.find(b"__device__") < 0:
        return
    own = {definition.name for definition in parsed.definitions} | {one.name for one in parsed.functions}
    own |= {name.decode("latin-1") for name in Values.of(parsed).constants()}
    for match in parsed.lexed.starting(_NAME, b"min", b"max"):
        name = match[0].decode()
        if name not in own and parsed.scope(match.start()) == "device" and parsed.hip(match.start()) is None:
            yield from _hit(parsed, name, Span(*match.span()))


def _hit(parsed: ParsedFile, name: str, span: Span) -> Iterator[Hit]:
    node = node_at(parsed, span.start, span.end)
    call = node.parent if node is not None else None
    if call is None or call.type != "call_expression" or text(call.child_by_field_name("function")) != name.encode():
        return
    given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    types = [integer_types.of(Values.of(parsed), one) for one in given]
    if len(types) != 2 or None in types or len({one.rank for one in types if one}) != 1 or types[0] == types[1]:
        return
    signed = next(argument for argument, kind in zip(given, types, strict=True) if kind and not kind.unsigned)
    if integer_types.is_number(parsed, signed) and not _is_of_integers(call):
        return  # the same number in double
    wide = next(kind for kind in types if kind and kind.unsigned)
    place = Span(signed.start_byte, signed.end_byte)
    use = Use("call", name, span, Span(call.start_byte, call.end_byte), (place,), "device", "syntax")
    yield Hit("math/mixed-min-max", use, {"name": name, "type": wide.spelled})


def _is_of_integers(call: Node) -> bool:
    """Whether what a call gives is divided, shifted, or part of what only integers do, a subscript too."""
    node, around = call, call.parent
    while around is not None and around.type == "parenthesized_expression":
        node, around = around, around.parent
    if around is None:
        return False
    if around.type == "binary_expression":
        sign = text(around.child_by_field_name("operator"))
        return sign in _INTEGERS or (sign in _KEEPING and _is_of_integers(around))
    return around.type == "subscript_argument_list" or (
        around.type == "subscript_expression" and node != around.child(0)
    )
