"""A variable's value in a condition -> the same in quotes, where an empty one leaves the condition without a side."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`"${NAME}"`; the use is the whole argument."""
    text = parsed.source.text(use.span)
    return [Edit(use.span, f'"{text}"'.encode())] if text.startswith("${") else []
