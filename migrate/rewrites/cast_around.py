"""Write a cast around an expression."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` are the cast, up to its bracket; `$` in it is the type that the use is named by."""
    cast = " ".join(words).replace("$", use.name)
    start, end = use.span.start, use.span.end
    return [Edit(Span(start, start), f"{cast}(".encode()), Edit(Span(end, end), b")")]
