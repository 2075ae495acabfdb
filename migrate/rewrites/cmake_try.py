"""A source that CMake tries to compile and that ends in `.cu` -> a copy that ends in `.hip`, which CMake knows."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile

_FOLDER = "${CMAKE_CURRENT_BINARY_DIR}"
_ENDING = ".cu"


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """A line that copies the source before the command, and the copy's path in the command.

    None where something else is on the line of the command before it.
    """
    command = cmake.command_at(parsed, use.span.start)
    if command is None or parsed.data[: command.span.start].rpartition(b"\n")[2].strip():
        return []
    argument = next(one for one in command.args if one.span == use.span)
    copy = f"{_FOLDER}/{posixpath.basename(argument.text).removesuffix(_ENDING)}.hip"
    sign = '"' if argument.quoted else ""
    line = f"configure_file({sign}{argument.text}{sign} {sign}{copy}{sign} COPYONLY)".encode()
    start = command.span.start
    blanks = cmake.line_end(parsed.data) + cmake.indent(parsed.data, start)
    return [Edit(Span(start, start), line + blanks), Edit(use.span, copy.encode())]
