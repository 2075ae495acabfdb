"""`#pragma unroll` in a macro -> `_Pragma("unroll")`, which every compiler reads after the preprocessor."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit: the whole of the pragma."""
    text = parsed.data[use.span.start : use.span.end].decode("utf-8", "replace")
    return [Edit(use.span, f'_Pragma("{text.partition("pragma")[2].strip()}")'.encode())]
