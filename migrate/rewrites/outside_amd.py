"""Keep a definition from HIP for AMD, whose headers have it."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.include_insertion import newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Two lines around the whole of the use; none where something else is on its first or last line."""
    start, end = use.extent.start, use.extent.end
    before = parsed.data.rfind(b"\n", 0, start) + 1
    after = parsed.data.find(b"\n", end)
    line = newline(parsed.data)
    last, ended = (len(parsed.data), line) if after < 0 else (after + 1, b"")  # the file may end without a line break
    if parsed.data[before:start].strip() or parsed.data[end:last].strip():
        return []
    return [
        Edit(Span(before, before), b"#ifndef __HIP_PLATFORM_AMD__" + line),
        Edit(Span(last, last), ended + b"#endif" + line),
    ]
