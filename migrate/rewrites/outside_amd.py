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
    if after < 0 or parsed.data[before:start].strip() or parsed.data[end:after].strip():
        return []
    line = newline(parsed.data)
    return [
        Edit(Span(before, before), b"#ifndef __HIP_PLATFORM_AMD__" + line),
        Edit(Span(after + 1, after + 1), b"#endif" + line),
    ]
