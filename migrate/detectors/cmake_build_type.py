"""Projects of CMake in which nothing says how much kernels are optimised."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import cmake_tree
from cudamigrate.model import Hit, Use
from cudamigrate.syntax.project_file import ProjectFile

_RULE = "build/cmake-build-type"


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """A hit for the first `project`."""
    if parsed.ported or parsed.kept or not cmake_tree.unnamed(parsed):
        return
    command = next((one for one in parsed.commands if one.name == "project"), None)
    if command is not None:
        yield Hit(_RULE, Use("name", command.name, command.at, command.span, command.places, certainty="syntax"))
