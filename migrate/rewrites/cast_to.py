"""Cast an operand to a type: `d & 15` becomes `(unsigned long long)d & 15`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` are those of the type, `*` for a pointer. The cast before the operand binds to it alone."""
    return [Edit(Span(use.span.start, use.span.start), f"({' '.join(words)})".encode())]
