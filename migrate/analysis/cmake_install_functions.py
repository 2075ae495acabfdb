"""CMake: functions and macros of a project that install the files they are called with.

`add_headers(common ${HEADERS})` installs them where the function, in whatever file of the tree, gives its arguments to
`install(FILES)`, or to another such function. Source: CMake's documentation, "function", "cmake_parse_arguments".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cudamigrate.analysis import cmake_installed
from cudamigrate.analysis.cmake_endings import Scope, placed
from cudamigrate.lazy_re import re
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command

_VARIABLE = re.compile(r"\$\{([\w.+-]+)\}\Z")
_PARSE = "cmake_parse_arguments"
_ROUNDS = 4


class Way(NamedTuple):
    """Which arguments of a call are installed: those from `first` up to `end`, 0 for the last one, or those behind a
    `keyword` up to the next one of `keywords`."""

    first: int = 0
    end: int = 0
    keyword: str = ""
    keywords: frozenset[str] = frozenset()

    def of(self, arguments: Sequence[Argument]) -> Iterator[Argument]:
        """These arguments of a call."""
        if not self.keyword:
            yield from arguments[self.first : self.end or None]
            return
        inside = False
        for one in arguments:
            if one.text in self.keywords:
                inside = one.text == self.keyword
            elif inside:
                yield one


class Functions:
    """The functions that install files, by their names in small letters, each with the ways in which it does."""

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        read = {path: cmake.read(data) for path, data in texts.items() if b"install" in data or b"FILE_SET" in data}
        bodies = dict[Scope, list[Command]]()
        for path, commands in read.items():
            for command, scope in placed(path, commands):
                if scope.function:
                    bodies.setdefault(scope, []).append(command)
        self.ways: Mapping[str, Sequence[Way]] = {}
        for _ in range(_ROUNDS):
            found = {scope.function: ways for scope, body in bodies.items() if (ways := [*self._ways(scope, body)])}
            if found == self.ways:
                break
            self.ways = found

    def lists(self, command: Command) -> Iterator[tuple[Argument, bool, bool]]:
        """The arguments of a command that name files to install, as `cmake_installed.lists` gives them."""
        yield from cmake_installed.lists(command)
        for way in self.ways.get(command.name, ()):
            yield from ((one, False, False) for one in way.of(command.args))

    def _ways(self, scope: Scope, body: Sequence[Command]) -> Iterator[Way]:
        """What a function does with its arguments."""
        given = {"ARGN": Way(len(scope.params)), "ARGV": Way()}
        given |= {name: Way(at, at + 1) for at, name in enumerate(scope.params)}
        for command in body:
            if command.name == _PARSE:
                given.update(_parsed(command.words()))
            for argument, _, kept in self.lists(command):
                variable = _VARIABLE.match(argument.text)
                if variable is not None and not kept and variable[1] in given:
                    yield given[variable[1]]


def _parsed(words: Sequence[str]) -> Iterator[tuple[str, Way]]:
    """The variables that CMake's own function fills with the arguments behind keywords."""
    at = 2 if words[:1] == ["PARSE_ARGV"] else 0
    if len(words) < at + 4:
        return
    listed = [[one for one in word.split(";") if one] for word in words[at + 1 : at + 4]]
    keywords = frozenset(one for several in listed for one in several)
    yield from ((f"{words[at]}_{name}", Way(keyword=name, keywords=keywords)) for name in (*listed[1], *listed[2]))
