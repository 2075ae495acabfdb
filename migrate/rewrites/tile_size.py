"""The size of a tile in place of the call that asks for it, where that is a number or a parameter of a template."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import tile_sizes
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` is empty; none where the size cannot be written there."""
    found = (one.size for one in tile_sizes.constant(parsed) if one.span == use.span)
    return [Edit(use.span, size) for size in found if size]
