"""CMake: what the variables of one file hold, as far as the file itself says it: words, and patterns for files.

A variable that is made from another one, as a path relative to a folder, counts as that one: what it names came from
there. Nothing is known of a variable that holds one of which nothing is known.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from cudamigrate.lazy_re import re
from cudamigrate.syntax.cmake import Command

_REFERENCE = re.compile(r"\$\{((?:[^{}$]|\$\{\w+\})+)\}")
"""`${name}`, also with a part of the name in another variable: `${${kind}_file}`."""
_FOLDER = re.compile(r"\w+_(?:SOURCE|BINARY|LIST)_DIR")
"""CMake's own variables for folders, which stay as they are."""
_FROM = {"REPLACE": (3, 4), "TOLOWER": (2, 1), "TOUPPER": (2, 1), "STRIP": (2, 1)}
"""Which argument of `string` is the variable that is set, and where what it is made of begins."""
_MOST = 2000
"""So many words of a variable, or letters of a word, are followed: a file may double them in each of its lines."""


class Lists:
    """What variables and lists hold while the commands of a file are followed in their order."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[str, ...] | None] = {}

    def of(self, word: str) -> tuple[str, ...] | None:
        """What a word stands for; None where nothing is known of a variable in it."""
        names = [name for name in _REFERENCE.findall(word) if not self._is_leading(word, name)]
        found = [word]
        for name in dict.fromkeys(names):
            held = self._held.get(name)
            if held is None or len(held) * len(found) > _MOST:
                return None
            found = [one.replace("${" + name + "}", value) for one in found for value in held]
            if any(len(one) > _MOST for one in found):
                return None
        return tuple(found)

    def _is_leading(self, word: str, name: str) -> bool:
        """Whether a variable of which nothing is known is the first folders of a path: `${DIR}/a.cu`."""
        begin = "".join(f"${{{one}}}/" for one in _REFERENCE.findall(word.partition(name)[0]))
        unknown = name not in self._held or _FOLDER.fullmatch(name) is not None
        return unknown and word.startswith(begin + "${" + name + "}/")

    def follow(self, command: Command) -> None:
        """Take over what a command sets."""
        words = [word.strip('"') for word in command.words()]
        if command.name == "set" and len(words) > 1 and "CACHE" not in words:
            self._held[words[0]] = self._all([word for word in words[1:] if word != "PARENT_SCOPE"])
        elif command.name == "list" and words[:1] == ["APPEND"] and len(words) > 1:
            before, more = self._held.get(words[1], ()), self._all(words[2:])
            unknown = before is None or more is None or len(before) + len(more) > _MOST
            self._held[words[1]] = None if unknown else (*(before or ()), *(more or ()))
        elif command.name == "foreach" and words:
            self._held[words[0]] = self._each(words[1:])
        elif command.name == "file" and len(words) > 2:
            self._of_files(words)
        elif command.name == "get_filename_component" and len(words) > 1:
            self._held[words[0]] = self.of(words[1])
        elif command.name == "string" and words:
            self._of_text(words)

    def _all(self, words: Sequence[str]) -> tuple[str, ...] | None:
        found: list[str] = []
        for word in itertools.chain.from_iterable(word.split(";") for word in words):
            held = self.of(word)
            if held is None or len(held) + len(found) > _MOST:
                return None
            found += held
        return tuple(found)

    def _each(self, words: Sequence[str]) -> tuple[str, ...] | None:
        if words[:2] == ["IN", "LISTS"]:
            return self._all([f"${{{name}}}" for name in words[2:]])
        return self._all(words[2:] if words[:2] == ["IN", "ITEMS"] else words)

    def _of_files(self, words: Sequence[str]) -> None:
        kind, name, *rest = words
        if kind == "RELATIVE_PATH":
            self._held[name] = self.of(rest[-1])
        elif kind in ("GLOB", "GLOB_RECURSE"):
            at = 2 if rest[:1] == ["RELATIVE"] else 0
            patterns = self._all([word for word in rest[at:] if word != "CONFIGURE_DEPENDS"])
            deep = kind == "GLOB_RECURSE"
            self._held[name] = tuple(_below(one) for one in patterns) if patterns and deep else patterns

    def _of_text(self, words: Sequence[str]) -> None:
        kind = words[0].upper()
        target, start = _FROM.get(kind, (0, 0))
        if kind == "REGEX" and words[1:2] == ["REPLACE"]:
            target, start = 4, 5
        if target and len(words) > max(target, start):
            self._held[words[target]] = self._all(words[start : start + 1 if start < target else None])


def _below(pattern: str) -> str:
    folder, slash, name = pattern.rpartition("/")
    return f"{folder}{slash}**/{name}"
