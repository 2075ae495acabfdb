"""Keep a definition from HIP for AMD, whose headers have it or must not find it."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.platform_guards import outside_amd
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Two lines around the whole of the use; none where something else is on its first or last line.

    The word `early` is for what may be above HIP's headers.
    """
    return outside_amd(parsed, use.extent, early="early" in words)
