"""A package that the public index only holds the name of: reported where the file has no index of AMD's."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Use
from cudamigrate.rulebase.rocm_releases import rocm_hosts
from cudamigrate.syntax.project_file import ProjectFile


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """Whether no index for ROCm is in the file."""
    return not any(host.encode() in parsed.data for host in rocm_hosts())


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """None: where the index belongs depends on the tool that installs."""
    return []
