"""A package that works on AMD from a version on: told of where an older one is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.environment.torch_wheels import requirements
from migrate.model import Edit, Use, release
from migrate.rulebase.rocm_releases import floor
from migrate.syntax.project_file import ProjectFile


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """Whether the specifiers keep out every version that works."""
    item, oldest = requirements(parsed).get(use.span.start), release(floor(use.name))
    if item is None:
        return False
    upper = [(sign, release(asked)) for sign, asked in item.clauses if sign in ("==", "===", "=", "<", "<=")]
    return any(asked < oldest or (sign == "<" and asked == oldest) for sign, asked in upper)


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """None: which newer version to take is the reader's choice."""
    return []
