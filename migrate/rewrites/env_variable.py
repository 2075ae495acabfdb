"""A variable gets another name, where it is set and where it is read in the same file."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile

_USUAL = re.compile(rb"(?:/usr/local|/opt)/cuda(?:-[\d.]+)?/?")
_BELOW = re.compile(rb"[\"']?(?:/[\w.+-]+)*/cuda(?:-[\d.]+)?/+\D.*", re.DOTALL)
"""A folder below CUDA's, whose name the new variable must not have: `/usr/local/cuda/include`, no `/opt/cuda/12.4`."""


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """Only where it is set: readings go with it."""
    return use.extent != use.span


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Every occurrence in the file gets the new name, and CUDA's usual folder as a value the new one.

    None where the variable is set to a folder below that of CUDA.
    """
    uses = [other for other in parsed.uses if other.name == use.name]
    changes = {Edit(other.span, words[0].encode()) for other in uses}
    values = [other.args[0] for other in uses if other.args]
    if any(_BELOW.fullmatch(parsed.data[value.start : value.end]) for value in values):
        return []
    for value in values:
        if _USUAL.fullmatch(parsed.data[value.start : value.end]):
            changes.add(Edit(value, words[1].encode()))
    return sorted(changes, key=lambda edit: edit.span)
