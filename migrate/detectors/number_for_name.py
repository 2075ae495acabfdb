"""Numbers that stand for names which HIP numbers otherwise, and a member that has another name."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"cublas", b"hipblas", b"memoryType")

_BLAS = rb"(?:cublas|hipblas)(?:Operation|FillMode|DiagType|SideMode)_t"
_ENUM = re.compile(
    rb"\(\s*" + _BLAS + rb"\s*\)\s*\(?\s*\d+\s*\)?|static_cast\s*<\s*" + _BLAS + rb"\s*>\s*\(\s*\d+\s*\)"
)
"""A number cast to an enumeration of cuBLAS: `(cublasOperation_t)1`; its values are others in hipBLAS."""
_MEMBER = re.compile(rb"(?:\.|->)\s*(?P<name>memoryType)\b")
_POINTER = re.compile(rb"\b(?:cudaPointerAttributes|hipPointerAttribute_t)\b")
"""The type whose member `memoryType` is the old one: a member of that name may belong to another type."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Choices of BLAS calls made by number, and the old member of a pointer's attributes."""
    for match in parsed.lexed.matches(_ENUM, b"cublas", b"hipblas"):
        yield _hit(parsed, "library/blas-enum-number", "", Span(*match.span()))
    if b"memoryType" in parsed.data and _POINTER.search(parsed.data) is not None:
        for match in parsed.lexed.matches(_MEMBER):
            yield _hit(parsed, "memory/memory-type-member", "memoryType", Span(*match.span("name")))


def _hit(parsed: ParsedFile, rule: str, name: str, span: Span) -> Hit:
    return Hit(rule, parsed.named_use(name, span))
