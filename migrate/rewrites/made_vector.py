"""Write a vector out of the components of what was named as one."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit: `threadIdx` becomes `make_uint3(threadIdx.x, threadIdx.y, threadIdx.z)`."""
    parts = ", ".join(f"{use.name}.{part}" for part in "xyz")
    return [Edit(use.span, f"make_uint3({parts})".encode())]
