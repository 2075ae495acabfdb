"""Warnings that CMake itself makes errors, for targets with kernels."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import cmake_targets
from cudamigrate.model import Hit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.project_file import ProjectFile

WORDS = (b"COMPILE_WARNING_AS_ERROR",)
_RULE = "build/cmake-warning-error"
_PROPERTY = "COMPILE_WARNING_AS_ERROR"
_OFF = frozenset(("OFF", "FALSE", "NO", "0", "N", "IGNORE", "NOTFOUND", ""))


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """A hit for the variable in a project with kernels, and for the property of a target that has some."""
    if parsed.ported or parsed.kept:
        return
    for command in parsed.commands:
        for name, value in zip(command.args, command.args[1:], strict=False):
            if value.text.upper() in _OFF or not (_sets_all(parsed, command, name) or _sets_one(parsed, command, name)):
                continue
            yield Hit(_RULE, Use("name", name.text, name.span, command.span, command.places, certainty="syntax"))


def _sets_all(parsed: ProjectFile, command: Command, name: Argument) -> bool:
    """Whether a command sets the variable for all targets, in a project that compiles for the GPU."""
    if command.name != "set" or command.args[0] is not name or name.text != f"CMAKE_{_PROPERTY}":
        return False
    facts = parsed.cmake
    own = (one for one in parsed.commands if one.name in ("project", "enable_language"))
    return facts.by_language or facts.builds or any(cmake.enables(one, "CUDA") for one in own)


def _sets_one(parsed: ProjectFile, command: Command, name: Argument) -> bool:
    """Whether a command sets the property of a target with sources for the GPU."""
    if command.name not in cmake.PROPERTIES or name.text != _PROPERTY:
        return False
    made = {one.command.args[0].text for one in cmake_targets.of(parsed) if one.command.name in cmake_targets.MAKES}
    return not made.isdisjoint(command.words())
