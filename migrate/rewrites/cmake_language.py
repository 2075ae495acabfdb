"""`project` -> the same, and the language that its kernels need enabled."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One line after the command; `words` is the language."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None:
        return []
    begin = cmake.line_end(parsed.data) + cmake.indent(parsed.data, command.span.start)
    return [Edit(Span(command.span.end, command.span.end), begin + f"enable_language({words[0]})".encode())]
