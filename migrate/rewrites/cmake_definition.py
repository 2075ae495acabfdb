"""A macro that a CMake file defines for the compiler -> another name; elsewhere the word is the project's own."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """Whether it is a word of `target_compile_definitions` or `add_compile_definitions`."""
    command = cmake.command_at(parsed, use.span.start)
    return command is not None and command.name.endswith("compile_definitions")


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The word is exchanged for the first of `words`."""
    return [Edit(use.span, words[0].encode())]
