"""The include folder of CUDA -> that of ROCm, whose headers ask which platform they are for outside of hipcc."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The option after the folder; none where the file gives it somewhere already."""
    option = words[0].encode()
    return [] if option in parsed.data else [Edit(Span(use.span.end, use.span.end), b" " + option)]
