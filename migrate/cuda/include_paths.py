"""Which file of a repository an include means, as far as the paths of the files tell, and what a file includes in all.

All that follows includes through a repository asks here. A compiler looks beside the including file for what is in
quotes, then in the folders that the build names. Where nobody says which those are, a file is meant whose path ends in
what the include spells, and of several the nearest one.
"""

from __future__ import annotations

import itertools
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from cudamigrate.cuda.code_files import configured, copied
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import utf8

_INCLUDE = re.compile(utf8.MARK + rb"[ \t]*#[ \t]*include[ \t]*([<\"])([^>\"\n]+)[>\"]")
"""A line `#include <a.h>` or `"a.h"`: the first sign says where the file is looked for. A byte order mark may be
before the first line."""
_SYSTEM = (
    "assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdalign|stdarg|stdatomic"
    "|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|tgmath|threads|time|uchar|wchar|wctype|malloc|memory"
    "|alloca|dirent|dlfcn|fcntl|getopt|poll|pthread|pwd|regex|sched|search|semaphore|strings|syslog|termios|unistd"
)
STANDARD = frozenset(f"{name}.h" for name in _SYSTEM.split("|"))
"""The headers of C's standard, of POSIX and of old systems, `memory.h`: in `<>` the system's own."""
_ANSWERS = 10_000
"""Answers that are kept, so that memory does not grow with the tree."""


def spelled(data: bytes) -> Iterator[tuple[str, bool, Span]]:
    """The headers that a text includes, as it spells them, each with whether it is in quotes, and its place.

    Whether a conditional leaves it out is not asked.
    """
    at = data.find(b"include")
    while at >= 0:
        match = _INCLUDE.match(data, data.rfind(b"\n", 0, at) + 1)
        if match is not None:
            yield match[2].decode("utf-8", "replace"), match[1] == b'"', Span(*match.span(2))
        end = data.find(b"\n", at)
        at = data.find(b"include", end) if end >= 0 else -1


def is_below(path: str, folder: str) -> bool:
    """Whether a file or folder of a repository is in one of its folders, at any depth; the root's name is empty."""
    return not folder or path.startswith(f"{folder}/")


class IncludePaths:
    """The paths of a repository's files, relative to its root and with `/`, to be asked what an include means."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = paths if isinstance(paths, frozenset) else frozenset(paths)
        self._named: dict[str, str | list[str]] | None = None
        """The paths by their last parts: most have one of their own, and lists would take more than the paths."""
        self._made: dict[str, list[str]] = {}
        self._nearest: dict[tuple[str, str], list[str]] = {}
        """What was answered: the files of a folder include the same ones over and over."""

    def beside(self, path: str, name: str) -> str:
        """The file that `name` is from the folder of `path`, empty if none; `\\` parts folders, as for MSVC."""
        found = posixpath.normpath(posixpath.join(posixpath.dirname(path), name.replace("\\", "/")))
        return found if found in self.paths else ""

    def ending(self, name: str) -> list[str]:
        """The files whose paths end in what an include spells, sorted; `./` and `../` before it tell no folder.

        Where there is none, the files that the build makes one of that name from, in whatever folder.
        """
        if self._named is None:
            self._named = {}
            for path in sorted(self.paths):
                last = path.rpartition("/")[2]
                first = self._named.setdefault(last, path)
                if isinstance(first, list):
                    first.append(path)
                elif first is not path:
                    self._named[last] = [first, path]
                if made := configured(path) or copied(path):
                    self._made.setdefault(made.rpartition("/")[2], []).append(path)
        spelled = posixpath.normpath(name.replace("\\", "/")).lstrip("/")
        while spelled.startswith("../"):
            spelled = spelled.removeprefix("../")
        name = spelled.rpartition("/")[2]
        known = self._named.get(name, ())
        found = [one for one in ((known,) if isinstance(known, str) else known) if f"/{one}".endswith(f"/{spelled}")]
        return found or self._made.get(name, [])

    def possible(self, path: str, name: str) -> list[str]:
        """All files that an include in `path` may mean: the one beside it, else those whose paths end so."""
        beside = self.beside(path, name)
        return [beside] if beside else self.ending(name)

    def nearest(self, path: str, name: str) -> list[str]:
        """The file that an include in `path` most likely means; several where they are as near, and none it may be."""
        asked = path.rpartition("/")[0], name  # all that counts of a path is its folder
        found = self._nearest.get(asked)
        if found is None:
            if len(self._nearest) >= _ANSWERS:
                self._nearest.clear()
            found = self._nearest[asked] = nearest(path, self.possible(path, name))
        return found


class IncludeGraph:
    """Which files of a repository include which: `spelled` has, by path, what the includes of a file spell.

    Of the files that an include may mean, the nearest are taken; with `every` all of them, where none is to be missed.
    """

    def __init__(self, spelled: Mapping[str, Iterable[str]], every: bool = False) -> None:
        self.spelled = spelled
        self._tree = IncludePaths(spelled)
        self._meant = self._tree.possible if every else self._tree.nearest
        self._of: dict[str, list[str]] = {}

    def of(self, path: str) -> list[str]:
        """The files that a file includes itself."""
        if path not in self._of:
            self._of[path] = [found for name in self.spelled.get(path, ()) for found in self._meant(path, name)]
        return self._of[path]

    @cached_property
    def users(self) -> Mapping[str, frozenset[str]]:
        """For each file that is included, those that include it themselves."""
        into: dict[str, set[str]] = {}
        for path, names in self.spelled.items():
            for other in self.of(path) if names else ():  # most files of a large tree include none of its
                into.setdefault(other, set()).add(path)
        return {path: frozenset(found) for path, found in into.items()}

    def below(self, start: Iterable[str]) -> frozenset[str]:
        """The files, and all that they include, through others too."""
        return closure(start, self.of)

    def above(self, start: Iterable[str]) -> frozenset[str]:
        """The files, and all that include them, through others too."""
        return closure(start, lambda path: self.users.get(path, ()))

    def together(self, start: Iterable[str]) -> frozenset[str]:
        """The files that are read together with some: themselves, all that include them, and all that those include."""
        return self.below(self.above(start))


def nearest(path: str, found: Sequence[str]) -> list[str]:
    """Those of the files that the fewest folders part from `path`, in the order given."""
    if len(found) < 2:
        return list(found)
    least = min(_distance(path, one) for one in found)
    return [one for one in found if _distance(path, one) == least]


def closure(start: Iterable[str], included: Callable[[str], Iterable[str]]) -> frozenset[str]:
    """The files to start with, and all that `included` leads to from them, through others too."""
    seen = set(start)
    waiting = sorted(seen)
    while waiting:
        new = dict.fromkeys(other for other in included(waiting.pop()) if other not in seen)
        seen.update(new)
        waiting.extend(new)
    return frozenset(seen)


def shared_folder(one: str, other: str) -> str:
    """The innermost folder that holds both files, empty for the root of the repository."""
    pairs = zip(one.split("/")[:-1], other.split("/")[:-1], strict=False)
    return "/".join(left for left, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def _distance(one: str, other: str) -> int:
    """How many folders lie between two files."""
    shared = shared_folder(one, other)
    return one.count("/") + other.count("/") - 2 * (shared.count("/") + 1 if shared else 0)
