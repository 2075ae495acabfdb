"""FindCUDA's property of a source that nvcc compiles, whatever it ends in -> the language HIP."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_options
from cudamigrate.model import Edit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new property, `words`; none where a build without FindCUDA's commands sets it too.

    They read the property in the folder of the source, and nothing else does: a build without a GPU has no language for
    the source then.
    """
    command = cmake.command_at(parsed, use.span.start)
    found = cmake.commands(parsed)
    branches = cmake.branches(found)
    compiling = [branches[one.span] for one in found if one.name in cmake_options.COMPILES]
    if command is None or not any(branches[command.span][: len(one)] == one for one in compiling):
        return []
    return [Edit(use.span, " ".join(words).encode())]
