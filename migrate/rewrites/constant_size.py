"""Write 32 for `warpSize` in a constant of the whole file: CUDA's meaning, and the same for host and device."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit: the number in place of the name."""
    return [Edit(use.span, b"32")] if parsed.data[use.span.start : use.span.end].endswith(b"warpSize") else []
