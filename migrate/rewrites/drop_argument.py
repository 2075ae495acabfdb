"""Take one argument out, with the comma before it."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` is the argument's place, from 2, or `last`. Those around it are not touched, and may change too."""
    place = len(use.args) if words[0] == "last" else int(words[0])
    if place < 2 or len(use.args) < place:
        return []
    return [Edit(Span(use.args[place - 2].end, use.args[place - 1].end), b"")]
