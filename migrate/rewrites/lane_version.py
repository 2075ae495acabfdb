"""Let HIP take the branch for CUDA 9 and later, where a test of the version chooses between warp functions."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.model import Edit, Span, Use
from migrate.parsed import ParsedFile


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Words behind the condition: a test for old versions must not hold under HIP, one for new versions must."""
    old = "<" in use.name
    end = Span(use.extent.end, use.extent.end)
    return [Edit(end, b" && !defined(__HIPCC__)" if old else b" || defined(__HIPCC__)")]
