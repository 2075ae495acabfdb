"""Make a `dim3` of the parts of a vector: `grid` becomes `dim3(grid.x, grid.y, grid.z)`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit, of a plain name."""
    return [Edit(use.span, f"dim3({use.name}.x, {use.name}.y, {use.name}.z)".encode())]
