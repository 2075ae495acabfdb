"""`find_package` of CUDA -> of the HIP package named; what CUDA's versions and components say is dropped."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_KEPT = ("REQUIRED", "QUIET")


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new arguments; in a file for the old FindCUDA module the language HIP is enabled too."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None:
        return []
    kept = [word for word in command.words()[1:] if word in _KEPT]
    whole = Span(command.args[0].outer.start, command.args[-1].outer.end)
    made = [Edit(whole, " ".join([words[0], *kept]).encode())]
    found = cmake.commands(parsed)
    if command.words()[0] == "CUDA" and (parsed.cmake.searches or _needs_language(found)) and _is_free(command, found):
        blanks = cmake.indent(parsed.data, command.span.start)
        line = b"enable_language(HIP)" + cmake.line_end(parsed.data) + blanks
        made.append(Edit(Span(command.span.start, command.span.start), line))
    return made


def _is_free(command: Command, found: Sequence[Command]) -> bool:
    """Whether a command is in no function, where CMake enables no language."""
    before = [one.name for one in found if one.span.start < command.span.start]
    return before.count("function") <= before.count("endfunction")


def _needs_language(found: Sequence[Command]) -> bool:
    """Whether kernels are built here or in folders further in, and by commands that enabled no language for them.

    CMake wants a language enabled in the outermost folder whose targets use it: where their module is looked for.
    """
    builds = any(command.name.startswith(("cuda_add_", "cuda_compile", "add_subdirectory")) for command in found)
    languages = [one for one in found if one.name in ("project", "enable_language")]
    return builds and not any(cmake.enables(one, "CUDA") or cmake.enables(one, "HIP") for one in languages)
