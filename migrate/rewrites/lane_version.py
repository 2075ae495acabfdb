"""Let HIP take the branch for newer CUDA or newer GPUs, where a test chooses between warp functions."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.version_conditions import for_hip
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Words behind the condition; `words` name the macro that HIP defines where the test is made, if not the usual."""
    return for_hip(parsed, use.extent, words[0] if words else "")
