"""A variable that matters where it is set; readings of it are not reported."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """Whether the variable is set here."""
    return use.extent != use.span


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """None, or the new name where the rule has one."""
    return [Edit(use.span, words[0].encode())] if words else []
