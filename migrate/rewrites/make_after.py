"""Words behind what a use of a Makefile names, as options behind the compiler of a command."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One insertion."""
    return [Edit(Span(use.span.end, use.span.end), " ".join(["", *words]).encode())]
