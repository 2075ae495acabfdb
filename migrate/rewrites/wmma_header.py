"""CUDA's header of warp matrix functions, whose place `cudamigrate_wmma.h` takes: the names in code stay."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.include_insertion import WMMA_HEADER
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Write our header, named relative to the file."""
    if parsed.native:
        return []
    up = "../" * parsed.source.path.count("/")
    return [Edit(use.span, f'"{up}{WMMA_HEADER}"'.encode())]
