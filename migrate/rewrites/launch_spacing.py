"""Write launch chevrons in one piece: `<< <` becomes `<<<` and `>> >` becomes `>>>`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use

_CLOSING = re.compile(rb">\s*>\s*>\Z")


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Replace only the chevrons that have blanks in them; a comment between them leaves the launch alone."""
    opening = parsed.data[use.span.start : use.span.end]
    closing = _CLOSING.search(parsed.data, use.span.end, use.extent.end)
    if closing is None or not re.fullmatch(rb"<<\s*<", opening):
        return []
    changes = []
    if opening != b"<<<":
        changes.append(Edit(use.span, b"<<<"))
    if closing[0] != b">>>":
        changes.append(Edit(Span(closing.start(), closing.end()), b">>>"))
    return changes
