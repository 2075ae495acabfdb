"""A package that works on AMD from a version on: reported where an older one is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.environment.torch_wheels import requirements
from cudamigrate.model import Edit, Use
from cudamigrate.rulebase.rocm_releases import floor
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.python_versions import allows_from


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """Whether the specifiers keep out every version that works."""
    item, oldest = requirements(parsed).get(use.span.start), floor(use.name)
    return item is not None and bool(oldest) and not allows_from(item.clauses, oldest)


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """None: which newer version to take is the reader's choice."""
    return []
