"""Options of a kind of build that ask for no optimisation -> the same with what nvcc does by itself."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The option, `words`, in front of the only value where that is in quotes; elsewhere it would make a list."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None or len(command.args) < 2:
        return []
    value = command.args[1]
    if not value.quoted or (len(command.args) > 2 and command.args[2].text not in ("CACHE", "PARENT_SCOPE")):
        return []
    blank = " " if value.text and not value.text.startswith(" ") else ""
    return [Edit(Span(value.span.start, value.span.start), f"{words[0]}{blank}".encode())]
