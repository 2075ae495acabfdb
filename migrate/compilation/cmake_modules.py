"""A CMake file with the modules of its tree: what `include` and `find_package` run, at the place where they do.

A module is found as CMake finds it: by its path, or by its name in a folder that `CMAKE_MODULE_PATH` names in this file
or in one of the folders around it. Functions and macros of a module run nothing where it is included.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.syntax import cmake

_NAMED = re.compile(r"\$\{(\w+)\}")
_LISTS = "CMakeLists.txt"
_HERE = "CMAKE_CURRENT_LIST_DIR"
_DEPTH = 8
"""How many modules deep one includes another."""
_MOST = 20_000
"""Commands that a file may have with its modules."""
_LONGEST = 1_000
"""Characters of a path: variables of variables can double without end."""


def places(folder: str, root: str) -> dict[str, str]:
    """The folders that CMake has variables for, of a file in an absolute folder of the tree at `root`."""
    return {
        "PROJECT_SOURCE_DIR": root,
        "CMAKE_SOURCE_DIR": root,
        "CMAKE_CURRENT_SOURCE_DIR": folder,
        _HERE: folder,
    }


def inlined(
    commands: Sequence[cmake.Command], folder: Path, root: Path, text: Callable[[Path], str]
) -> list[cmake.Command]:
    """The commands of a file in a folder, behind each that runs a module of the tree those of the module.

    Around them `set` says what `CMAKE_CURRENT_LIST_DIR` is. `text` gives what is in a file; only those below `root` are
    asked for.
    """
    names = places(str(folder), str(root))
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
        names = places(str(each), str(root))
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
