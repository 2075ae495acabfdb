"""The words that the variables of a CMake file hold, as far as they are known: some may be missing."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.pipeline.host_assembly import HOST_SOURCES
from cudamigrate.syntax.cmake import Command

_VARIABLE = re.compile(r"\$\{([\w.+-]+)\}")
_HERE = re.compile(r"\$\{(?:CMAKE_CURRENT_(?:SOURCE|LIST)_DIR)\}/")
_DEEPEST = 20
"""How many variables a path may begin with, one in the other."""


class HeldWords:
    """The words that the variables of one file hold.

    A path that begins with the folder of the file is one of the tree, with a slash before it. `tops` are the folders of
    the tree that CMake's own variables name.
    """

    def __init__(self, path: str, held: Mapping[str, Sequence[str]], tops: Mapping[str, str]) -> None:
        self._home = posixpath.dirname(path)
        self.known = {name: [f"/{folder}" if folder else ""] for name, folder in tops.items()}
        self.known |= {name: list(words) for name, words in held.items()}
        self.given: dict[str, list[str]] = {}

    def of(self, words: Sequence[str]) -> list[str]:
        """What words stand for."""
        found = list[str]()
        for word in (one for many in words for one in many.split(";")):
            name = _VARIABLE.fullmatch(word)
            here = _HERE.match(word)
            if name is not None:
                found += self.known.get(name[1], [])
            else:
                found.append(posixpath.join("/", self._home, word[here.end() :]) if here else word)
        return found

    def _pattern(self, word: str) -> str:
        """A pattern with the folder that it begins with, as far as variables are known to hold one."""
        for _ in range(_DEEPEST):
            name = _VARIABLE.match(word)
            known = self.known.get(name[1], []) if name is not None else []
            if name is None or len(known) != 1:
                break
            word = known[0] + word[name.end() :]
        return word

    def follow(self, command: Command) -> None:
        """Take over what a command sets; a list that is changed is not known."""
        words = command.words()
        if command.name == "set" and words:
            values = [word for word in words[1:] if word not in ("PARENT_SCOPE", "CACHE")]
            (self.given if "PARENT_SCOPE" in words else self.known)[words[0]] = self.of(values)
        elif command.name == "list" and len(words) > 1:
            self.known[words[1]] = self.known.get(words[1], []) + self.of(words[2:]) if words[0] == "APPEND" else []
        elif command.name == "aux_source_directory" and len(words) > 1:
            patterns = [f"{folder}/*{ending}" for folder in self.of(words[:1]) for ending in HOST_SOURCES]
            self.known[words[1]] = self.known.get(words[1], []) + patterns
        elif command.name == "file" and words[:1] in (["GLOB"], ["GLOB_RECURSE"]) and len(words) > 1:
            deep = words[0] == "GLOB_RECURSE"
            found = self.of([self._pattern(one) for one in words[4 if words[2:3] == ["RELATIVE"] else 2 :]])
            self.known[words[1]] = [_below(one) if deep else one for one in found]


def _below(pattern: str) -> str:
    folder, slash, name = pattern.rpartition("/")
    return f"{folder}{slash}**/{name}"
