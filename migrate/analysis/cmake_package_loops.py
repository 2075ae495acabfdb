"""CMake: loops over names of packages with CUDA among them, which are looked for or asked for by the turn.

`foreach(pkg CUDA MPI)` with `if(${pkg}_FOUND)` in it reads `CUDA_FOUND`, and no name of that is in the file. Source:
CMake's documentation, "foreach" and "find_package".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.model import Span
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command

USE = "CUDA package in a loop"
_PACKAGES = ("CUDA", "CUDAToolkit")
_CONDITIONS = ("if", "elseif", "while")


def uses(found: Sequence[Command]) -> Iterator[tuple[str, Span, Command]]:
    """The name, place and command of each such word."""
    loops = [one for one in found if one.name == "foreach" and not set(_PACKAGES).isdisjoint(one.words()[1:])]
    if not loops:
        return
    around = cmake.branches(found)
    for loop in loops:
        variable = f"${{{loop.words()[0]}}}"
        if any(loop.span in around[one.span] and _asks(one, variable) for one in found):
            yield from ((USE, one.span, loop) for one in loop.args[1:] if one.text in _PACKAGES)


def _asks(command: Command, variable: str) -> bool:
    """Whether a command looks for the package of a turn, or asks whether it was found."""
    if command.name in cmake.SEARCHES:
        return command.words()[:1] == [variable]
    return command.name in _CONDITIONS and any(f"{variable}_FOUND" in word for word in command.words())
