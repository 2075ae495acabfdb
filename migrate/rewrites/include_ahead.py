"""Include a header on the line ahead of another include, under the same conditions: its place may matter."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.include_insertion import newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One line; the use is the include's path, `words` name the header."""
    start = parsed.data.rfind(b"\n", 0, use.span.start) + 1
    return [Edit(Span(start, start), f"#include <{words[0]}>".encode() + newline(parsed.data))]
