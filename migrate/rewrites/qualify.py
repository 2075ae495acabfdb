"""Write the namespace before a name."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The qualifier that `words` name, at the first byte of the name; one `::` where the name begins with it."""
    qualifier = words[0].removesuffix("::") if use.name.startswith("::") else words[0]
    return [Edit(Span(use.span.start, use.span.start), qualifier.encode())]
