"""Numbers that stand for names which HIP numbers otherwise, and a member that has another name."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"Attribute", b"cublas", b"hipblas", b"memoryType")

_ASKING = re.compile(rb"\b(?:cuda|hip|cu)DeviceGet(?:P2P)?Attribute\s*(?=\()")
"""A call that asks for an attribute: `cudaDeviceGetAttribute(`; the bracket is only looked at, its place is needed."""
_NUMBER = re.compile(
    rb"\(\s*(?:enum\s+)?(?:cudaDeviceAttr|hipDeviceAttribute_t|CUdevice_attribute)\s*\)\s*\(?\s*(?P<old>\w+)\s*\)?"
    rb"|static_cast\s*<\s*(?:enum\s+)?(?:cudaDeviceAttr|hipDeviceAttribute_t|CUdevice_attribute)\s*>\s*\(\s*(?P<new>\w+)\s*\)"
    rb"|(?P<bare>\d+)"
)
"""An attribute as a number: `(cudaDeviceAttr)13`, `static_cast<cudaDeviceAttr>(13)`, or `13`."""
_BLAS = rb"(?:cublas|hipblas)(?:Operation|FillMode|DiagType|SideMode)_t"
_ENUM = re.compile(
    rb"\(\s*" + _BLAS + rb"\s*\)\s*\(?\s*\d+\s*\)?|static_cast\s*<\s*" + _BLAS + rb"\s*>\s*\(\s*\d+\s*\)"
)
"""A number cast to an enumeration of cuBLAS: `(cublasOperation_t)1`; its values are others in hipBLAS."""
_MEMBER = re.compile(rb"(?:\.|->)\s*(?P<name>memoryType)\b")
_POINTER = re.compile(rb"\b(?:cudaPointerAttributes|hipPointerAttribute_t)\b")
"""The type whose member `memoryType` is the old one: a member of that name may belong to another type."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Attributes of devices asked for by number, and the old member of a pointer's attributes."""
    for match in parsed.lexed.matches(_ASKING, b"Attribute"):
        closing = parsed.lexed.closing(match.end())
        arguments = parsed.lexed.arguments(match.end(), closing) if closing > 0 else []
        if len(arguments) > 2 and _NUMBER.fullmatch(parsed.data[slice(*arguments[1])]) is not None:
            yield _hit(parsed, "memory/attribute-number", "", Span(*arguments[1]))
    for match in parsed.lexed.matches(_ENUM, b"cublas", b"hipblas"):
        yield _hit(parsed, "library/blas-enum-number", "", Span(*match.span()))
    if b"memoryType" in parsed.data and _POINTER.search(parsed.data) is not None:
        for match in parsed.lexed.matches(_MEMBER):
            yield _hit(parsed, "memory/memory-type-member", "memoryType", Span(*match.span("name")))


def _hit(parsed: ParsedFile, rule: str, name: str, span: Span) -> Hit:
    return Hit(rule, parsed.named_use(name, span))
