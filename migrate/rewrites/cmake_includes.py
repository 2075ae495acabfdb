"""A variable with CUDA's include folders -> that of HIP's package, which has to be looked for.

The language CUDA sets one by itself; `hip_INCLUDE_DIRS` is set by `find_package(hip)` alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_search_places, cmake_tree
from cudamigrate.model import Edit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile

_OF_LANGUAGE = "CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES"


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new name, and a search before the command where nothing looks for CUDA or HIP."""
    renamed = Edit(use.span, words[0].encode())
    command = cmake.command_at(parsed, use.span.start)
    if use.name != _OF_LANGUAGE or command is None or parsed.cmake.finds or not _is_first(parsed, use):
        return [renamed]
    if any(map(cmake_tree.looks_for_gpu, cmake.commands(parsed))):
        return [renamed]
    return [*cmake_search_places.edits(parsed, command, ["hip"]), renamed]


def _is_first(parsed: ProjectFile, use: Use) -> bool:
    return use == next(one for one in parsed.uses if one.name == use.name)
