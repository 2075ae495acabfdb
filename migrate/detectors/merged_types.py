"""Code that tells apart two types of CUDA's that are one in HIP, or that are another kind of type there.

`CUresult` and `cudaError_t` are both `hipError_t`, so that tests for either are true for both. `CUdeviceptr` is an
integer for CUDA and `void *` for HIP, so that an overload for it takes pointers of the host.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"CUresult", b"CUdeviceptr", b"cudaError_enum")

_OF_DRIVER = frozenset((b"CUresult", b"cudaError_enum"))
_OF_RUNTIME = frozenset((b"cudaError_t", b"cudaError"))
_TEST = re.compile(rb"\b(?:is_same(?:_v)?|same_as|is_convertible(?:_v)?)\s*(?=<)")
_LONGEST = 400
"""Bytes that the arguments of a test may take."""
_CONSTANT = re.compile(rb"(?:const\s+void|void\s+const)\s*\*\s*(?:const\s*)?(?:[A-Za-z_]\w*)?")
_ADDRESS = re.compile(rb"(?:const\s+)?CUdeviceptr\b(?:\s*const\b)?\s*(?:[A-Za-z_]\w*)?")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Tests for one of two types where the file has both, and overloads for addresses of the device and the host."""
    words = parsed.lexed.spellings
    if not _OF_DRIVER.isdisjoint(words) and not _OF_RUNTIME.isdisjoint(words):
        yield from _tests(parsed)
    if b"CUdeviceptr" in words and b"void" in words:
        yield from _overloads(parsed)


def _tests(parsed: ParsedFile) -> Iterator[Hit]:
    lexed = parsed.lexed
    for match in lexed.matches(_TEST, b"is_same", b"same_as", b"is_convertible"):
        closing = lexed.angle_closing(match.end(), match.end() + _LONGEST)
        if closing < 0 or parsed.hip(match.start()) is not None:
            continue
        given = set(map(lexed.text, lexed.tokens(match.end(), closing)))
        if given & (_OF_DRIVER | _OF_RUNTIME):
            span = Span(match.start(), closing + 1)
            name = " ".join(parsed.data[span.start : span.end].decode("latin-1").split())
            yield Hit("build/merged-type-test", parsed.named_use(name, span, "syntax"))


def _overloads(parsed: ParsedFile) -> Iterator[Hit]:
    """The functions for `CUdeviceptr` beside which one of the name takes `const void *` in that place."""
    alike: dict[tuple[str, int], list[tuple[Function, tuple[Span, ...]]]] = {}
    for function in parsed.functions:
        given = _parameters(parsed, function)
        if given and parsed.hip(function.span.start) is None:
            alike.setdefault((function.name, len(given)), []).append((function, given))
    for listed in alike.values():
        for function, given in listed if len(listed) > 1 else ():
            others = [one for other, one in listed if other is not function]
            at = next((place for place in range(len(given)) if _differs(parsed, given, others, place)), None)
            if at is not None:
                use = parsed.named_use(function.name, given[at], "syntax")
                yield Hit("build/device-address-overload", use)


def _differs(parsed: ParsedFile, own: tuple[Span, ...], others: list[tuple[Span, ...]], place: int) -> bool:
    def text(span: Span) -> bytes:
        return parsed.data[span.start : span.end].strip()

    if _ADDRESS.fullmatch(text(own[place])) is None:
        return False
    return any(_CONSTANT.fullmatch(text(other[place])) is not None for other in others)


def _parameters(parsed: ParsedFile, function: Function) -> tuple[Span, ...]:
    """The parameters of a function; none for what has a list of something else before its body."""
    named = re.compile(rb"\b%b\s*(?=\()" % re.escape(function.name.encode()))
    head = named.search(parsed.data, function.span.start, function.body.start)
    return parsed.arguments(head.end(), parsed.lexed.closing(head.end())) if head is not None else ()
