"""The variable that completes the name of Thrust's backend -> an expression that is `HIP` where it is `CUDA`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile

_EVALUATE = ("target_compile_definitions", "target_compile_options", "add_compile_definitions", "add_compile_options")
"""Commands that evaluate generator expressions; variables of flags do not."""


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`$<IF:$<STREQUAL:${NAME},CUDA>,HIP,${NAME}>`, where the command evaluates it."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None or command.name not in _EVALUATE:
        return []
    value = parsed.source.text(use.span)
    return [Edit(use.span, f"$<IF:$<STREQUAL:{value},CUDA>,HIP,{value}>".encode())]
