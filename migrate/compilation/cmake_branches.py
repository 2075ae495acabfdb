"""The commands of a CMake file that a build for a GPU runs by default, and the macros that it gives values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cudamigrate.compilation import cmake_values
from cudamigrate.lazy_re import re
from cudamigrate.syntax import cmake

DEFINE = ("add_definitions", "add_compile_definitions", "target_compile_definitions")
"""Commands that give macros."""
_VALUED = re.compile(r"(?:[-/]D)?([A-Za-z_]\w+)=.")
"""A macro that is given a value: `-DBLOCK=${SIZE}`."""
_VENDOR = re.compile(r"CUDA|ROCM|HIP", re.IGNORECASE)


def valued(data: bytes) -> set[str]:
    """The macros that commands give a value, in whatever branch."""
    given = (word for command in cmake.read(data) if command.name in DEFINE for word in command.words())
    return {match[1] for match in map(_VALUED.match, given) if match is not None}


def taken(data: bytes) -> Iterator[tuple[str, list[str]]]:
    """The commands outside of conditions, and those of the branches that a plain build for a GPU takes."""
    commands = list(cmake.read(data))
    values = cmake_values.agreed(commands)
    chosen: list[bool | str] = []
    untrue: list[bool] = []
    for command in commands:
        if command.name == "if":
            known = _holds(command, values)
            chosen.append(known or _is_for_gpu(command) or _given_a_default(command))
            untrue.append(known is False)
        elif command.name in ("elseif", "else") and chosen:
            last = command.name == "else"
            known = True if last else _holds(command, values)
            chosen[-1] = (untrue[-1] and known is True) or (not last and _is_for_gpu(command))
            untrue[-1] = untrue[-1] and known is False
        elif command.name == "endif" and chosen:
            chosen.pop()
            untrue.pop()
        elif all(one is True or (command.name == "set" and one == command.words()[0]) for one in chosen):
            yield command.name, command.words()


def _given_a_default(condition: cmake.Command) -> str:
    """The variable that a condition asks whether nobody has set it: a plain build takes the value that follows."""
    head = [word for word in condition.words() if word != "DEFINED"]
    return head[1] if len(head) == 2 and head[0] == "NOT" else ""


def _holds(condition: cmake.Command, values: Mapping[str, str]) -> bool | None:
    """Whether a condition is true by the defaults of options; what asks for a vendor is decided by that."""
    words = condition.words()
    return None if _VENDOR.search(" ".join(words)) else cmake_values.holds(words, values)


def _is_for_gpu(condition: cmake.Command) -> bool:
    head = " ".join(condition.words())
    return bool(_VENDOR.search(head)) and "NOT" not in head
