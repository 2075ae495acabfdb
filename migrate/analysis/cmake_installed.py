"""Files that CMake installs: lists of them by name or pattern, and the patterns that a folder is installed by.

`install(FILES)`, headers of a target (`PUBLIC_HEADER`), its sets of files and the variables in these name each file.
Source: CMake's documentation, "install", "target_sources", "PUBLIC_HEADER" and "file".
"""

from __future__ import annotations

import itertools
import posixpath
from collections.abc import Callable, Collection, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command

_NAME = r"([\w.+*?-][\w.+*?/-]*)\Z"
_HERE = re.compile(r"(?:\$\{(?:CMAKE_CURRENT_(?:SOURCE|LIST)_DIR)\}/)?" + _NAME)
_OF_TREE = re.compile(r"\$\{(?:CMAKE|PROJECT|\w+)_SOURCE_DIR\}/" + _NAME)
"""A file by its path in the folder of the CMake file, or in that of the project."""
_VARIABLE = re.compile(r"\$\{(\w+)\}\Z")
_ENDS = ("DESTINATION", "TYPE", "PERMISSIONS", "CONFIGURATIONS", "COMPONENT", "RENAME", "OPTIONAL", "EXCLUDE_FROM_ALL")
"""What ends the files of the command."""
_HEADERS = ("PUBLIC_HEADER", "PRIVATE_HEADER")
_SET_ENDS = ("FILE_SET", "TYPE", "BASE_DIRS", "FILES", "PUBLIC", "PRIVATE", "INTERFACE")
_MATCHING = "FILES_MATCHING"
_DIRECTORY_ENDS = (_MATCHING, "USE_SOURCE_PERMISSIONS", "FILE_PERMISSIONS", "PATTERN", "REGEX")
_GLOBS = ("GLOB", "GLOB_RECURSE")
_ELEMENT = re.compile(r"[^;]+")
_MARKS = (b"install", b"_HEADER", b"FILE_SET")
Lists = Callable[[Command], Iterator[tuple[Argument, bool, bool]]]


class Named(NamedTuple):
    """A file in a list of what is installed: its path, and the place of the word that names it.

    `path` may be a pattern, `below` that it takes files of folders below too. `joint` is what parts it from others; of
    a word that has to get quotes to become a list, `bare` is true. `kept` says that files stay in their folders. Of one
    `group` are lists that are installed together.
    """

    path: str
    place: Span
    word: str
    joint: str = ""
    bare: bool = False
    kept: bool = False
    below: bool = False
    group: str = ""

    def takes(self, path: str) -> bool:
        """Whether it names a file, itself or by its pattern."""
        folder, name = posixpath.split(self.path)
        other, last = posixpath.split(path)
        inside = other == folder or (self.below and (not folder or other.startswith(f"{folder}/")))
        return inside and (last == name or fnmatchcase(last, name))


class Matched(NamedTuple):
    """Folders that are installed by patterns of names, and where a pattern can be added."""

    folders: tuple[str, ...]
    patterns: tuple[str, ...]
    end: int

    def holds(self, path: str) -> bool:
        """Whether a file is in one of the folders, or below."""
        return any(not one or path.startswith(f"{one}/") for one in self.folders)

    def takes(self, path: str) -> bool:
        """Whether one of the patterns takes it."""
        return any(fnmatchcase(posixpath.basename(path), one) for one in self.patterns)


def named(path: str, data: bytes, among: Lists | None = None, calls: Collection[str] = ()) -> Iterator[Named]:
    """The files that the commands of a CMake file install by their names, those in variables that it sets too.

    `among` gives the arguments of a command that name files: those of CMake's own commands where nothing is said.
    `calls` are the names of other commands that it knows.
    """
    lower = data.lower() if calls else b""
    known = any(mark in data for mark in _MARKS) or any(name.encode() in lower for name in calls)
    commands = cmake.read(data) if known else []
    for command in commands:
        for argument, alone, kept in (among or lists)(command):
            variable = _VARIABLE.match(argument.text)
            if variable is None:
                yield from _elements(path, argument, alone, kept)
            else:
                yield from _held(path, commands, variable[1], kept)


