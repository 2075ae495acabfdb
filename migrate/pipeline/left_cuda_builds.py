"""CMake files for CUDA alone that are left as they are, as their project builds for HIP in other files.

That is a choice of the project's, and where the port is whole nothing is lost. Where most of it is not there, sources
are converted that only such files compile: the result builds them for nobody but CUDA, which has to be said.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from cudamigrate.detection import engine
from cudamigrate.model import FileResult, Finding, Hit, Use
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/cmake-left-beside"
_COMPILES = (
    *("build/cmake-cu-sources", "build/cmake-language"),
    *("build/cmake-cuda-add-library", "build/cmake-cuda-add-executable", "build/cmake-cuda-compile"),
)
"""What shows that a file compiles code for CUDA: its sources, the language, commands of FindCUDA."""


def shown(results: Sequence[FileResult], book: Rulebook, port: PortFacts) -> Mapping[str, Finding]:
    """For each CMake file that builds for CUDA alone what shows so; nothing of a repository that has a port."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent or port.is_port:
        return {}
    found = {}
    for result in results:
        if "cuda" in result.builds and "hip" not in result.builds and result.language == "cmake":
            first = next((one for one in result.findings if one.rule in _COMPILES), None)
            if first is not None:
                found[result.path] = first
    return found


def with_left_builds(
    results: Sequence[FileResult], before: Mapping[str, Finding], book: Rulebook, read: Read
) -> list[FileResult]:
    """The results, with a finding in each such file of which nothing else is left; `before` is what `shown` gave."""
    of_hip = sorted((one for one in results if "hip" in one.builds), key=lambda one: "cuda" in one.builds)
    beside = of_hip[0].path if of_hip else ""
    left = {one.path: before[one.path] for one in results if one.path in before and not one.findings} if beside else {}
    folders = _concerned(results) if left else frozenset()
    left = {path: one for path, one in left.items() if posixpath.dirname(path) in folders}
    made = {}
    for path, one in left.items():
        if (source := read(path)) is not None:
            use = Use("name", one.name, one.span, one.span, certainty="syntax")
            made[path] = engine.finding(source, Hit(RULE, use, {"where": beside}), book.rules[RULE])
    return [engine.with_more(one, [made[one.path]]) if one.path in made else one for one in results]


def _concerned(results: Sequence[FileResult]) -> frozenset[str]:
    """The folders with code that something is found in, and those around them."""
    found = set[str]()
    for one in results:
        folder = posixpath.dirname(one.path)
        if one.language in ("cuda", "cxx") and one.findings and folder not in found:
            found.update((folder, "", *(str(parent) for parent in PurePosixPath(folder).parents)))
    return frozenset(found)
