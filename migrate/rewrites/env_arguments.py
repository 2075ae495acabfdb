"""Other arguments take the place of one, on a command line or in a list of strings."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The arguments, each a string of its own in a devcontainer; once in a command."""
    text = parsed.data[use.span.start : use.span.end]
    listed = parsed.source.language == "devcontainer"
    if not listed and b"," in text:
        return []
    alike = [
        other.span for other in parsed.uses if other.extent == use.extent and other.name.startswith("docker --gpus all")
    ]
    if use.extent != use.span and alike and use.span != alike[0]:
        return []
    return [Edit(use.span, ('", "' if listed else " ").join(words).encode())]
