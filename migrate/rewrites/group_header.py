"""A header of CUDA's cooperative groups whose place `cudamigrate_groups.h` takes. The word is the kind of header."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis.cooperative_groups import replaced
from cudamigrate.cuda.include_insertion import GROUPS_HEADER
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Write our header in place of the first of them, and take out the lines of the others."""
    if parsed.native:
        return []
    first = next(iter(replaced(parsed, words[0])), None)
    if first is None or first.span == use.span or parsed.conditional(use.span.start) is not None:
        up = "../" * parsed.source.path.count("/")
        return [Edit(use.span, f'"{up}{GROUPS_HEADER}"'.encode())]
    line = parsed.data.find(b"\n", use.span.end)
    end = len(parsed.data) if line < 0 else line + 1
    if parsed.data[use.span.end : end].strip():
        return [Edit(Span(use.extent.start, use.span.end), b"")]
    return [Edit(Span(use.extent.start, end), b"")]
