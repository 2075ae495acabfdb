"""A name of CMake's -> the same name for another language: one part of it is exchanged."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_folded
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The first place of the first word is exchanged for the second.

    A compiler that is set, or looked for by a name, is nvcc: it stays, and its finding says that there is something to
    do. Where a folder is worked out from the compiler's, hipcc takes its place: that of the language HIP is further
    down.
    """
    if (folded := cmake_folded.edits(parsed, use)) is not None:
        return folded
    command = cmake.command_at(parsed, use.span.start)
    commands = cmake.commands(parsed)
    if command is not None and use.name == "CMAKE_CUDA_COMPILER" and _is_for_folder(command, commands):
        reads = parsed.data[use.span.end : use.span.end + 1] == b"}"
        hipcc = b"CMAKE_HIP_COMPILER_ROCM_ROOT}/bin/hipcc"
        return [Edit(Span(use.span.start, use.span.end + 1), hipcc)] if reads else []
    sets = command is not None and command.name in ("set", "find_program") and command.args[0].span == use.span
    if sets and use.name.endswith("_COMPILER"):
        return []
    old = words[0].encode()
    at = parsed.data.find(old, use.span.start, use.span.end)
    return [Edit(Span(at, at + len(old)), words[1].encode())] if at >= 0 else []


def _is_for_folder(command: Command, commands: Sequence[Command]) -> bool:
    """Whether a command takes the folder of a path, or sets a variable of which nothing else is taken."""
    if command.name == "set" and len(command.args) == 2:
        held = f"${{{command.args[0].text}}}"
        readers = [one for one in commands if one is not command and any(held in word for word in one.words())]
        first = next((one for one in readers if one.span.start > command.span.start), None)
        return first is not None and _takes_folder(first) and held in first.words()
    return _takes_folder(command)


def _takes_folder(command: Command) -> bool:
    kinds = {"DIRECTORY", "PATH"} if command.name == "get_filename_component" else {"PARENT_PATH"}
    return command.name in ("get_filename_component", "cmake_path") and not kinds.isdisjoint(command.words())
