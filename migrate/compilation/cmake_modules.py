"""A CMake file with the modules of its tree: what `include` and `find_package` run, at the place where they do.

A module is found as CMake finds it: by its path, or by its name in a folder that `CMAKE_MODULE_PATH` names in this file
or in one of the folders around it. Functions and macros of a module run nothing where it is included.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from cudamigrate.compilation.build_files import PROJECT
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.syntax import cmake

_NAMED = re.compile(r"\$\{(\w+)\}")
_NAME = re.compile(r"^[ \t]*project[ \t]*\(\s*\"?(\w[\w.+-]*)", re.IGNORECASE | re.MULTILINE)
"""The command that begins a project, with its name."""
_LISTS = "CMakeLists.txt"
_HERE = "CMAKE_CURRENT_LIST_DIR"
_TAKES_IN = "subdir"
"""What is in the names of commands by which a file takes in that of a folder, which is then of the same build:
`add_subdirectory`, `subdirs`, and functions of a project's own around them."""
_DEPTH = 8
"""How many modules deep one includes another."""
_MOST = 20_000
"""Commands that a file may have with its modules."""
_LONGEST = 1_000
"""Characters of a path: variables of variables can double without end."""


def places(folder: Path, root: Path, text: Callable[[Path], str]) -> dict[str, str]:
    """The folders that CMake has variables for, of a file in an absolute folder of the tree at `root`.

    A project is of the build of the one around it where that takes its folder in, and else a build of its own: a
    repository may hold several. Where no file around calls itself a project, it is the tree. Each project of the build
    that is around the folder has a variable by its own name. `text` gives what is in a file.
    """
    lists = {each: text(each / _LISTS) for each in (folder, *folder.parents) if each.is_relative_to(root)}
    projects = [each for each, said in lists.items() if PROJECT.search(said)]
    own = top = projects[0] if projects else root
    for each in (each for each in lists if own.is_relative_to(each) and each != own):
        top = each if _takes_in(lists[each], each, top) else top
    here, names = str(folder), {"PROJECT_SOURCE_DIR": str(own), "CMAKE_SOURCE_DIR": str(top)}
    around = [each for each in projects if each.is_relative_to(top)]
    named = {f"{name}_SOURCE_DIR": str(each) for each in reversed(around) for name in _NAME.findall(lists[each])}
    if own == top:
        names |= {f"{name}_IS_TOP_LEVEL": "ON" for name in ("PROJECT", *_NAME.findall(lists.get(own, "")))}
    names |= dict(zip(("CMAKE_PROJECT_NAME",), _NAME.findall(lists.get(top, "")), strict=False))
    return {**named, **names, "CMAKE_CURRENT_SOURCE_DIR": here, _HERE: here}


def is_top(folder: Path, root: Path, text: Callable[[Path], str]) -> bool:
    """Whether a build may begin at the CMake file in a folder: it is a project, which no file around takes in.

    Arguments are those of `places`.
    """
    return PROJECT.search(text(folder / _LISTS)) is not None and (
        places(folder, root, text)["CMAKE_SOURCE_DIR"] == str(folder)
    )


def _takes_in(text: str, folder: Path, inner: Path) -> bool:
    """Whether the file in a folder takes in one further in, as far as is known."""
    commands = cmake.read(text.encode()) if _TAKES_IN in text.lower() else ()
    here = dict.fromkeys((_HERE, "CMAKE_CURRENT_SOURCE_DIR"), str(folder))
    words = [_expanded(word, here) for one in commands if _TAKES_IN in one.name for word in one.words()]
    return any("$" in word or inner.is_relative_to(os.path.normpath(folder / word)) for word in words)


def inlined(
    commands: Sequence[cmake.Command], folder: Path, root: Path, text: Callable[[Path], str]
) -> list[cmake.Command]:
    """The commands of a file in a folder, behind each that runs a module of the tree those of the module.

    Around them `set` says what `CMAKE_CURRENT_LIST_DIR` is. `text` gives what is in a file; only those below `root` are
    asked for.
    """
    names = places(folder, root, text)
    reading = _Reading(root, text, names, list(_searched(commands, folder, root, text)))
    return list(reading.through(commands, folder, 0))


