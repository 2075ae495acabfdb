"""CMake: options of the host compiler that FindCUDA passes on to nvcc, and without which code means another thing.

Definitions, OpenMP, code for a shared library, and a release of C++ that is newer than compilers have by themselves.

FindCUDA gives `CMAKE_CXX_FLAGS` and those of each kind of build to the sources for the GPU, unless
`CUDA_PROPAGATE_HOST_FLAGS` is off. CMake gives sources of the language HIP `CMAKE_HIP_FLAGS` only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command

USE = "FindCUDA host definitions"
"""How the names of the uses begin; the plain variable or that of a kind of build follows."""
_PASSED = "CUDA_PROPAGATE_HOST_FLAGS"
_FLAGS = re.compile(r"CMAKE_CXX_FLAGS(?:_[A-Z]+)?")
_OPTION = rb"\$\{OpenMP_CXX_FLAGS\}|-fopenmp|-f(?:PIC|pic)|-std=(?:c|gnu)\+\+(?:17|1z|20|2a|23|2b)"
_GIVEN = re.compile(rb"(?<![^\s;\"])(?:-D(?=[^\s;\"])|(?:%b)(?=[\s;\")]|\Z))" % _OPTION)
_WHOLE = re.compile(rb"(?:-D[A-Za-z_]\w*(?:=[\w.+${}-]*)?|%b)(?=[\s;\")]|\Z)" % _OPTION)
_OFF = frozenset(("OFF", "0", "NO", "FALSE", "N"))


def giving(data: bytes, found: Sequence[Command]) -> Iterator[tuple[str, Command]]:
    """The commands that add such options to the host's flags, each with the variable; none where that is off."""
    if b"CMAKE_CXX_FLAGS" not in data or _is_off(found):
        return
    for command in found:
        name = _variable(command)
        if name and _GIVEN.search(data, command.span.start, command.span.end):
            yield name, command


def options(data: bytes, command: Command) -> list[Span] | None:
    """Where the options in a command are written; None where a definition has quotes or escapes of its own."""
    spans = []
    for match in _GIVEN.finditer(data, command.span.start, command.span.end):
        whole = _WHOLE.match(data, match.start(), command.span.end)
        if whole is None:
            return None
        spans.append(Span(*whole.span()))
    return spans


def _variable(command: Command) -> str:
    """The variable of the host's flags that a command adds to."""
    words = command.words()
    if command.name in ("string", "list"):
        words = words[1:] if words[:1] == ["APPEND"] else []
    elif command.name != "set" or "CACHE" in words or "PARENT_SCOPE" in words:
        words = []
    return words[0] if words and _FLAGS.fullmatch(words[0]) else ""


def _is_off(found: Sequence[Command]) -> bool:
    """Whether a file says without a condition that the host's flags are not passed on."""
    depth = 0
    for command in found:
        depth += {"if": 1, "endif": -1}.get(command.name, 0)
        if depth == 0 and _says_off(command):
            return True
    return False


def _says_off(command: Command) -> bool:
    words = command.words()
    says = command.name in ("set", "option") and words[:1] == [_PASSED]
    return says and not _OFF.isdisjoint(word.upper() for word in words[1:])


def without_off(uses: Sequence[Use], found: Sequence[Command], by_language: bool = False) -> list[Use]:
    """The uses without those that keep the host's flags from nvcc: sources of the language HIP get none either.

    Nothing reads the variable where kernels are built `by_language` CUDA, or the file enables that and calls no command
    of FindCUDA's.
    """
    if not any(use.name == _PASSED for use in uses):
        return list(uses)
    off = {one.span for one in found if _says_off(one)}
    if by_language or (_enables_cuda(found) and not any(map(_is_find_cudas, found))):
        off = {one.span for one in found}
    return [use for use in uses if use.name != _PASSED or use.extent not in off]


def _enables_cuda(found: Sequence[Command]) -> bool:
    return any(one.name not in cmake.SEARCHES and cmake.enables(one, "CUDA") for one in found)


def _is_find_cudas(command: Command) -> bool:
    """Whether a command finds FindCUDA's module or is one of its own."""
    searched = command.name == "find_package" and command.words()[:1] == ["CUDA"]
    return searched or command.name.startswith(("cuda_add_", "cuda_compile", "cuda_wrap_srcs"))
