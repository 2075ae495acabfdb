"""A type of numbers of CUDA's warp matrix functions: `cudamigrate_wmma.h` has it, and nothing is to be done."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use


def concerns(parsed: ParsedFile, use: Use) -> bool:
    """Whether the header that has the type does not take the place of CUDA's: for whole waves, or beside rocWMMA."""
    return parsed.native or any(include.path.startswith("rocwmma/") for include in parsed.includes)


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The name stays."""
    return []
