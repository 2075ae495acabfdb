"""CMake: a list of GPUs that is a default only, given after the language that has set it already.

Where CMake enables the language HIP it sets `CMAKE_HIP_ARCHITECTURES`, to the GPUs of the machine or to one old GPU:
`if(NOT DEFINED CMAKE_HIP_ARCHITECTURES)` behind that never holds. With CUDA it does not hold either, and does no harm:
what the compiler makes by default is translated for newer GPUs when it is loaded.
Source: CMakeDetermineHIPCompiler.cmake.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_loops
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model import Span
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_CONDITIONS = (["NOT", "DEFINED", cmake_loops.PROJECT], ["NOT", cmake_loops.PROJECT])


@dataclass(frozen=True, slots=True)
class LateDefault:
    """The commands of such a conditional from `if` to `endif`, its lines, and where it has to begin to hold."""

    commands: tuple[Command, ...]
    lines: Span
    before: int


def late_default(parsed: ProjectFile, command: Command) -> LateDefault | None:
    """The conditional around a command, or that begins with it, which does nothing but give the default too late.

    None for any other: one in a branch, one with another branch, or where the language is enabled in another file.
    """
    found = cmake.commands(parsed)
    branches = cmake.branches(found)
    at = next((n for n, one in enumerate(found) if one.span == (branches[command.span] or (command.span,))[0]), -1)
    group = found[at : at + 3]
    if [one.name for one in group] != ["if", "set", "endif"] or group[0].words() not in _CONDITIONS:
        return None
    enabling = [one for one in found[:at] if _enables(one)]
    lines = _lines(parsed.data, group)
    if group[1].words()[:1] != [cmake_loops.PROJECT] or not enabling or branches[enabling[0].span] or lines is None:
        return None
    start = enabling[0].span.start
    line = parsed.data.rfind(b"\n", 0, start) + 1
    return None if parsed.data[line:start].strip() else LateDefault(tuple(group), lines, line)


def _enables(command: Command) -> bool:
    return command.name in ("project", "enable_language") and "CUDA" in command.words()[command.name == "project" :]


def _lines(data: bytes, group: Sequence[Command]) -> Span | None:
    """The lines of a conditional, None where anything else is on the first or the last."""
    start, end = data.rfind(b"\n", 0, group[0].span.start) + 1, data.find(b"\n", group[-1].span.end) + 1
    if not end or data[start : group[0].span.start].strip() or data[group[-1].span.end : end].strip():
        return None
    return Span(start, end)
