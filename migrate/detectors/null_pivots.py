"""Solves of factorised batches without pivots: cuBLAS takes no pointer for none, hipBLAS refuses it."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"getrsBatched",)

_CALL = re.compile(rb"\b(?:cublas|hipblas)[SDCZ]getrsBatched\s*(?=\()")
_PIVOTS = 6
"""Which argument is the array of pivots."""
_NONE = re.compile(rb"(?:\(\s*(?:const\s+)?int\s*\*\s*\)\s*)?(?:NULL|nullptr|0)")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The calls whose pivots are a null pointer by their text."""
    for match in parsed.lexed.matches(_CALL, b"getrsBatched"):
        closing = parsed.lexed.closing(match.end())
        given = list(parsed.lexed.arguments(match.end(), closing)) if closing > 0 else []
        if len(given) > _PIVOTS and _NONE.fullmatch(parsed.data[slice(*given[_PIVOTS])].strip()):
            name = match[0].decode().strip()
            yield Hit("library/null-pivots", parsed.named_use(name, Span(*given[_PIVOTS])), {"call": name})
