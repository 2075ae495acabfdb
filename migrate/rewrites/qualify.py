"""Write the namespace before a name."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The qualifier that `words` name, at the first byte of the name."""
    return [Edit(Span(use.span.start, use.span.start), words[0].encode())]
