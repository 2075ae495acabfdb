"""CMake: other projects that a build fetches, and the options by which it has them built with CUDA.

`ExternalProject_Add(... CMAKE_ARGS -DUSE_CUDA=ON)`, `CPMAddPackage(NAME a OPTIONS "A_CUDA ON")`, and a variable of the
fetched project that is set before it is added: `set(GINKGO_BUILD_CUDA ON)`, `FetchContent_MakeAvailable(ginkgo)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax.cmake import Argument, Command

USE = "another build with cuda"
_OFF = r"(?!(?i:no|off|false|0|)\Z)"
_PASSED = re.compile(
    rf"(?P<whole>--(?:with|enable)-(?:cuda|nvcc|cudnn|nccl)[\w-]*|-D(?!CMAKE_)\w*CUDA\w*(?::[A-Z]+)?)(?:={_OFF}.*)?"
)
"""An option by which another project is built with CUDA: `--with-cuda=${CUDA_ROOT}`, `-DUSE_CUDA=ON`."""
_OPTION = re.compile(rf"(?P<whole>(?!CMAKE_)\w*CUDA\w*) +{_OFF}(?:(?i:on|yes|true|1)|\$\{{\w+\}})")
"""An option of CPM's: `"GINKGO_BUILD_CUDA ON"`."""
_SWITCH = re.compile(rf"{_OFF}(?:(?i:on|yes|true|1)|\$\{{\w+\}})")
"""What turns a switch on, or may."""
_BUILDS = ("externalproject_add", "externalproject_add_step", "fetchcontent_declare")
_BY_CPM = ("cpmaddpackage", "cpmfindpackage")
_ADDS = ("fetchcontent_makeavailable", "fetchcontent_populate", *_BY_CPM)
_REPOSITORY = re.compile(r"[/:]([\w-]+)(?:\.git)?(?:[#@].*)?\Z")


def uses(found: Sequence[Command]) -> Iterator[tuple[str, Span, Command]]:
    """The options of fetched projects that ask for CUDA."""
    for command in found:
        pattern = _PASSED if command.name in _BUILDS else _OPTION if command.name in _BY_CPM else None
        for argument in command.args[1:] if pattern is not None else ():
            match = pattern.fullmatch(argument.text) if pattern is not None else None
            if match is not None:
                yield USE, _part(argument, match), command
    yield from _set_before(found)


def _set_before(found: Sequence[Command]) -> Iterator[tuple[str, Span, Command]]:
    """The variables that are set on before a project is added whose name they begin with."""
    last = max((at for at, one in enumerate(found) if one.name in _ADDS), default=0)
    names = _names(found) if last else frozenset[str]()
    for command in found[:last] if names else ():
        words = command.words()
        if command.name != "set" or len(words) < 2 or "CUDA" not in words[0] or _SWITCH.fullmatch(words[1]) is None:
            continue
        first = words[0].partition("_")[0].upper()
        if len(first) > 2 and any(name.startswith(first) for name in names) and "CUDA" not in first:
            yield USE, command.args[0].span, command


def _names(found: Sequence[Command]) -> frozenset[str]:
    """What the fetched projects are called, in capitals and without signs: by the file, and by their repositories."""
    words = [
        word
        for one in found
        if one.name in ("fetchcontent_declare", *_BY_CPM)
        for at, word in enumerate(one.words())
        if at == 0 or one.words()[at - 1] in ("NAME", "GIT_REPOSITORY", "GITHUB_REPOSITORY")
    ]
    repositories = [match[1] for word in words if (match := _REPOSITORY.search(word)) is not None]
    return frozenset(re.sub(r"\W|_", "", word).upper() for word in [*words, *repositories])


def _part(argument: Argument, match: re.Match[str]) -> Span:
    start = argument.span.start + len(argument.text[: match.start("whole")].encode())
    return Span(start, start + len(match["whole"].encode()))
