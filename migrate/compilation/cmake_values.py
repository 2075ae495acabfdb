"""What CMake's variables and options are in a plain build, as far as build files say it alike wherever they set them.

Conditions are decided by these values alone; one that asks for more is open. Nothing is run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.syntax import cmake

_NAMED = re.compile(r"@(\w+)@|\$\{(\w+)\}")
_VENDOR = re.compile(r"CUDA|ROCM|HIP", re.IGNORECASE)
DEFINE = ("add_definitions", "add_compile_definitions", "target_compile_definitions")
"""Commands that give macros."""
_VALUED = re.compile(r"(?:[-/]D)?([A-Za-z_]\w+)=.")
"""A macro that is given a value: `-DBLOCK=${SIZE}`."""
_FALSE = frozenset(("", "0", "off", "no", "false", "n", "ignore", "notfound"))
_VERSION = ("MAJOR", "MINOR", "PATCH", "TWEAK")
_LONGEST = 100_000
"""Characters of values that are put into one text: variables of variables can double without end."""


def agreed(commands: Iterable[cmake.Command]) -> Mapping[str, str]:
    """What commands set variables and options to, where all that do agree; an option has its default."""
    given: dict[str, set[str]] = {}
    for command in commands:
        for name, value in _set_by(command):
            given.setdefault(name, set()).add(value)
    known = {name: next(iter(values)) for name, values in given.items() if len(values) == 1}
    for _ in range(3):  # variables of variables
        known = {name: replaced(value, known)[0] for name, value in known.items()}
    return {name: value for name, value in known.items() if not _NAMED.search(value)}


def taken_by_default(commands: Sequence[cmake.Command], plain: bool = True) -> Iterator[tuple[str, list[str]]]:
    """The commands outside of conditions, and those of the branches that a plain build for a GPU takes.

    Where the build is not a plain one of CMake, the defaults of its options decide nothing.
    """
    values = agreed(commands) if plain else {}
    taken: list[bool | str] = []
    untrue: list[bool] = []
    for command in commands:
        if command.name == "if":
            known = _holds(command, values)
            taken.append(known or _is_for_gpu(command) or _given_a_default(command))
            untrue.append(known is False)
        elif command.name in ("elseif", "else") and taken:
            last = command.name == "else"
            known = True if last else _holds(command, values)
            taken[-1] = (untrue[-1] and known is True) or (not last and _is_for_gpu(command))
            untrue[-1] = untrue[-1] and known is False
        elif command.name == "endif" and taken:
            taken.pop()
            untrue.pop()
        elif all(one is True or (command.name == "set" and one == command.words()[0]) for one in taken):
            yield command.name, command.words()


def valued(commands: Iterable[cmake.Command]) -> set[str]:
    """The macros that commands give a value, in whatever branch."""
    given = (word for command in commands if command.name in DEFINE for word in command.words())
    return {match[1] for match in map(_VALUED.match, given) if match is not None}


def _given_a_default(condition: cmake.Command) -> str:
    """The variable that a condition asks whether nobody has set it: a plain build takes the value that follows."""
    head = [word for word in condition.words() if word != "DEFINED"]
    return head[1] if len(head) == 2 and head[0] == "NOT" else ""


def _holds(condition: cmake.Command, values: Mapping[str, str]) -> bool | None:
    """Whether a condition is true by the defaults of options; what asks for a vendor is decided by that."""
    words = condition.words()
    return None if _VENDOR.search(" ".join(words)) else holds(words, values)


def _is_for_gpu(condition: cmake.Command) -> bool:
    head = " ".join(condition.words())
    return bool(_VENDOR.search(head)) and "NOT" not in head


def is_true(value: str) -> bool:
    """Whether CMake takes a value for true."""
    return not (value.lower() in _FALSE or value.lower().endswith("-notfound"))


def holds(condition: Sequence[str], values: Mapping[str, str]) -> bool | None:
    """Whether a condition of variables with `NOT`, and `AND` or `OR`, is true; None where that is not known."""
    sign = "OR" if "OR" in condition else "AND"
    if {"(", ")"} & set(condition) or ("OR" in condition and "AND" in condition):
        return None
    parts: list[list[str]] = [[]]
    for word in condition:
        if word == sign:
            parts.append([])
        else:
            parts[-1].append(word)
    known = [_asked(part, values) for part in parts]
    deciding = sign == "OR"
    if deciding in known:
        return deciding
    return None if None in known else not deciding


def _asked(words: Sequence[str], values: Mapping[str, str]) -> bool | None:
    """What `NAME` or `NOT NAME` is."""
    name = words[-1] if words else ""
    if name not in values or words[:-1] not in ([], ["NOT"]):
        return None
    return is_true(values[name]) is (len(words) == 1)


def _set_by(command: cmake.Command) -> Iterator[tuple[str, str]]:
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


def replaced(text: str, values: Mapping[str, str], absent: str | None = None) -> tuple[str, bool]:
    """A text with the values of variables, and whether one is not known; `absent` stands for such, else its name."""
    unknown, room = False, _LONGEST

    def value(match: re.Match[str]) -> str:
        nonlocal unknown, room
        given = values.get(match[1] or match[2])
        if given is not None and len(given) <= room:
            room -= len(given)
            return given
        unknown = True
        return match[0] if absent is None else absent

    return _NAMED.sub(value, text), unknown
