"""Include the HIP runtime header where nvcc included the CUDA one by itself."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.includes import addition
from migrate.model import Edit, Use
from migrate.parsed import ParsedFile


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One line, after the include block."""
    return [addition(parsed, "hip/hip_runtime.h")]
