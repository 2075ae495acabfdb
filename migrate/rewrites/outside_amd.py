"""Keep a definition from HIP for AMD, whose headers have it or must not find it."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.platform_guards import outside_amd
from cudamigrate.cuda.version_conditions import compiler_macro
from cudamigrate.model import Edit, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Two lines around the whole of the use; none where something else is on its first or last line.

    They ask for the platform, which HIP's headers make known at the latest; with the word `compiler`, for the compiler
    in files of its own, as is needed above these headers.
    """
    return outside_amd(parsed, use.extent, compiler_macro(parsed)) if words else outside_amd(parsed, use.extent)
