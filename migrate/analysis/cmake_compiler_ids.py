"""CMake: definitions for nvcc beside others for clang, `$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:BY_NVCC>`.

The compiler of the language HIP is Clang by CMake's name, and so is clang for the language CUDA. A project that knows
both says by such a definition which of the two compiles: the sources for HIP get that for clang, and not both.
Options are another thing: what nvcc is given may be needed by HIP's compiler too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from cudamigrate.lazy_re import re
from cudamigrate.model import Use
from cudamigrate.syntax import cmake, generator_expressions
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_ASKED = "COMPILE_LANG_AND_ID:CUDA"
_CLANG = re.compile(rb"COMPILE_LANG_AND_ID:(?:CUDA|HIP),[^<>]*\bClang\b")
"""A test for clang, and what a conversion makes of it."""
_DEFINES = ("target_compile_definitions", "add_compile_definitions", "add_definitions")
_OPTIONS = ("target_compile_options", "add_compile_options")
_DEFINITIONS = re.compile(rb"(?:SHELL:)?(?:-D[\s\w=\".]+;?)+>")
"""What gives definitions alone among options, with the bracket that closes it: `-DBY_NVCC>`."""


def without_nvccs(parsed: ProjectFile, uses: Sequence[Use]) -> list[Use]:
    """The uses of a file, without tests for nvcc by which a target gets definitions, where it has such for clang."""
    targets = set(_with_clangs(parsed)) if any(one.name == _ASKED for one in uses) else set[str]()
    return [one for one in uses if not targets or one.name != _ASKED or not _is_nvccs(parsed, one, targets)]


def _with_clangs(parsed: ProjectFile) -> Iterator[str]:
    """The targets that get definitions for clang."""
    for command in parsed.commands:
        if command.name in (*_DEFINES, *_OPTIONS):
            for match in _CLANG.finditer(parsed.data, command.span.start, command.span.end):
                if _defines(parsed, command, match.start()):
                    yield _target(command)


def _is_nvccs(parsed: ProjectFile, use: Use, targets: Set[str]) -> bool:
    """Whether a test is for nvcc alone, and one of the targets, or all, get definitions by it."""
    command = cmake.command_at(parsed, use.span.start)
    asks = b"Clang" in parsed.data[use.span.start : use.span.end].split(b",")
    if command is None or asks or targets.isdisjoint((_target(command), "")):
        return False
    return _defines(parsed, command, use.span.start)


def _defines(parsed: ProjectFile, command: Command, offset: int) -> bool:
    """Whether a test in a command gives definitions, and no other options."""
    if command.name in _DEFINES:
        return True
    around = generator_expressions.given(parsed.data, command, offset) if command.name in _OPTIONS else None
    text = None if around is None else generator_expressions.text_of(parsed.data, around)
    return text is not None and _DEFINITIONS.fullmatch(parsed.data, text.start, text.end) is not None


def _target(command: Command) -> str:
    """The target that gets the definitions, as the file spells it; empty for all of a folder."""
    return "".join(command.words()[:1]) if command.name.startswith("target_") else ""
