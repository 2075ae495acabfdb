"""Name the type of a list in braces: `{x, y, 1}` becomes `dim3{x, y, 1}`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The type before the brace, which makes the same conversions of the numbers in it."""
    return [Edit(Span(use.span.start, use.span.start), b"dim3")]
