"""Calls of `__ffs` and `__ffsll` that are ambiguous: CUDA has each for one type, HIP for the unsigned one too."""

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

WORDS = (b"__ffs",)

_CALLED = re.compile(rb"(?<![\w.>])(?:__ffsll|__ffs)(?=[ \t]*\()")
"""The name of a call: `__ffs(x)`, `__ffsll (x)`, `::__ffs(x)`; no member."""
_WIDE = "__ffsll"
_TYPES = {"__ffs": (0, "int"), "__ffsll": (2, "long long")}
"""Of each the rank of the integers for which HIP has it, and the type that CUDA converts to."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such call in device code whose argument is seen to have a type of another rank.

    An argument of `__ffsll` whose type is not seen may be a `uint64_t`: what CUDA's function takes is right for any.
    """
    own = {one.name for one in parsed.functions}
    for match in parsed.lexed.starting(_CALLED, *WORDS):
        name, span = match[0].decode(), Span(*match.span())
        if name in own or parsed.scope(span.start) == "host" or parsed.hip(span.start) is not None:
            continue
        node = node_at(parsed, span.start, span.end)
        call = node.parent if node is not None else None
        while call is not None and call.type == "qualified_identifier":
            call = call.parent
        if call is None or call.type != "call_expression" or not text(call.child_by_field_name("function")):
            continue
        given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
        kind = integer_types.of(Values.of(parsed), given[0]) if len(given) == 1 else None
        if len(given) != 1 or (kind is None and name != _WIDE) or (kind and kind.rank == _TYPES[name][0]):
            continue
        said = f"of `{kind.spelled}` is" if kind else "of a type that is not seen here may be"
        yield _hit(name, span, call, given[0], said)


def _hit(name: str, span: Span, call: Node, given: Node, said: str) -> Hit:
    place = Span(given.start_byte, given.end_byte)
    use = Use("call", name, span, Span(call.start_byte, call.end_byte), (place,), "device", "syntax")
    return Hit("math/bit-search-overload", use, {"said": said, "to": _TYPES[name][1]})
