"""`find_package` that asks for a version -> the same without it; what asks for that version exactly is left alone."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The command without its second argument, and without the blanks before it."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None or "EXACT" in command.words():
        return []
    return [Edit(Span(command.args[0].outer.end, command.args[1].outer.end), b"")]
