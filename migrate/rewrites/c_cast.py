"""Cast as C does, which takes const away too."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`reinterpret_cast<T>(p)` becomes `(T)(p)`; the use is the whole cast, of a plain type."""
    opening, closing = parsed.data.find(b"<", use.span.start), parsed.data.find(b">", use.span.start)
    if not use.span.start < opening < closing < use.span.end:
        return []
    return [Edit(Span(use.span.start, opening + 1), b"("), Edit(Span(closing, closing + 1), b")")]
