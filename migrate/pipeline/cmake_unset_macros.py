"""Macros that CMake gives other folders' sources alone: in those of a target nothing defines them.

`add_definitions` reaches the folder that calls it and those below. A macro that the CMake files name in such commands
and nowhere else is not set where no such command is in a folder around the target's. Modules and functions may be
called from anywhere, so that nothing is known of what they define. Source: CMake's documentation, of these commands.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.syntax.cmake import Command

_DEFINING = {
    "add_definitions": re.compile(r"[-/]D(\w+)(?:=.*)?"),
    "add_compile_options": re.compile(r"-D(\w+)(?:=.*)?"),
    "add_compile_definitions": re.compile(r"(?:-D)?(\w+)(?:=.*)?"),
}
_DEFINED = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_ANYWHERE = frozenset(("function", "macro"))


def unset(texts: Mapping[str, bytes], commands: Mapping[str, Sequence[Command]], path: str) -> frozenset[bytes]:
    """The macros that CMake files define and that no source of a target in the file at `path` is compiled with."""
    defined: dict[str, list[str]] = {}
    for other, command in ((other, one) for other, found in commands.items() for one in found):
        spelled = _DEFINING.get(command.name)
        for word in command.words() if spelled is not None else ():
            match = spelled.fullmatch(word) if spelled is not None else None
            if match is not None:
                defined.setdefault(match[1], []).append(other)
    loose = {one for one, found in commands.items() if one.endswith(".cmake") or _ANYWHERE & {c.name for c in found}}
    return frozenset(
        name.encode()
        for name, places in defined.items()
        if not loose & set(places) and not any(_reaches(one, path) for one in places) and _only(texts, name, places)
    )


def _reaches(other: str, path: str) -> bool:
    """Whether a file is in the folder of another, or in one below."""
    folder = posixpath.dirname(other)
    return not folder or f"{posixpath.dirname(path)}/".startswith(f"{folder}/")


def _only(texts: Mapping[str, bytes], name: str, places: Sequence[str]) -> bool:
    """Whether the CMake files name a macro in commands for folders alone, as often as these do."""
    word = re.compile(rb"(?<!\w)(?:[-/]D)?" + name.encode() + rb"(?!\w)")
    return sum(len(word.findall(data)) for data in texts.values()) == len(places)


def defined_in(texts: Iterable[bytes]) -> frozenset[bytes]:
    """The macros that the text of some files defines."""
    return frozenset(name for data in texts for name in _DEFINED.findall(data))
