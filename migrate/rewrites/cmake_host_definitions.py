"""`set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -DX")` -> the same, and `CMAKE_HIP_FLAGS` with these options."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_host_flags
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One line after the command; none where one is written so that it cannot be copied."""
    command = cmake.command_at(parsed, use.span.start)
    given = None if command is None else cmake_host_flags.options(parsed.data, command)
    if command is None or not given or any(_is_renamed(parsed, one) for one in given):
        return []
    name = use.name.rpartition(" ")[2].replace("_CXX_", "_HIP_")
    copied = " ".join(parsed.data[one.start : one.end].decode() for one in given)
    begin = cmake.line_end(parsed.data) + cmake.indent(parsed.data, command.span.start)
    line = f'set({name} "${{{name}}} {copied}")'
    return [Edit(Span(command.span.end, command.span.end), begin + line.encode())]


def _is_renamed(parsed: ProjectFile, span: Span) -> bool:
    """Whether a rule changes something in an option, so that a copy would keep the old name."""
    inside = [one for one in parsed.uses if span.start <= one.span.start < span.end]
    return parsed.rule is None or any(parsed.rule(one) is not None for one in inside)
