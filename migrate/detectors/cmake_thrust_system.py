"""Thrust's backend in a CMake file, where a variable completes its name: `THRUST_DEVICE_SYSTEM_${DEVICE}`.

What no rule for an option sees: the value `CUDA`, which the variable keeps, names a backend that rocThrust lacks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_RULE = "build/cmake-thrust-system"
_MARK = b"THRUST_DEVICE_SYSTEM_${"
_BUILT = re.compile(r"(?:-D)?THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_(?P<value>\$\{(?P<name>\w+)\})")
_CUDA = "CUDA"
_CONDITIONS = ("if", "elseif", "while")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """A hit for each variable at the end of the backend's name that may hold `CUDA`."""
    if parsed.ported or parsed.kept or _MARK not in parsed.data:
        return
    found = cmake.commands(parsed)
    for command in found:
        for argument in command.args:
            match = _BUILT.fullmatch(argument.text)
            if match is not None and _may_be_cuda(match["name"], found):
                start = argument.span.start + len(argument.text[: match.start("value")].encode())
                span = Span(start, start + len(match["value"].encode()))
                use = Use("name", match["value"], span, command.span, command.places, certainty="syntax")
                yield Hit(_RULE, use, {"variable": match["name"]})


def _may_be_cuda(name: str, found: Sequence[Command]) -> bool:
    """Whether the file sets a variable to `CUDA` or asks for it; or gives it no word, so that others may."""
    held = cmake.held_words(found).get(name)
    asked = (one.words() for one in found if one.name in _CONDITIONS)
    return held is None or _CUDA in held or any(_CUDA in words and _names(words, name) for words in asked)


def _names(words: Sequence[str], name: str) -> bool:
    return name in words or f"${{{name}}}" in words
