"""A comparison with the release of CUDA -> one that holds where there is a release: without CUDA the text is empty."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`NAME AND NAME VERSION_LESS 11`, which is for CUDA what it was."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None or not command.args:
        return []
    first = command.args[0]
    name = first.text.removeprefix("${").removesuffix("}")
    return [Edit(first.outer, f"{name} AND {name}".encode())]
