"""Comparisons of cuBLAS's math mode with one that hipBLAS for AMD never has: no handle is found to be in it."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"OP_MATH", b"PEDANTIC_MATH")

_MODE = re.compile(rb"\bCUBLAS_(?:TENSOR_OP|TF32_TENSOR_OP|PEDANTIC)_MATH\b")
_COMPARES = (b"==", b"!=")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such name beside `==` or `!=`."""
    for match in parsed.lexed.matches(_MODE, *WORDS):
        span, lexed = Span(*match.span()), parsed.lexed
        behind = lexed.text(lexed.token(span.end))
        if behind in _COMPARES or lexed.text(lexed.before(span.start)) in _COMPARES:
            yield Hit("library/math-mode-compared", Use("name", match[0].decode(), span, span))
