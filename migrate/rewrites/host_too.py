"""Qualify for both sides what only the device's pass of nvcc qualifies: `__device__` becomes `__host__ __device__`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.pass_qualifiers import choosing
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit where the conditional does nothing but choose qualifiers; its condition is widened by another rule."""
    around = parsed.conditional(use.span.start)
    if around is None or around.chain not in choosing(parsed):
        return []
    return [Edit(use.span, b"__host__ __device__")]
