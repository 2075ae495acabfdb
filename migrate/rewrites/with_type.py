"""Write the namespace before a function's name, and behind it the type that both of its arguments are converted to."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import integer_types
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` are the namespace: `std::` makes `std::min<unsigned int>(a, 1)` of `min(a, 1)`."""
    kind = integer_types.joined(parsed, use.extent)
    start, end = use.span.start, use.span.end
    places = ((start, words[0]), (end, f"<{kind}>")) if kind else ()
    return [Edit(Span(at, at), text.encode()) for at, text in places]
