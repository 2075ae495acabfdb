"""Let a macro paste the names of our own warp functions in place of CUDA's."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.include_insertion import RUNTIME_HEADER, addition
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`__shfl_##how##_sync` becomes `cudamigrate::shfl_##how##_sync`: the pieces after the underscores stay."""
    if not parsed.data.startswith(b"__", use.span.start):
        return []
    end = use.span.start + 2
    rest = parsed.data[end : use.span.end].lstrip()
    if rest.startswith(b"##"):
        end = parsed.data.index(b"##", end) + 2
        end += len(parsed.data[end : use.span.end]) - len(parsed.data[end : use.span.end].lstrip())
    return [Edit(Span(use.span.start, end), b"cudamigrate::"), addition(parsed, RUNTIME_HEADER)]
