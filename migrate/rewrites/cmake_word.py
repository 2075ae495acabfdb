"""A name of CMake's -> the same name for another language: one part of it is exchanged."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The first place of the first word is exchanged for the second.

    A compiler that is set is nvcc: it stays, and its finding says that there is something to do.
    """
    command = cmake.command_at(parsed, use.span.start)
    sets = command is not None and command.name == "set" and command.args[0].span == use.span
    if sets and use.name.endswith("_COMPILER"):
        return []
    old = words[0].encode()
    at = parsed.data.find(old, use.span.start, use.span.end)
    return [Edit(Span(at, at + len(old)), words[1].encode())] if at >= 0 else []
