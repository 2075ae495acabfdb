"""CMake's conditions between vendors as a build for HIP answers them: it takes the branch that sets up HIP.

`if(BACKEND STREQUAL "cuda")` with `hip::device` under its `else()` does not hold for HIP, whatever the default is, and
neither here nor wherever else the file asks the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.syntax import cmake

_VENDOR = re.compile(r"CUDA|NVCC|NVIDIA|ROCM|HIP|AMD", re.IGNORECASE)
Condition = tuple[str, ...]
_Chain = list[tuple[Condition, bool]]
"""The conditions of an `if` and what follows it, empty for `else`, each with whether its branch sets up HIP."""


def answers(commands: Iterable[cmake.Command]) -> Mapping[Condition, bool]:
    """What conditions on a vendor are for HIP, by their words; none that two places would answer otherwise."""
    found: dict[Condition, set[bool]] = {}
    for chain in _chains(commands):
        for condition, holds in _answered(chain):
            found.setdefault(condition, set()).add(holds)
    return {condition: next(iter(known)) for condition, known in found.items() if len(known) == 1}


def _chains(commands: Iterable[cmake.Command]) -> Iterator[_Chain]:
    """Each chain of branches, from the inside out."""
    open_: list[_Chain] = []
    for command in commands:
        words = tuple(command.words())
        if command.name == "if":
            open_.append([(words, False)])
        elif command.name in ("elseif", "else") and open_:
            open_[-1].append((words if command.name == "elseif" else (), False))
        elif command.name == "endif" and open_:
            yield open_.pop()
        elif open_ and cmake.uses_hip(command):
            for chain in open_:
                chain[-1] = (chain[-1][0], True)


def _answered(chain: Sequence[tuple[Condition, bool]]) -> Iterator[tuple[Condition, bool]]:
    """The conditions of a chain on a vendor that are known where one branch alone sets up HIP."""
    ours = [number for number, (_, hip) in enumerate(chain) if hip]
    if len(ours) != 1:
        return
    for condition, hip in chain[: ours[0] + 1]:
        if any(map(_VENDOR.search, condition)):
            yield condition, hip
