"""A package that only its extras tie to CUDA: reported where one of them is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.environment.torch_wheels import requirements
from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """Whether the extras name CUDA or a GPU."""
    item = requirements(parsed).get(use.span.start)
    if item is None:
        return False
    extras = parsed.data[item.extras.start : item.extras.end].lower()
    return b"cuda" in extras or b"gpu" in extras


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """None: no one name takes the place of an extra."""
    return []
