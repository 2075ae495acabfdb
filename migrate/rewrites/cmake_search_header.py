"""A header of CUB's or Thrust's that CMake's `find_path` looks for -> that of AMD's library, in ROCm's folder too."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_library_names
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile

_THERE = re.compile(rb"(?:/usr/local/cuda|/opt/(?:cuda|rocm))[\w.-]*/include(?![\w-])")
"""A folder of headers that is ROCm's, or becomes it."""


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """ROCm's folder, `words[0]`, at the end of the command, and the header `words[1]` where it has another name.

    None where the file goes on to read a file of CUB's below the folder that is found: hipCUB has none of its names.
    """
    command = cmake.command_at(parsed, use.span.start)
    if command is None:
        return []
    new = [Edit(use.span, words[1].encode())] if words[1:] else []
    if new and any(f"${{{command.args[0].text}}}/" in one.text for each in parsed.commands for one in each.args):
        return []
    first = next(
        one for one in parsed.uses if command.span.start <= one.span.start and one.name.startswith("find_path(")
    )
    if first != use or _THERE.search(parsed.data, command.span.start, command.span.end):
        return new
    return [*new, cmake_library_names.with_folder(command, words[0])]
