"""CMake: kinds of build whose options for kernels ask for no optimisation, which nvcc needs no option for.

nvcc optimises the code of the GPU as far as it can unless an option says otherwise; clang needs one.
What CMake has for such a kind of build, `-O3 -DNDEBUG`, a file replaces where it sets the variable.
Source: NVIDIA, "CUDA Compiler Driver NVCC", `--dopt`; CMakeHIPInformation.cmake.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
