"""What a condition of CMake's needs: variables that are true, a vendor or language by name, or what it does without."""

from __future__ import annotations

from collections.abc import Container

from cudamigrate.lazy_re import re
from cudamigrate.syntax import cmake

OTHER = ("", "")
"""What a block needs that is no one variable; never a single one, so that it turns nothing on by itself."""
_PLATFORMS = ("CMAKE_HIP_PLATFORM", "CMAKE_HIP_COMPILER_ID", "HIP_PLATFORM")
"""Variables of CMake and HIP that say for which vendor HIP is compiled: `NVIDIA` or `nvidia`, formerly `nvcc`."""


def needs(command: cmake.Command) -> tuple[str, ...]:
    """The variables that must be true for a condition; `OTHER` where it is more than variables joined by AND."""
    words = [word.strip("${}") for word in command.words()]
    if {"OR", "NOT"} & set(words) or not all(re.fullmatch(r"\w+", word) for word in words):
        return OTHER
    return tuple(word for word in words if word != "AND") if all(w == "AND" for w in words[1::2]) else OTHER


def either(command: cmake.Command) -> tuple[str, ...]:
    """The variables of a condition that joins them by OR, none where it is anything else."""
    words = [word.strip("${}") for word in command.words()]
    joined = len(words) > 2 and all(word == "OR" for word in words[1::2])
    return tuple(words[::2]) if joined and all(re.fullmatch(r"\w+", word) for word in words[::2]) else ()


def is_for_nvidia(command: cmake.Command) -> bool:
    """Whether a condition asks that HIP is compiled for NVIDIA: `if(CMAKE_HIP_COMPILER_ID STREQUAL "NVIDIA")`."""
    words = [word.strip('"').removeprefix("${").removesuffix("}") for word in command.words()]
    asked = len(words) == 3 and words[0] in _PLATFORMS and words[1] in ("STREQUAL", "MATCHES")
    return asked and words[2].lower() in ("nvidia", "nvcc")


def demanded(command: cmake.Command, values: Container[str]) -> tuple[str, ...]:
    """The variables that a condition needs to have one of some values: `if(GPU_BACKEND STREQUAL "hip" AND FAST)`."""
    words = command.words()
    return () if "OR" in words or "NOT" in words or command.name == "else" else compared(command, values)


def compared(command: cmake.Command, values: Container[str]) -> tuple[str, ...]:
    """The variables that a condition compares with one of some values."""
    if command.name not in ("if", "elseif"):
        return ()
    words = [word.strip('"') for word in command.words()]
    return tuple(
        name.removeprefix("${").removesuffix("}")
        for name, how, value in zip(words, words[1:], words[2:], strict=False)
        if how == "STREQUAL" and value.lower() in values
    )


def lacks(command: cmake.Command) -> tuple[str, str]:
    """What a condition has and does not have: `if(X AND NOT CUDA)`, or `if(NOT CUDA)`, which has nothing."""
    words = [word.strip("${}") for word in command.words()]
    if len(words) in (2, 4) and words[-2] == "NOT" and words[1:-2] in ([], ["AND"]):
        return (words[0] if len(words) == 4 else ""), words[-1]
    return "", ""
