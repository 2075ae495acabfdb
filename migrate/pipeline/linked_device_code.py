"""Variables and functions of device code that another file defines, where the build links device code across files.

Such a Makefile gives nvcc `-rdc=true` or `-dc`, which the conversion of the Makefile makes `-fgpu-rdc`, and its links
have findings of their own where they lack it; CMake's targets have a property for it, which is converted to options of
the target. Nothing is left to say at the declaration then. So it is with a variable that another header of each
translation unit defines which includes the declaration: it is no other file to the compiler.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.analysis import cmake_separable, makefile_families, makefile_links, makefile_variables
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, SourceFile
from cudamigrate.model.cmake_facts import CMakeFacts
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import include_graph, lexed
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile

_VARIABLE = "memory/external-variable"
RULES = frozenset((_VARIABLE, "memory/external-function"))
_CODE = ("cuda", "cxx")
_DEFINED = rb"(?P<extern>\bextern\b[^;{}]*?)?\b__(?:device|constant)__\s[^;{}()=]*?(?<!\w)%b\s*(?:\[[^\]]*\]\s*)*[;={]"
"""A device variable of a name: `__constant__ float table[16];`. With `extern` before it another file defines it."""


def without_linked(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without such findings where the nearest build files give all that they compile the option."""
    if not _asked(results):
        return list(results)
    results = _without_defined(results, read)
    asked = _asked(results)
    paths = [one.path for one in results if one.language == "make" and one.skip is None]
    files = {path: source.data for path in paths if (source := read(path)) is not None}
    families = makefile_families.families(files)
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


def _asked(results: Sequence[FileResult]) -> list[str]:
    return [one.path for one in results if any(finding.rule in RULES for finding in one.findings)]


def _without_defined(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without such variables where each unit that includes the declaration has the definition, too."""
    code = [one.path for one in results if one.language in _CODE and one.skip is None]
    graph, made = include_graph(read, code), list[FileResult]()
    for result in results:
        source = read(result.path) if any(one.rule == _VARIABLE for one in result.findings) else None
        if source is None:
            made.append(result)
            continue
        units = [graph.below((one,)) for one in graph.above((result.path,)) if one.endswith(".cu")]
        kept = tuple(
            one
            for one in result.findings
            if one.rule != _VARIABLE or not _is_in_all(units, source.data[one.span.start : one.span.end], read)
        )
        made.append(replace(result, findings=kept))
    return made


def _is_in_all(units: Sequence[frozenset[str]], name: bytes, read: Read) -> bool:
    """Whether some file of each unit defines a device variable; not where there is no unit."""
    defined = re.compile(_DEFINED % re.escape(name))
    having = {path for path in frozenset().union(*units) if _has(path, name, defined, read)}
    return bool(units) and all(not having.isdisjoint(unit) for unit in units)


def _has(path: str, name: bytes, defined: re.Pattern[bytes], read: Read) -> bool:
    """Whether a file defines a device variable, whatever macros are set: the declaration may be in the other branch."""
    source = read(path)
    if source is None or name not in source.data:
        return False
    found = [match.start() for match in lexed(source).matches(defined, name) if match["extern"] is None]
    parts = branches(lexed(source), ()) if found else ()
    return any(not any(one.start <= at < one.end for one in parts) for at in found)


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
