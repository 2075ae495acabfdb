"""One command of CMake -> the variables that it sets, with their values as it spells them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.syntax import cmake

_VERSION = ("MAJOR", "MINOR", "PATCH", "TWEAK")


def set_by(command: cmake.Command) -> Iterator[tuple[str, str]]:
    """The variables that a command sets, each with its value; of an option the one that it has by default."""
    words = command.words()
    if command.name == "option" and len(words) > 1:
        yield words[0], words[2] if len(words) > 2 else "OFF"
    elif command.name == "set" and len(words) > 1:
        value = words[1] if len(words) == 2 or words[2] in ("CACHE", "PARENT_SCOPE") else ";".join(words[1:])
        yield words[0], value
    elif command.name == "project" and words:
        yield "PROJECT_NAME", words[0]
        yield from _version(words)


def _version(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What `project(name VERSION 1.2)` sets."""
    if "VERSION" in words[:-1]:
        version = words[words.index("VERSION") + 1]
        numbers = [*version.split("."), "0", "0", "0", "0"]
        for name in ("PROJECT", words[0]):
            yield f"{name}_VERSION", version
            yield from ((f"{name}_VERSION_{part}", number) for part, number in zip(_VERSION, numbers, strict=False))
