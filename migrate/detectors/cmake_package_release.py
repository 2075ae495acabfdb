"""Packages of ROCm that CMake is to find in an older major release than the target has: none of the target's is taken.

The version files of HIP and of ROCm's libraries accept a request for their own major release alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.rulebase import rocm_releases
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.project_file import ProjectFile

_RULE = "build/cmake-package-release"
_FINDS = "find_package"
_NUMBER = re.compile(r"(?P<major>\d+)(?:\.\d+){0,3}")
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_BY_MODULE = "MODULE"


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """A hit at each such version, in a file that asks for the package in no way that the target's would answer."""
    found = [one for one in cmake.commands(parsed) if one.name == _FINDS and one.words()]
    values = cmake.held_words(cmake.commands(parsed)) if found else {}
    has = {one: rocm_releases.package(one, parsed.target.rocm) for one in {one.words()[0] for one in found}}
    asked: dict[str, list[tuple[Command, Argument | None, int]]] = {}
    for command in found:
        if has[command.words()[0]]:
            asked.setdefault(command.words()[0], []).append((command, *_version(command, values)))
    for package, requests in asked.items():
        if all(version is not None and major < has[package] for _, version, major in requests):
            yield from (
                _hit(command, version, package, {"has": str(has[package]), "asked": _value(version.text, values)})
                for command, version, _ in requests
                if version is not None
            )


def _hit(command: Command, version: Argument, package: str, words: dict[str, str]) -> Hit:
    use = Use("name", version.text, version.span, command.span, command.places, certainty="syntax")
    return Hit(_RULE, use, {"package": package, **words})


def _version(command: Command, values: dict[str, list[str]]) -> tuple[Argument | None, int]:
    """The version that a command asks for, and its major release; None where there is none, or it may be another."""
    version = command.args[1] if len(command.args) > 1 else None
    if version is None or _BY_MODULE in command.words():
        return None, 0
    number = _NUMBER.fullmatch(_value(version.text, values))
    return (version, int(number["major"])) if number is not None else (None, 0)


def _value(text: str, values: dict[str, list[str]]) -> str:
    """A text, or what the variable that it names is set to, where the file sets it once."""
    named = _VARIABLE.fullmatch(text)
    held: Sequence[str] = values.get(named[1], ()) if named is not None else (text,)
    return held[0] if len(held) == 1 else ""
