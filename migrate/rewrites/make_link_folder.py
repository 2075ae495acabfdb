"""Give a link the folder of ROCm's libraries, before the first of them."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` are the option that names the folder."""
    return [Edit(Span(use.span.start, use.span.start), f"{words[0]} ".encode())]
