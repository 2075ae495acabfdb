"""Variables and functions of device code that another file defines, where the build links device code across files.

Such a Makefile gives nvcc `-rdc=true` or `-dc`, which the conversion of the Makefile makes `-fgpu-rdc`, and its links
have findings of their own where they lack it; CMake's targets have a property for it, which is converted to options of
the target. Nothing is left to say at the declaration then.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.analysis import cmake_separable, makefile_links, makefile_variables
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, SourceFile
from cudamigrate.model.cmake_facts import CMakeFacts
from cudamigrate.pipeline.own_names import Read
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile

RULES = frozenset(("memory/external-variable", "memory/external-function"))


def without_linked(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without such findings where the nearest build files give all that they compile the option."""
    asked = [one.path for one in results if any(finding.rule in RULES for finding in one.findings)]
    if not asked:
        return list(results)
    paths = [one.path for one in results if one.language == "make" and one.skip is None]
    files = {path: source.data for path in paths if (source := read(path)) is not None}
    families = makefile_variables.families(files)
    linked = {path: makefile_links.relocates(_read(path, files, families)) for path in files}
    projects = (read(one.path) for one in results if one.language == "cmake" and one.skip is None)
    linked |= {one.path: cmake_separable.relocates(_project(one)) for one in projects if one is not None}
    gone = {path for path in asked if _nearest(path, linked)}
    return [
        replace(one, findings=tuple(each for each in one.findings if each.rule not in RULES))
        if one.path in gone
        else one
        for one in results
    ]


def _read(
    path: str, files: Mapping[str, bytes], families: Mapping[str, Mapping[str, bytes]]
) -> makefile_variables.Variables:
    return makefile_variables.read(path, {path: files[path], **families.get(path, {})})


def _project(source: SourceFile) -> ProjectFile:
    return ProjectFile(source, commands=cmake.read(source.data), cmake=CMakeFacts())


def _nearest(path: str, linked: Mapping[str, bool | None]) -> bool:
    """Whether all build files for the GPU, in the nearest folder around a file that has one, have the option."""
    for folder in _folders(path):
        here = [said for one, said in linked.items() if posixpath.dirname(one) == folder and said is not None]
        if here:
            return all(here)
    return False


def _folders(path: str) -> Iterator[str]:
    """The folders around a file, the innermost first, the repository's own last."""
    while path:
        path = posixpath.dirname(path)
        yield path
