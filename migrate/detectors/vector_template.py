"""Operators that a template defines for whatever has components, and that HIP's own come before on vectors.

CUDA's vectors have no operators, so a template takes them. HIP's have, as functions that are no template or as more
specialised ones: they are the better match, and work on each component.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.vector_operators import HEAD, mixes, of_any_type
from cudamigrate.analysis.vector_types import VECTORS
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = ((b"operator", b"template"),)

_VECTOR = re.compile(rb"\b(?:make_)?(?:%b)\b" % b"|".join(sorted(VECTORS)))


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each whose body makes a component of several components of its operands: a product of complex numbers.

    Of structures of the project's own such a template is right: only one for the device, or in a file that has
    vectors, is asked.
    """
    vectors: bool | None = None
    for function in parsed.functions:
        head = HEAD.search(parsed.data, function.span.start, function.body.start)
        if head is None or not of_any_type(parsed, function, head):
            continue
        if parsed.hip(function.span.start) is not None or not mixes(parsed, function, head):
            continue
        if vectors is None:
            vectors = next(parsed.lexed.matches(_VECTOR), None) is not None
        if vectors or function.scope == "device":
            span = Span(head.start(), head.end())
            yield Hit("memory/vector-operator-template", parsed.named_use(_text(head), span, "syntax"))


def _text(head: re.Match[bytes]) -> str:
    return f"operator{head['sign'].decode()}({head['left'].decode()}, {head['right'].decode()})"
