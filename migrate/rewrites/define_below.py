"""Define a macro below the directive that a use is in."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.include_insertion import newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One line, `#define NAME`, for each of the words."""
    directive = next((one for one in parsed.lexed.directives if one.start <= use.span.start < one.end), None)
    if directive is None:
        return []
    text = b"".join(newline(parsed.data) + b"#define " + word.encode() for word in words)
    return [Edit(Span(directive.end, directive.end), text)]
