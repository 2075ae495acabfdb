"""The words that the variables of a CMake file hold, as far as they are known: some may be missing."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.pipeline.host_assembly import HOST_SOURCES
from cudamigrate.project.glob_expressions import without_backtracking
from cudamigrate.syntax import foreign_patterns
from cudamigrate.syntax.cmake import Command

_VARIABLE = re.compile(r"\$\{([\w.+-]+)\}")
_HERE = re.compile(r"\$\{(?:CMAKE_CURRENT_(?:SOURCE|LIST)_DIR)\}/")
_SPECIAL = re.compile(r"\*\*/|\*|\?|\[[^\[\]/]+\]")
"""What stands for other characters in a pattern; `**/` for folders, as HeldWords writes a search through all."""
_FOLDERS = 2
"""Such searches that a pattern may have: a name is tried in all ways that they part it."""
_STANDS = {"**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
_ORDERS = ("REMOVE_DUPLICATES", "SORT", "REVERSE")
_IN_FOLDER = re.compile(r"\$\{[\w.+-]+\}/[^$]*")
"""A path below the folder that a variable holds."""
_DEEPEST = 20
"""How many variables a path may begin with, one in the other."""


class HeldWords:
    """The words that the variables of one file hold.

    A path that begins with the folder of the file is one of the tree, with a slash before it. `tops` are the folders of
    the tree that CMake's own variables name, `paths` its files: of a list that loses some, the files are held.
    """

    def __init__(
        self, path: str, held: Mapping[str, Sequence[str]], tops: Mapping[str, str], paths: Collection[str]
    ) -> None:
        self._paths = paths
        self._home = posixpath.dirname(path)
        self.known = {name: [f"/{folder}" if folder else ""] for name, folder in tops.items()}
        self.known |= {name: list(words) for name, words in held.items()}
        self.given: dict[str, list[str]] = {}
        self._partial = {*held}

    def knows(self, words: Sequence[str]) -> bool:
        """Whether no word stands for more than is known: the paths in a variable's folder are the reader's to find."""
        return all(self._knows(word) for many in words for word in many.split(";"))

    def _knows(self, word: str) -> bool:
        name = _VARIABLE.fullmatch(word)
        if name is not None:
            return name[1] in self.known and name[1] not in self._partial
        return "$" not in word or _IN_FOLDER.fullmatch(word) is not None

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
        """Take over what a command sets; a list that is changed in ways which are not followed is not known."""
        words = command.words()
        changed = 1 if command.name in ("list", "file", "aux_source_directory") else 0
        if command.name in ("set", "list", "file", "aux_source_directory") and len(words) > changed:
            self._judge(command.name, words[changed], words)
        if command.name == "set" and words:
            values = [word for word in words[1:] if word not in ("PARENT_SCOPE", "CACHE")]
            (self.given if "PARENT_SCOPE" in words else self.known)[words[0]] = self.of(values)
        elif command.name == "list" and len(words) > 1:
            self.known[words[1]] = self._changed(words[0], self.known.get(words[1], []), words[2:])
        elif command.name == "aux_source_directory" and len(words) > 1:
            patterns = [f"{folder}/*{ending}" for folder in self.of(words[:1]) for ending in HOST_SOURCES]
            self.known[words[1]] = self.known.get(words[1], []) + patterns
        elif command.name == "file" and words[:1] in (["GLOB"], ["GLOB_RECURSE"]) and len(words) > 1:
            deep = words[0] == "GLOB_RECURSE"
            found = self.of([self._pattern(one) for one in words[4 if words[2:3] == ["RELATIVE"] else 2 :]])
            self.known[words[1]] = [_below(one) if deep else one for one in found]

    def _judge(self, command: str, name: str, words: Sequence[str]) -> None:
        """Note whether a variable holds more than is known once a command has set or changed it."""
        before = self.known.get(name, [])
        if command == "set":
            whole = self.knows(words[1:]) and {*before} <= {*self.of(words[1:])}  # or each of two branches sets it
        elif command == "file":
            whole = words[0] in ("GLOB", "GLOB_RECURSE") and self.knows([self._pattern(one) for one in words[2:]])
        else:
            followed = command != "list" or words[0] in ("APPEND", "PREPEND", *_ORDERS)
            whole = followed and name in self.known and name not in self._partial and self.knows(words[2:])
        (self._partial.discard if whole else self._partial.add)(name)

    def _changed(self, how: str, held: list[str], words: Sequence[str]) -> list[str]:
        """A list as the command of that name changes it; empty where that is not known."""
        if how in ("APPEND", "PREPEND"):
            return held + self.of(words)
        if how == "REMOVE_ITEM":
            gone = set(map(self._whole, self.of(words)))
            return [one for one in self._listed(held) if self._whole(one) not in gone]
        if how == "FILTER" and len(words) == 3 and words[1] == "REGEX":
            wanted = self._regex(words[2])
            kept = self._listed(held) if wanted is not None else []
            return [one for one in kept if wanted is not None and bool(wanted.search(one)) == (words[0] == "INCLUDE")]
        return held if how in _ORDERS else []

    def _listed(self, words: Iterable[str]) -> Iterator[str]:
        """Words with the files of the tree in the place of patterns, each with a slash before it."""
        for word in words:
            if is_pattern(word) and "$" not in word:
                yield from (f"/{one}" for one in matching(self._paths, self._whole(word)))
            else:
                yield word

    def _whole(self, word: str) -> str:
        """The path of the tree that a word is, seen from the folder of the file."""
        return posixpath.normpath(posixpath.join("/", self._home, word))[1:]

    def _regex(self, text: str) -> re.Pattern[str] | None:
        """A regular expression of CMake's, in quotes or not; None where it holds a variable or is none of Python's."""
        home = f"/{self._home}" if self._home else ""
        bare = _HERE.sub(lambda _: f"{re.escape(home)}/", text).replace("\\\\", "\\")
        return foreign_patterns.compiled_if_quick(bare) if "${" not in bare else None


def is_pattern(word: str) -> bool:
    """Whether a word stands for the files that it fits: `src/*.cpp`."""
    return _SPECIAL.search(word) is not None


def matching(paths: Iterable[str], pattern: str) -> list[str]:
    """The paths that a pattern fits, sorted."""
    pieces, at = list[str](), 0
    for one in _SPECIAL.finditer(pattern):
        pieces += (re.escape(pattern[at : one.start()]), _STANDS.get(one[0], one[0]))
        at = one.end()
    text = without_backtracking("".join(pieces) + re.escape(pattern[at:]))
    fits = foreign_patterns.compiled(text) if pattern.count("**/") <= _FOLDERS else None
    return sorted(one for one in paths if fits.fullmatch(one)) if fits is not None else []


def _below(pattern: str) -> str:
    folder, slash, name = pattern.rpartition("/")
    return f"{folder}{slash}**/{name}"
