"""Write out what a call gives, for the function that the rule names: `rsqrt(x)` becomes `(1 / std::sqrt(x))`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Two edits around the only argument; `words` are names of functions and what is before the bracket for each."""
    before = dict(word.split("=", 1) for word in words)[use.name]
    start, end = use.args[0].start, use.args[0].end
    return [Edit(Span(use.extent.start, start), f"({before}(".encode()), Edit(Span(end, use.extent.end), b"))")]
