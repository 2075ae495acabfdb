"""Sources with an ending of C++ that a build gives to nvcc as CUDA: it includes its runtime's header in them first.

A Makefile says so by `-x cu`, CMake by the property LANGUAGE. What a command for the host's compiler gets too is none.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from cudamigrate.analysis import makefile_families, makefile_variables
from cudamigrate.compilation import host_sources, makefile_flags
from cudamigrate.compilation.host_sources import HostRule
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult
from cudamigrate.pipeline.own_names import Read
from cudamigrate.syntax import cmake

_MAY = {
    "cmake": re.compile(rb"LANGUAGE\s+\"?(?:CUDA|HIP)|CUDA_SOURCE_PROPERTY_FORMAT"),
    "make": re.compile(rb"-x[ =]?"),
}
"""What a build file holds that says so."""
_NOWHERE = Path("/")


def given(results: Sequence[FileResult], read: Read) -> frozenset[str]:
    """The paths of such sources."""
    builds = (read(one.path) for one in results if one.language in _MAY and one.skip is None)
    read_once = tuple((one.path, one.language, one.data) for one in builds if one is not None)
    if not any(_MAY[language].search(data) for _, language, data in read_once):
        return frozenset()
    rules = _rules(read_once)
    paths = (one.path for one in results if one.skip is None and one.language == "cxx")
    return frozenset(path for path in paths if host_sources.is_for_gpu(f"/{path}", rules, b""))


@lru_cache(maxsize=1)
def _rules(builds: tuple[tuple[str, str, bytes], ...]) -> list[HostRule]:
    """What build files, each with its language and text, say of sources: several passes ask it of the same ones."""
    may = {path for path, language, data in builds if _MAY[language].search(data)}
    makes = {path: data for path, language, data in builds if language == "make"}
    families = makefile_families.families(makes)
    rules = list[HostRule]()
    for path, language, data in builds:
        if language == "cmake":
            rules += host_sources.of_cmake(f"/{posixpath.dirname(path)}", cmake.read(data), "")
        elif may & {path, *families.get(path, ())}:
            rules += _of_makefile(path, {**families.get(path, {}), path: data})
    return [replace(rule, gpu=rule.cuda) for rule in rules]


def _of_makefile(path: str, family: dict[str, bytes]) -> Iterator[HostRule]:
    """The rules of one Makefile, with the values that it and its family give to variables."""
    variables = makefile_variables.read(path, family)
    reading = makefile_flags.Reading(_NOWHERE)
    for name, places in variables.assigned.items():
        reading.values[name] = " ".join(_text(file.text(line.value)).strip() for file, line in places)
    recipes = list[tuple[str, str]]()
    for file, part, rule in variables.commands():
        if file is variables.files[0]:
            head = "" if rule is None else _text(file.text(rule.value))
            recipes.append((head, _text(file.text(part).lstrip())))
    try:
        expanded = [(reading.expanded(rule), text, reading.expanded(text)) for rule, text in recipes]
    except ValueError:
        return  # more text than anybody writes
    yield from host_sources.of_makefile(f"/{posixpath.dirname(path)}", expanded)


def _text(data: bytes) -> str:
    """A text of a Makefile with its lines joined."""
    return data.decode("utf-8", "replace").replace("\\\n", " ")
