"""`rapids_cpm_cccl` -> the packages of ROCm that take the places of its parts, in the same export sets."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from cudamigrate.analysis import cmake_tree
from cudamigrate.model import Edit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile

_MODULE = 'include("${rapids-cmake-dir}/find/package.cmake")'
_SETS = ("BUILD_EXPORT_SET", "INSTALL_EXPORT_SET")


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """A line for the module, and one for each of the packages `words` that the sources of the tree use."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None:
        return []
    given = command.words()
    sets = [f"{key} {value}" for key, value in itertools.pairwise(given) if key in _SETS]
    found = [f"rapids_find_package({one})" for one in _calls(cmake_tree.needed(parsed, words), sets)]
    between = cmake.line_end(parsed.data) + cmake.indent(parsed.data, command.span.start)
    return [Edit(command.span, between.join(line.encode() for line in (_MODULE, *found)))]


def _calls(packages: Sequence[str], sets: Sequence[str]) -> list[str]:
    return [" ".join((one, "REQUIRED", *sets)) for one in packages]
