"""Errors of `cudaPointerGetAttributes` that mean memory of the host: HIP gives none, as CUDA since its release 11."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = ((b"PointerGetAttributes", b"ErrorInvalidValue"),)

_CALL = re.compile(rb"\b(?:cuda|hip)PointerGetAttributes(?=\s*\()")
_ERROR = re.compile(rb"\b(?:cuda|hip)ErrorInvalidValue\b")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first such call of each function that asks for the error behind it."""
    seen = set[int]()
    for match in parsed.lexed.matches(_CALL):
        function = parsed.function(match.start())
        if function is None or function.span.start in seen:
            continue
        behind = _ERROR.finditer(parsed.data, match.end(), function.span.end)
        if any(parsed.lexed.is_code(one.start()) for one in behind):
            seen.add(function.span.start)
            use = parsed.named_use(match[0].decode(), Span(*match.span()))
            yield Hit("memory/unregistered-pointer", use)
