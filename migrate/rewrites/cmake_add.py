"""The commands of FindCUDA that make targets -> CMake's own, and a command for options among the sources."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new command; options for nvcc become a variable, and the options of the target for HIP.

    They stay where they are: each is converted by itself.
    """
    command = cmake.command_at(parsed, use.span.start)
    if command is None:
        return []
    name = Edit(use.span, words[0].encode())
    at = cmake.options_at(command)
    if at is None:
        return [] if "OPTIONS" in command.words() else [name]
    target = command.args[0].text
    held = f"{target}_hip_options"
    begin = cmake.line_end(parsed.data).decode() + cmake.indent(parsed.data, command.span.start).decode()
    given = f'{begin}target_compile_options({target} PRIVATE "$<$<COMPILE_LANGUAGE:HIP>:${{{held}}}>")'
    end = Span(command.span.end, command.span.end)
    return [name, Edit(command.args[at].span, f"){begin}set({held}".encode()), Edit(end, given.encode())]
