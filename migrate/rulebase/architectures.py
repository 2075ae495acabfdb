"""What code meets on an architecture such as gfx942: rules/gpus.toml -> wave, shared memory, atomics, 8-bit floats.

An entry of the file stands for all names that begin with it, and what a longer entry says goes before what a shorter
one says, so a new architecture needs a line only where it differs from its family.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.shipped_data import table


@dataclass(frozen=True, slots=True)
class Architecture:
    """One architecture.

    `wave`: lanes of a wave. `shared_memory`: the most bytes that a block may have.
    `float_atomics`: numbers that are added to global memory in hardware without a compiler option.
    `host_atomics`: whether atomic operations that PCIe lacks work on memory of the host, for threads of the GPU.
    `float8`: the format of 8-bit floats in hardware, `fnuz` or `ocp`; empty where there is none.
    """

    wave: int
    shared_memory: int
    float_atomics: frozenset[str]
    host_atomics: bool
    float8: str


@cache
def architecture(name: str) -> Architecture:
    """The facts of an architecture by its name in LLVM; those of AMD GPUs in general for one that is not known."""
    entries: dict[str, dict[str, Any]] = table("gpus")["architecture"]
    facts: dict[str, Any] = {}
    for key in sorted((key for key in entries if name.startswith(key) or key == "gfx"), key=len):
        facts.update(entries[key])
    return Architecture(
        facts["wave"],
        facts["shared-memory"],
        frozenset(facts["float-atomics"]),
        facts["host-atomics"],
        str(facts.get("float8", "")),
    )


def any_wide(names: Iterable[str]) -> bool:
    """Whether one of the architectures has waves of 64 lanes; True where none is named."""
    known = [architecture(name).wave == 64 for name in names]
    return not known or any(known)


def shared_limit(names: Iterable[str]) -> int:
    """The most bytes of shared memory that a block may have on all of the architectures."""
    return min((architecture(name).shared_memory for name in names), default=architecture("gfx").shared_memory)
