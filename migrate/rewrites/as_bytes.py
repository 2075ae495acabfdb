"""Let a pointer count bytes: `d + n` becomes `(char *)d + n`, and `n - d` becomes `n - (size_t)d`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis.device_pointers import as_operand
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """A cast before the operand, which binds to it alone."""
    return [Edit(Span(use.span.start, use.span.start), as_operand(parsed, use.span))]
