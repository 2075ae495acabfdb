"""What is added to FindCUDA's list after a target was made -> options of the folder, which later targets get."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_late_flags, cmake_options
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """False where the list is the project's own, or the command goes with the options in it."""
    return cmake_options.uses_find_cuda(parsed) and cmake_options.emptied(parsed, use.span.start) is None


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The command with each option for files of the language HIP; none where the list stays as it is."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None or not use.name.endswith(cmake_late_flags.LATER):
        return []
    values = command.args[2:]
    made = [
        Edit(command.at, b"add_compile_options"),
        Edit(Span(command.args[0].span.start, values[0].outer.start), b""),
    ]
    for value in values:
        start, end = value.span.start, value.span.end
        made += [Edit(Span(start, start), b"$<$<COMPILE_LANGUAGE:HIP>:"), Edit(Span(end, end), b">")]
    return made