def matched(path: str, data: bytes) -> Iterator[Matched]:
    """The folders that a CMake file installs by patterns alone."""
    return (one for one in directories(path, data) if one.patterns) if _MATCHING.encode() in data else iter(())


def directories(path: str, data: bytes) -> Iterator[Matched]:
    """The folders that a CMake file installs, with the patterns of those that it installs by patterns alone.

    One that it installs by regular expressions is none of them.
    """
    for command in cmake.read(data) if b"DIRECTORY" in data and b"install" in data.lower() else []:
        words = command.words()
        if command.name != "install" or words[:1] != ["DIRECTORY"] or (_MATCHING in words and "REGEX" in words):
            continue
        given = itertools.takewhile(lambda word: word not in (*_ENDS, *_DIRECTORY_ENDS), words[1:])
        folders = tuple(folder for word in given if (folder := _folder(path, word)) is not None)
        pairs = zip(words, words[1:], [*words[2:], ""], strict=False)
        patterns = tuple(name for mark, name, after in pairs if mark == "PATTERN" and after != "EXCLUDE")
        by_patterns = _MATCHING in words
        end = command.args[words.index(_MATCHING) if by_patterns else 0].outer.end
        yield Matched(folders, patterns if by_patterns else (), end)


def lists(command: Command) -> Iterator[tuple[Argument, bool, bool]]:
    """The arguments that name files to install: whether each is all of a property's value, and whether files of it
    stay in their folders."""
    words = command.words()
    if command.name == "install" and words[:1] == ["FILES"]:
        end = next((at for at, word in enumerate(words) if word in _ENDS), len(words))
        yield from ((one, False, False) for one in command.args[1:end])
    elif command.name == "set_target_properties" and "PROPERTIES" in words:
        for at in range(words.index("PROPERTIES") + 1, len(words) - 1, 2):
            if words[at] in _HEADERS:
                yield command.args[at + 1], True, False
    elif command.name == "set_property" and words[:1] == ["TARGET"]:
        at = next((at for at, word in enumerate(words) if word in _HEADERS), len(words))
        yield from ((one, False, False) for one in command.args[at + 1 :])
    elif command.name == "target_sources" and "FILE_SET" in words and "CXX_MODULES" not in words:
        inside = ""
        for one in command.args[1:]:
            if one.text in _SET_ENDS:
                inside = one.text
            elif inside == "FILES":
                yield one, False, True


def _held(path: str, commands: Sequence[Command], name: str, kept: bool) -> Iterator[Named]:
    """What a file puts into a variable, word by word, patterns of files too."""
    for command in commands:
        words, given, below = command.words(), list[Argument](), False
        if command.name == "set" and words[:1] == [name]:
            given = list(command.args[1:])
        elif command.name == "list" and words[:2] in (["APPEND", name], ["PREPEND", name]):
            given = list(command.args[2:])
        elif command.name == "file" and words[:1] and words[0] in _GLOBS and words[1:2] == [name]:
            given, below = list(command.args[2:]), words[0] == _GLOBS[1]
        for one in given:
            yield from (each._replace(below=below) for each in _elements(path, one, False, kept))


def _elements(path: str, argument: Argument, alone: bool, kept: bool) -> Iterator[Named]:
    """The files that an argument names, one or those of a list in quotes."""
    listed = alone or (argument.quoted and ";" in argument.text)
    for match in _ELEMENT.finditer(argument.text):
        at = argument.span.start + len(argument.text[: match.start()].encode())
        inner = Span(at, at + len(match[0].encode()))
        found = _path(path, match[0])
        if found is not None:
            bare = alone and not argument.quoted
            yield Named(found, inner if listed else argument.outer, match[0], ";" if listed else "", bare, kept)


def _path(path: str, word: str) -> str | None:
    """The file that a word names, as the path below the folder of the CMake file, or of the tree."""
    here, of_tree = _HERE.match(word), _OF_TREE.match(word)
    if here is not None:
        return posixpath.normpath(posixpath.join(posixpath.dirname(path), here[1]))
    return posixpath.normpath(of_tree[1]) if of_tree is not None else None


def _folder(path: str, word: str) -> str | None:
    """The folder that a word names; empty for the root of the tree."""
    found = _path(path, f"{word.rstrip('/')}/x")
    return posixpath.dirname(found) if found is not None else None
