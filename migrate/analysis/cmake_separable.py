"""CMake: targets whose device code is linked across files, and which of them link it themselves.

clang links device code where a program or a shared library is linked, of the objects that go into it. The objects of a
static library wait for their user, who has to give the option too.
Source: clang documentation, "HIP support", compilation with `-fgpu-rdc`; linked with clang 15.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from cudamigrate.analysis import cmake_targets
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

PROPERTY = "CUDA_SEPARABLE_COMPILATION"
OF_PROGRAM = f"{PROPERTY} of a program"
"""The name of the use that stands for the property of a target which links its own device code."""
OF_HOST = f"{PROPERTY} of host code"
"""That of targets without a source for the GPU, which have no device code to link: what they link has the property."""
_PROGRAMS = ("add_executable", "cuda_add_executable")
_LIBRARIES = ("add_library", "cuda_add_library")
_SHARED = ("SHARED", "MODULE")
ON = ("ON", "TRUE", "1", "YES")
"""What switches a property on, as CMake reads it."""
_GIVING = ("set", "list", "string")
_FLAGS = "CMAKE_CUDA_FLAGS"
_OPTION = re.compile(r"(?<!\S)(?:-dc|-?-rdc[= ]true|--relocatable-device-code[= ]true)(?!\S)")


def marked(parsed: ProjectFile, uses: Sequence[Use]) -> list[Use]:
    """The uses of the property, marked where it is that of one target which is linked with sources for the GPU, or of
    targets that have none."""
    if all(one.name != PROPERTY for one in uses):
        return list(uses)
    return [replace(one, name=_marked(parsed, one)) if one.name == PROPERTY else one for one in uses]


def _marked(parsed: ProjectFile, use: Use) -> str:
    command = cmake.command_at(parsed, use.span.start)
    named = _targets(command) if command is not None else []
    if named and set(named) <= parsed.once(_of_host):
        return OF_HOST
    return OF_PROGRAM if _links_itself(parsed, use) else PROPERTY


def _of_host(parsed: ProjectFile) -> frozenset[str]:
    return cmake_targets.of_host(cmake_targets.known(parsed))


def _targets(command: Command) -> list[str]:
    """The targets that a command gives properties."""
    words, first = command.words(), 1 if command.name == "set_property" else 0
    if command.name not in cmake.PROPERTIES or (first and words[:1] != ["TARGET"]):
        return []
    ends = ("PROPERTIES", "PROPERTY", "APPEND", "APPEND_STRING")
    return list(itertools.takewhile(lambda word: word not in ends, words[first:]))


def target(command: Command) -> str:
    """The only target that a command gives properties; empty where there are several, or it names something else."""
    words = command.words()
    if command.name == "set_target_properties" and words[1:2] == ["PROPERTIES"]:
        return words[0]
    return words[1] if command.name == "set_property" and words[:1] == ["TARGET"] and words[2:3] == ["PROPERTY"] else ""


def scope(parsed: ProjectFile, name: str) -> Literal["INTERFACE", "PRIVATE", "PUBLIC"]:
    """Who needs the options of a target: itself, its users, or both."""
    made = [one for one in parsed.commands if one.name in (*_PROGRAMS, *_LIBRARIES) and one.words()[:1] == [name]]
    if any("INTERFACE" in one.words()[1:2] for one in made):
        return "INTERFACE"
    return "PRIVATE" if all(map(_is_linked, made)) else "PUBLIC"


def relocates(parsed: ProjectFile) -> bool | None:
    """Whether all targets of a file with sources for the GPU have the property, by a command that is converted.

    Or the flags of the language have nvcc's option, which is. None for a file without such targets.
    """
    names = cmake_targets.names(parsed)
    if not names:
        return None
    given = (command.words() for command in parsed.commands if command.name in _GIVING)
    if any(_FLAGS in words and any(map(_OPTION.search, words)) for words in given):
        return True
    return names <= {target(command) for command in parsed.commands if _switches_on(command)}


def _switches_on(command: Command) -> bool:
    words = command.words()
    return any(one == PROPERTY and value.upper() in ON for one, value in pairwise(words))


def _is_linked(command: Command) -> bool:
    return command.name in _PROGRAMS or not set(_SHARED).isdisjoint(command.words()[1:2])


def _links_itself(parsed: ProjectFile, use: Use) -> bool:
    command = cmake.command_at(parsed, use.span.start)
    name = target(command) if command is not None else ""
    made = [one.command for one in cmake_targets.of(parsed) if one.command.words()[:1] == [name]]
    return bool(name and made) and all(map(_is_linked, made))
