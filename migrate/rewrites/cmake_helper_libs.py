"""FindCUDA's command that looks for further libraries of CUDA -> nothing: what links one finds its package for HIP."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_left, cmake_options
from cudamigrate.model import Edit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The lines of the command go, where all its libraries have a target of ROCm's; `words` is empty."""
    command = cmake.command_at(parsed, use.span.start)
    lines = cmake_options.lines(parsed.data, command.span) if command is not None else None
    if command is None or lines is None or not cmake_left.is_helped(command):
        return []
    return [Edit(lines, b"")]
