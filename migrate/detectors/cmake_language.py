"""Projects of CMake whose kernels FindCUDA's commands compile, and in which no place enables the language HIP."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import cmake_tree
from cudamigrate.model import Hit, Use
from cudamigrate.syntax.project_file import ProjectFile

_RULE = "build/cmake-language-missing"


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """A hit for the first `project`, where it is the only place for the language."""
    if parsed.ported or not cmake_tree.lacks(parsed):
        return
    command = next((one for one in parsed.commands if one.name == "project"), None)
    if command is not None:
        yield Hit(_RULE, Use("name", command.name, command.at, command.span, command.places, certainty="syntax"))
