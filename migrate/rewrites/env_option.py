"""An option that turns CUDA on in a build becomes the one for HIP, unless the file knows that one already."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile

_DECIDED = re.compile(rb"\bif\b[^\n]*\$\{?\w*CUDA[^\n]*\n[^\n]*$")
"""An `if` about a variable for CUDA, on the line before the last one: `if [ "$USE_CUDA" = 1 ]`."""


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """False where the option for HIP is in the file too, or a test of a variable for CUDA decides on it."""
    data = parsed.data
    decided = _DECIDED.search(data[max(0, use.span.start - 300) : use.span.start])
    return use.name.replace("CUDA", "HIP").encode() not in data and decided is None


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The option with HIP in place of CUDA."""
    return [Edit(use.span, use.name.replace("CUDA", "HIP").encode())]
