"""The commands of FindCUDA that make targets -> CMake's own, where no compiler options are among the sources."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ParsedFile | ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new command."""
    command = cmake.command_at(parsed, use.span.start) if isinstance(parsed, ProjectFile) else None
    if command is None or "OPTIONS" in command.words():
        return []
    return [Edit(use.span, words[0].encode())]
