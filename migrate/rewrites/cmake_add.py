"""The commands of FindCUDA that make targets -> CMake's own, where no compiler options stand among the sources."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.cuda.parsed_file import ParsedFile
from migrate.model import Edit, Use
from migrate.syntax import cmake
from migrate.syntax.project_file import ProjectFile


def edits(parsed: ParsedFile | ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new command."""
    command = cmake.command_at(parsed, use.span.start) if isinstance(parsed, ProjectFile) else None
    if command is None or "OPTIONS" in command.words():
        return []
    return [Edit(use.span, words[0].encode())]
