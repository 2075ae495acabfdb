"""Error codes taken for numbers, and errors of a launch that are asked for after another call."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"<<", b"cudaError", b"CUresult", b"LastError")

_TYPE = re.compile(rb"\b(?:cudaError_t|cudaError|CUresult)\s+(?:const\s+)?&?(?P<name>[A-Za-z_]\w*)\s*(?=[=;,){(])")
"""A variable or function of an error type: `cudaError_t err =`; what follows is only looked at."""
_DIRECT = re.compile(
    rb"\bcuda(?:GetLastError|PeekAtLastError|DeviceSynchronize|StreamQuery|EventQuery)\s*\(\s*\w*\s*\)\s*[!=]=\s*(?P<number>[1-9]\d*)\b"
)
"""A result compared with a number: `cudaGetLastError() != 7`; not 0, success for both vendors."""
_MADE = re.compile(
    rb"\b(?:static_cast\s*<\s*(?:cudaError_t|CUresult)\s*>\s*\(|\(\s*(?:cudaError_t|CUresult)\s*\)\s*)(?P<number>[1-9]\d*)\b"
)
"""A number cast to an error: `(cudaError_t)7`, `static_cast<CUresult>(7`; not 0, success for both vendors."""


_ASKING = frozenset(("cudaGetLastError", "cudaPeekAtLastError"))
_SILENT = frozenset(("cudaGetErrorString", "cudaGetErrorName"))


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Comparisons of an error with a number other than 0, errors made of a number, and late questions."""
    yield from _late(parsed)
    if b"cudaError" not in parsed.data and b"CUresult" not in parsed.data and b"LastError" not in parsed.data:
        return
    for pattern in (_DIRECT, _MADE):
        for match in parsed.lexed.matches(pattern):
            yield _hit(parsed, match)
    names = {match["name"] for match in parsed.lexed.starting(_TYPE, b"cudaError", b"CUresult")}
    if not names:
        return
    known = b"|".join(re.escape(name) for name in sorted(names))
    compared = re.compile(rb"(?<![\w.>])(?P<name>" + known + rb")\s*[!=]=\s*(?P<number>[1-9]\d*)\b(?!\s*[.*+-])")
    for match in parsed.lexed.starting(compared, *sorted(names)):
        if _holds_error(parsed, match["name"], match.start()):
            yield _hit(parsed, match)


def _late(parsed: ParsedFile) -> Iterator[Hit]:
    """Questions for the last error where another runtime call is between them and the launch."""
    launched: Use | None = None
    between = False
    for use in parsed.uses:
        if use.kind == "launch":
            launched, between = use, False
        elif use.kind == "call" and use.name in _ASKING:
            if launched is not None and between and _same_function(parsed, launched, use):
                yield Hit("launch/late-error", use, {"name": use.name})
            launched = None
        elif use.kind == "call" and use.name.startswith("cuda") and use.name not in _SILENT:
            inside = launched is not None and use.span.start < launched.extent.end
            between = between or not inside


def _same_function(parsed: ParsedFile, launched: Use, query: Use) -> bool:
    function = parsed.function(launched.span.start)
    return function is not None and function == parsed.function(query.span.start)


def _holds_error(parsed: ParsedFile, name: bytes, offset: int) -> bool:
    """Whether the function around declares the variable as an error before it is compared."""
    function = parsed.function(offset)
    if function is None:
        return False
    return any(match["name"] == name for match in _TYPE.finditer(parsed.data, function.span.start, offset))


def _hit(parsed: ParsedFile, match: re.Match[bytes]) -> Hit:
    span = Span(match.start(), match.end("number"))
    number = match["number"].decode()
    use = parsed.named_use(number, span)
    return Hit("launch/error-number", use, {"number": number, "name": number})