@dataclass(slots=True)
class _Reading:
    """What is known on the way through a file: values of variables, folders of modules, and the modules seen."""

    root: Path
    text: Callable[[Path], str]
    names: dict[str, str]
    folders: Sequence[Path]
    seen: set[Path] = field(default_factory=set)
    count: int = 0

    def through(self, commands: Sequence[cmake.Command], folder: Path, depth: int) -> Iterator[cmake.Command]:
        """The commands in order, those of a module without the bodies of its functions."""
        inside = 0
        for command in commands:
            inside += command.name in ("function", "macro")
            if not (inside and depth):
                yield command
            if not inside:
                yield from self._module(command, folder, depth)
            inside = max(inside - (command.name in ("endfunction", "endmacro")), 0)

    def _module(self, command: cmake.Command, folder: Path, depth: int) -> Iterator[cmake.Command]:
        words = [_expanded(word, self.names) for word in command.words()[:2]]
        if command.name == "set" and len(words) > 1:
            self.names.setdefault(words[0], words[1])
        path = self._found(command, words, folder) if depth < _DEPTH else None
        if path is None or path in self.seen:
            return
        self.seen.add(path)
        found = cmake.read(self.text(path).encode())
        self.count += len(found)
        if self.count > _MOST or not _closed(found):
            return
        before, self.names[_HERE] = self.names[_HERE], str(path.parent)
        yield from _said(_HERE, str(path.parent))
        yield from self.through(found, folder, depth + 1)
        self.names[_HERE] = before
        yield from _said(_HERE, before)

    def _found(self, command: cmake.Command, words: Sequence[str], folder: Path) -> Path | None:
        """The file of the tree that a command runs; None where it runs none, or it is not known which."""
        if not words or command.name not in ("include", "find_package") or "$" in words[0]:
            return None
        if command.name == "include":
            paths = [Path(os.path.normpath(folder / words[0]))]
            paths += [each / f"{words[0]}.cmake" for each in self.folders if "/" not in words[0]]
        else:
            alone = {"CONFIG", "NO_MODULE"}.isdisjoint(command.words())
            paths = [each / f"Find{words[0]}.cmake" for each in self.folders if alone]
        return next((path for path in paths if path.is_relative_to(self.root) and path.is_file()), None)


def _searched(
    commands: Sequence[cmake.Command], folder: Path, root: Path, text: Callable[[Path], str]
) -> Iterator[Path]:
    """The folders of the tree that `CMAKE_MODULE_PATH` names in a file, and in those of the folders around it."""
    around = [each for each in folder.parents if each.is_relative_to(root)]
    read = [(folder, commands), *((each, cmake.read(text(each / _LISTS).encode())) for each in around)]
    for each, listed in read:
        names = places(each, root, text)
        for command in listed:
            words = [_expanded(word, names) for word in command.words()]
            if command.name == "set" and len(words) > 1:
                names.setdefault(words[0], words[1])
            if command.name in ("set", "list") and "CMAKE_MODULE_PATH" in words[:2]:
                yield from (
                    Path(os.path.normpath(each / word)) for word in words[1:] if "/" in word and "$" not in word
                )


def _closed(commands: Sequence[cmake.Command]) -> bool:
    """Whether each `if` of a module has its end: else what follows the module would be under it."""
    return sum((one.name == "if") - (one.name == "endif") for one in commands) == 0


def _said(name: str, value: str) -> list[cmake.Command]:
    return cmake.read(f"set({name} [==[{value}]==])".encode())


def _expanded(word: str, names: Mapping[str, str]) -> str:
    """`word` with the variables that are known put in; others stay, and one that grows too long is left as it is."""
    for _ in range(3):
        longer = _NAMED.sub(lambda found: names.get(found[1], found[0]), word)
        if len(longer) > _LONGEST:
            break
        word = longer
    return word
