"""Words of a command line after the word that a use is."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The words, a blank before each."""
    return [Edit(Span(use.span.end, use.span.end), "".join(f" {word}" for word in words).encode())]
