"""A package that comes along with another: reported where one version of it is asked for, by no address."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.environment.torch_wheels import requirements
from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """Whether one version is asked for, of no build that has a name of its own."""
    item = requirements(parsed).get(use.span.start)
    return item is not None and bool(item.pin) and not item.local.end


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """None: whether the version fits depends on the torch that is installed."""
    return []
