"""`thrust_create_target`, of Thrust's package alone -> a target of that name with rocThrust's behind it.

As Thrust's own does it, the target is imported. Source: thrust-config.cmake of Thrust 1.10 to 2.x.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_SYSTEMS = {"HOST": "CPP", "DEVICE": "CUDA"}
"""What a target is for where nothing is said, as rocThrust's is: the host's compiler, and the GPU."""
_FETCHED = ("thrust", "cccl")


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The target and what it links to; none where options or variables say what it is for, as rocThrust reads none."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None or parsed.data[: command.span.start].rpartition(b"\n")[2].strip():
        return []
    name, *options = command.words() or [""]
    scope = " GLOBAL" if "GLOBAL" in options else ""
    if not name or "$" in name or not _is_plain([one for one in options if one != "GLOBAL"]):
        return []
    lines = [
        f"add_library({name} INTERFACE IMPORTED{scope})",
        f"target_link_libraries({name} INTERFACE roc::rocthrust)",
    ]
    if not any(map(_finds, cmake.commands(parsed))):
        lines.insert(0, "find_package(rocthrust REQUIRED)")
    between = cmake.line_end(parsed.data) + cmake.indent(parsed.data, command.span.start)
    return [Edit(command.span, between.join(line.encode() for line in lines))]


def _is_plain(options: Sequence[str]) -> bool:
    """Whether options ask for what a target is without them, and for what is said of CUB and of old compilers."""
    rest = [one for one in options if not one.startswith("IGNORE_")]
    pairs = [rest[at : at + 2] for at in range(0, len(rest), 2)]
    return all(len(pair) == 2 and _SYSTEMS.get(pair[0]) == pair[1] for pair in pairs)


def _finds(command: Command) -> bool:
    return command.name in cmake.SEARCHES and command.words()[:1] != [] and command.words()[0].lower() in _FETCHED
