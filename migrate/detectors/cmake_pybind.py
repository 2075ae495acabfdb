"""Modules of pybind11 with sources for the host and for HIP, which pybind11 has optimised when they are linked."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import cmake_targets
from cudamigrate.model import Hit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile

_RULE = "build/cmake-pybind-lto"
_MAKES, _WITHOUT = "pybind11_add_module", "NO_EXTRAS"
_DECIDES = "CMAKE_INTERPROCEDURAL_OPTIMIZATION"
"""A project that sets this variable decides itself: pybind11 adds nothing then."""


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """A hit for each module that gets such options by default, and is linked by HIP's compiler."""
    found = cmake.commands(parsed)
    if parsed.ported or any(one.name == "set" and one.words()[:1] == [_DECIDES] for one in found):
        return
    for target in cmake_targets.of(parsed):
        command = target.command
        if command.name == _MAKES and _WITHOUT not in command.words() and not cmake_targets.for_gpu_alone(target):
            yield Hit(_RULE, Use("name", command.name, command.at, command.span, command.places, certainty="syntax"))
