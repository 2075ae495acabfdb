"""A CMake file of a project of its own -> whether it builds for HIP, or is left out where CUDA is not found.

A suite of programs has a project for each. One that ends in silence without CUDA was left to CUDA by choice: a build of
the suite for HIP goes on without it. One that refuses to go on is what such a build needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model.port_facts import ProjectKind
from cudamigrate.syntax import cmake

_TARGETS = ("add_executable", "add_library", "cuda_add_executable", "cuda_add_library")
_REFUSES = ("FATAL_ERROR", "SEND_ERROR")


def kind(commands: Sequence[cmake.Command], hip: bool) -> ProjectKind:
    """The kind of project that a file begins, empty where it begins none; `hip` tells that it sets up HIP."""
    if not any(command.name == "project" for command in commands):
        return ""
    return "hip" if hip else "skips" if _skips(commands) else "other"


class _Level:
    """A branch, or the file: what is known to be found in it, and what is known to be lacking."""

    def __init__(self, has: frozenset[str], lacks: frozenset[str]) -> None:
        self.has, self.lacks, self.ends = has, lacks, False


def _skips(commands: Sequence[cmake.Command]) -> bool:
    """Whether all targets of a file need CUDA, which need not be found, and nothing refuses to go on without it."""
    free = frozenset(name for command in commands for name in _optional(command))
    stack = [_Level(frozenset(), frozenset())]
    targets = 0
    for command in commands:
        if command.name in ("elseif", "else", "endif") and len(stack) > 1:
            last = stack.pop()
            if command.name == "endif" and last.ends:
                stack[-1].has |= last.lacks
        if command.name in ("if", "elseif", "else"):
            asked = _asked(command, free) if command.name != "else" else (last.lacks, last.has)
            stack.append(_Level(stack[-1].has | asked[0], asked[1]))
        elif command.name == "return":
            stack[-1].ends = True
        elif command.name == "message" and command.words()[:1] and command.words()[0] in _REFUSES:
            if any(level.lacks for level in stack):
                return False
        elif command.name in _TARGETS:
            targets += 1
            if not stack[-1].has:
                return False
    return targets > 0


def _optional(command: cmake.Command) -> tuple[str, ...]:
    """The variables that tell whether CUDA was found, where the file goes on without it."""
    words = command.words()
    if command.name == "check_language" and words == ["CUDA"]:
        return ("CMAKE_CUDA_COMPILER",)
    if command.name != "find_package" or "REQUIRED" in words or not cmake.enables(command, "CUDA"):
        return ()
    return f"{words[0]}_FOUND", f"{words[0].upper()}_FOUND"


def _asked(command: cmake.Command, free: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """What a condition of one variable says is found, and what it says is not."""
    words = [word.strip('"').removeprefix("${").removesuffix("}") for word in command.words()]
    if len(words) == 1 and words[0] in free:
        return frozenset(words), frozenset()
    if len(words) == 2 and words[0] == "NOT" and words[1] in free:
        return frozenset(), frozenset(words[1:])
    return frozenset(), frozenset()
