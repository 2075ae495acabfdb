"""Write a call of a checked access as a subscript: `a.at(i)` becomes `a[i]`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` name the member; any other member, and a call without exactly one argument, is left as it is."""
    if len(use.args) != 1 or not use.name.endswith(f"::{words[0]}"):
        return []
    opening, closing = use.span.end, use.extent.end - 1
    return [Edit(Span(use.span.start, opening + 1), b"["), Edit(Span(closing, closing + 1), b"]")]
