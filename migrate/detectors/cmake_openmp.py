"""Targets of CMake that link the host compiler's library of OpenMP, and whose files nvcc compiled with OpenMP."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from cudamigrate.analysis import cmake_targets
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.syntax import cmake, generator_expressions
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_RULE = "build/cmake-openmp"
_LIBRARY = "OpenMP::OpenMP_CXX"
_OPTION = re.compile(rb"-fopenmp(?![\w=-])|\$\{OpenMP_CXX_FLAGS\}")
_PASSED = re.compile(rb"(?:-Xcompiler|--compiler-options)[\s=\"']+(?=-fopenmp(?![\w=-])|\$\{OpenMP_CXX_FLAGS\})")
"""What nvcc alone takes before it."""
_LINKED = re.compile(rb"-fopenmp|OpenMP_\w*FLAGS|\b(?:lib|l)?i?omp5?\b")
"""What may give a link clang's own library: the option, or a file by its name."""
_COMPILES = ("target_compile_options", "add_compile_options")
_HOST_FLAGS = re.compile(r"CMAKE_(?:C|CXX)_FLAGS(?:_[A-Z]+)?")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """A hit where such a target gets the library, in a file that gives no link clang's own."""
    found = cmake.commands(parsed)
    if parsed.ported or parsed.kept or _LIBRARY.encode() not in parsed.data:
        return
    compiling = [one for one in found if one.name in _COMPILES and _is_given(parsed, one)]
    if not compiling or any(_may_link(parsed, one) for one in found):
        return
    targets, branches, of = cmake_targets.names(parsed), cmake.branches(found), cmake.conditionals(found)
    for command in found:
        words = command.words()
        place = next((one for one in command.args[1:] if one.text == _LIBRARY), None)
        if command.name != "target_link_libraries" or place is None or words[0] not in targets:
            continue
        beside = partial(cmake.is_beside, command=command, branches=branches, of=of)
        if any(_reaches(one, words[0]) and not beside(one) for one in compiling):
            yield Hit(_RULE, Use("name", _LIBRARY, place.span, command.span, command.places, certainty="syntax"))


def _is_given(parsed: ProjectFile, command: Command) -> bool:
    """Whether a command gives the files of the language CUDA the option, by nvcc."""
    data, passed = parsed.data, {match.end() for match in _PASSED.finditer(parsed.data, *_ends(command))}
    for one in generator_expressions.stretches(data, command):
        for match in _OPTION.finditer(data, one.span.start, one.span.end):
            if one.nvcc or (one.nvcc is None and match.start() in passed):
                return True
    return False


def _ends(command: Command) -> tuple[int, int]:
    return command.span.start, command.span.end


def _reaches(command: Command, target: str) -> bool:
    return command.name == "add_compile_options" or command.words()[:1] == [target]


def _may_link(parsed: ProjectFile, command: Command) -> bool:
    """Whether a command may have HIP's compiler link its own library; the host's options reach no such link."""
    words = command.words()
    if command.name in (*_COMPILES, "message") or (command.name == "set" and _HOST_FLAGS.fullmatch((words or [""])[0])):
        return False
    return _LINKED.search(parsed.data, *_ends(command)) is not None
