"""Numbers cast to an algorithm of cuBLAS's products: hipBLAS has one, and refuses a call that is given any other."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes

WORDS = (b"cublasGemmAlgo_t",)
INSTEAD = True  # the type goes with the cast

_NAMES = rb"[A-Za-z_]\w*(?:\s*(?:\.|->|::)\s*\w+|\s*\[[\w\s.>:+*-]*\])*"
_VALUE = rb"(?:[+-]?\s*\d+|" + _NAMES + rb")"
_CAST = re.compile(
    rb"(?:static_cast|reinterpret_cast)\s*<\s*(?P<new>cublasGemmAlgo_t)\s*>\s*(?=\()"
    rb"|\(\s*(?P<old>cublasGemmAlgo_t)\s*\)\s*(?=\(|(?P<value>" + _VALUE + rb"))"
    rb"|(?<=[(,=?:])\s*(?P<made>cublasGemmAlgo_t)\s*(?=\()"
)
"""A cast: `static_cast<cublasGemmAlgo_t>(algo)`, `(cublasGemmAlgo_t)algo`, or `cublasGemmAlgo_t(algo)`."""
_PLAIN = re.compile(rb"[\w\s.:+*?-]*(?:(?:->|\[|\])[\w\s.:+*?-]*)*")
"""Values that nothing happens by: no call, no assignment, no comparison."""
_CHANGES = re.compile(rb"\+\+|--")
_POSTFIX = re.compile(rb"\s*(?:\+\+|--|->|[.(\[])")
"""What a cast written before its operand is applied to the result of: `(T)(*at)++`, `(T)next()`."""
_ASSIGNED = re.compile(rb"([A-Za-z_]\w*)\s*=\s*\Z")
"""What a cast is assigned to, up to the cast."""
_LOOPS = ("for_statement", "while_statement", "do_statement")
_NEAR = 200
_CONSTANT = re.compile(rb"(?:\w+::)*CUBLAS_GEMM_\w+")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The casts of values; a use of the type's name where the value may go with it, else of the whole."""
    for match in parsed.lexed.matches(_CAST, *WORDS):
        group = str(match.lastgroup if match["value"] is None else "old")
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        if match["value"] is not None:
            value = Span(*match.span("value"))
            end = value.end
        else:
            end = parsed.lexed.closing(match.end()) + 1
            value = Span(match.end() + 1, end - 1)
        text = parsed.data[value.start : value.end].strip()
        if end <= match.end() or not text or _CONSTANT.fullmatch(text):
            continue
        place, whole = Span(*match.span(group)), Span(start, end)
        goes_on = group == "old" and _POSTFIX.match(parsed.data, end) is not None
        counts = _counts(parsed, start, text)
        plain = _PLAIN.fullmatch(text) is not None and _CHANGES.search(text) is None and not goes_on and not counts
        said = parsed.data[start:end].decode("utf-8", "replace")
        use = Use("name", "cublasGemmAlgo_t", place if plain else whole, whole, (), parsed.scope(start), "token")
        yield Hit("library/blas-algorithm-number", use, {"cast": " ".join(said.split())})


def _counts(parsed: ParsedFile, start: int, value: bytes) -> bool:
    """Whether a cast counts: it is in the head of a loop, or the next value of what it is assigned to.

    With one value in its place the loop would never end, or never begin.
    """
    assigned = _ASSIGNED.search(parsed.data, max(0, start - _NEAR), start)
    if assigned is not None and assigned[1] in re.findall(rb"[A-Za-z_]\w*", value):
        return True
    node = parsed.tree.root_node.descendant_for_byte_range(start, start + 1)
    for one in tree_sitter_nodes.ancestors(node) if node is not None else ():
        body = one.child_by_field_name("body")
        if one.type in _LOOPS and body is not None:
            return not body.start_byte <= start < body.end_byte
    return False
