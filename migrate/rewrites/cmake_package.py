"""`find_package` of CUDA -> of the HIP package named; what CUDA's versions and components say is dropped."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from cudamigrate.analysis import cmake_tree
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_KEPT = ("REQUIRED", "QUIET")
_FOUND = ("CUDA_FOUND", "${CUDA_FOUND}")
_CONDITIONS = ("if", "elseif")
_OPTIONS = ("option", "cmake_dependent_option")
_BUILDS = ("cuda_add_", "cuda_compile", "add_subdirectory")
"""How the commands begin that build kernels, here or in folders further in."""
_TRIED = (
    b"include(CheckLanguage)",
    b"check_language(HIP)",
    b"if(CMAKE_HIP_COMPILER)",
    b"  enable_language(HIP)",
    b"endif()",
)
"""The language, where there is a compiler for it."""
_OF_THRUST = re.compile(r"\bT(?:HRUST|hrust)_(?:FOUND|INCLUDE_DIRS?|VERSION\w*)\b")
"""What a search for Thrust gives, and one for `rocthrust` does not: its variables have its own name."""
_EXPORTS = ("BUILD_EXPORT_SET", "INSTALL_EXPORT_SET")
"""What rapids-cmake's command notes the package for; a word follows."""


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """False for a library that is looked for where CUDA is not: beside the branch that sets it up, for the host."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None or cmake.enables(command, "CUDA") or parsed.cmake.finds:
        return True
    found = cmake.commands(parsed)
    sets_up = [one for one in found if cmake.enables(one, "CUDA")]
    branches, of = cmake.branches(found), cmake.conditionals(found)
    return not sets_up or not all(cmake.is_beside(one, command, branches, of) for one in sets_up)


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new arguments; in a file for the old FindCUDA module the language HIP is enabled too.

    `words` are packages: the sources of the tree may use several in place of one.
    """
    command = cmake.command_at(parsed, use.span.start)
    if command is None or "GLOBAL_TARGETS" in command.words():
        return []  # targets by CUDA's names
    if command.words()[0] == "Thrust" and _reads(cmake.commands(parsed)):
        return []  # half of a search would be left
    kept = _kept(command)
    packages = cmake_tree.needed(parsed, words)
    first, *more = (" ".join([one, *kept]) for one in packages)
    stays = kept == command.words()[1:]  # the lines of a long command stay as they are too
    whole = Span(command.args[0].outer.start, command.args[0 if stays else -1].outer.end)
    made = [Edit(whole, (packages[0] if stays else first).encode())]
    name = parsed.data[command.at.start : command.at.end]
    begin = cmake.line_end(parsed.data) + cmake.indent(parsed.data, command.span.start)
    if more:
        end = Span(command.span.end, command.span.end)
        made.append(Edit(end, b"".join(begin + name + f"({one})".encode() for one in more)))
    found = cmake.commands(parsed)
    if command.words()[0] == "CUDA" and (parsed.cmake.searches or _needs_language(found)) and _is_free(command, found):
        blanks = cmake.indent(parsed.data, command.span.start)
        lines = _TRIED if _is_optional(command, found) else _TRIED[3:4]
        text = b"".join(line + cmake.line_end(parsed.data) + blanks for line in lines)
        made.append(Edit(Span(command.span.start, command.span.start), text if len(lines) > 1 else text.lstrip()))
    return made


def _reads(found: Sequence[Command]) -> bool:
    """Whether a file reads what a search for Thrust gives, by a condition or as a value."""
    return any(
        _OF_THRUST.search(word) and (one.name in _CONDITIONS or "${" in word) for one in found for word in one.words()
    )


def _is_optional(command: Command, found: Sequence[Command]) -> bool:
    """Whether the file goes on without CUDA: it need not be there, and a condition or an option asks whether it is.

    So does one whose kernels are all built where an option of the file is chosen.
    """
    if "REQUIRED" in command.words():
        return False
    asked = (one for one in found if one.name in (*_CONDITIONS, *_OPTIONS))
    return any(word in _FOUND for one in asked for word in one.words()) or _is_chosen(found)


def _is_chosen(found: Sequence[Command]) -> bool:
    """Whether kernels are built, and nowhere but in branches of conditions on options that the file declares."""
    options = {word for one in found if one.name in _OPTIONS for word in one.words()[:1]}
    around: list[bool] = []
    builds: list[bool] = []
    for one in found:
        if one.name == "if":
            around.append(not options.isdisjoint(one.words()))
        elif one.name == "elseif" and around:
            around[-1] = around[-1] or not options.isdisjoint(one.words())
        elif one.name == "endif" and around:
            around.pop()
        elif one.name.startswith(_BUILDS):
            builds.append(any(around))
    return bool(builds) and all(builds)


def _kept(command: Command) -> list[str]:
    """The words after the package that say the same of another one."""
    words = command.words()
    export = command.name == "rapids_find_package"
    return [
        word
        for before, word in itertools.pairwise(words)
        if word in _KEPT or (export and (word in _EXPORTS or before in _EXPORTS or word == "FIND_ARGS"))
    ]


def _is_free(command: Command, found: Sequence[Command]) -> bool:
    """Whether a command is in no function, where CMake enables no language."""
    before = [one.name for one in found if one.span.start < command.span.start]
    return before.count("function") <= before.count("endfunction")


def _needs_language(found: Sequence[Command]) -> bool:
    """Whether kernels are built here or in folders further in, and by commands that enabled no language for them.

    CMake wants a language enabled in the outermost folder whose targets use it: where their module is looked for.
    """
    builds = any(command.name.startswith(_BUILDS) for command in found)
    languages = [one for one in found if one.name in ("project", "enable_language")]
    return builds and not any(cmake.enables(one, "CUDA") or cmake.enables(one, "HIP") for one in languages)
