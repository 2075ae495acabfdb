"""CMake: kinds of build whose options for kernels ask for no optimisation, which nvcc needs no option for.

nvcc optimises the code of the GPU as far as it can unless an option says otherwise; clang needs one.
What CMake has for such a kind of build, `-O3 -DNDEBUG`, a file replaces where it sets the variable; where nothing
names a kind of build CMake gives no option at all.
Source: NVIDIA, "CUDA Compiler Driver NVCC", `--dopt`; CMakeHIPInformation.cmake.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from cudamigrate.lazy_re import re
from cudamigrate.syntax.cmake import Argument, Command

USE = "options without -O"
"""The name of the use that stands for such a value."""
_TYPES = re.compile(r"(?:CMAKE_CUDA|CUDA_NVCC)_FLAGS_(?:RELEASE|RELWITHDEBINFO|MINSIZEREL)")
_ALL = re.compile(r"(?:CMAKE_CUDA|CUDA_NVCC)_FLAGS")
_SAYS = re.compile(r"(?<![\w-])(?:-O|--optimize|-G(?!\w)|--device-debug)|[$]")
"""An option that says how much is optimised; or a variable, which may hold one."""
_OPTIMISED = re.compile(r"(?<![\w-])(?:-O|--optimize)")
_END = ("CACHE", "PARENT_SCOPE")
_KIND = ("CMAKE_BUILD_TYPE", "CMAKE_BUILD_TYPE_INIT", "CMAKE_DEFAULT_BUILD_TYPE")
"""Variables that say which kind of build there is where nobody asks for one."""
_KIND_COMMAND = re.compile(r"build_?type", re.IGNORECASE)
"""What a command is called that sets the kind of build: `rapids_cmake_build_type`, `set_default_build_type`."""
_READS = ("if", "elseif", "while", "message", "mark_as_advanced")
_LEVEL = re.compile(r"(?<![\w-])(?:-O(?:[0-4gsz]|fast)?(?![\w-])|--(?:optimize|dopt|device-debug)\b|-G(?![\w-]))")
"""An option that says how much is optimised, as a word of its own or in a list: `-Wall,-O3`."""
_OF_KIND = re.compile(r"\w+_(?:DEBUG|RELEASE|RELWITHDEBINFO|MINSIZEREL)(?:_\w+)?")
"""Variables whose options are for a kind of build that somebody asks for."""
_HOST = re.compile(r"CMAKE_(?:C|CXX|Fortran)_FLAGS\w*")
"""Variables whose options no kernel gets, as they are for the host."""
_OF_FIND_CUDA = "CUDA_NVCC_FLAGS"
"""The variable whose options FindCUDA's commands give, and no others."""
_OTHERS = re.compile(r"\$<\$<(?:CONFIG|COMPILE_LANGUAGE):(?!CUDA|[\w,]*,CUDA)[\w,]*>:[^<>]*>")
"""What is given for a kind of build, or to another language: `$<$<CONFIG:Release>:-O3>`."""
_OF_HOST = re.compile(r"\$\{CMAKE_(?:C|CXX)_FLAGS\}")


def unoptimised(found: Sequence[Command]) -> Iterator[tuple[Argument, Command]]:
    """The values that say nothing of it, where the options for all kinds of build do not either."""
    if any(_gives_all(one) for one in found):
        return
    for command in found:
        words = command.words()
        if command.name != "set" or len(words) < 2 or not _TYPES.fullmatch(words[0]) or words[1] in _END:
            continue
        values = list(takewhile(lambda one: one.quoted or one.text not in _END, command.args[1:]))
        if not any(_SAYS.search(one.text) for one in values):
            yield values[0], command


def _gives_all(command: Command) -> bool:
    """Whether a command optimises in builds of all kinds."""
    words = command.words()
    name = words[:1] if command.name == "set" else words[1:2] if command.name in ("list", "string") else []
    return any(map(_ALL.fullmatch, name)) and any(map(_OPTIMISED.search, words[1:]))


def unnamed(files: Iterable[Sequence[Command]], finds: bool) -> bool:
    """Whether files set no kind of build, and give kernels no option that says how much is optimised.

    `finds` says that FindCUDA builds the project.
    """
    host, copied = False, False
    for command in (command for found in files for command in found if command.name not in _READS):
        words = command.words()
        if _KIND_COMMAND.search(command.name) or not set(_KIND).isdisjoint(words):
            return False
        level = any(_LEVEL.search(_OTHERS.sub("", word)) for word in words)
        if any(map(_OF_KIND.fullmatch, words[:2])) or (not finds and _OF_FIND_CUDA in words[:2]):
            continue
        if any(map(_HOST.fullmatch, words[:2])):
            host = host or level
        elif level:
            return False
        else:
            copied = copied or any(map(_OF_HOST.search, words))
    return not (host and copied)
