"""A name that clang does not find in a class template whose base rests on a parameter, and that the base declares.

C++ looks for a plain name in no such base; Microsoft's compiler does, and nvcc with it. clang names the member where a
function is called, and says of a variable only that it is not declared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from cudamigrate.cuda.lexer import lex
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re

ADVICE = (
    "write `this->{}`: C++ looks for a plain name in no base class that rests on a template's parameter, "
    "and nvcc takes it too"
)
_UNDECLARED = re.compile(r"use of undeclared identifier '(\w+)'")
_CLASS = re.compile(rb"\b(?:class|struct)\s+(\w+)\s*(?:final\s*)?(?::(?!:)([^;{}()]*))?\{")
_BASE = re.compile(rb"(\w+)\s*<")
_METHOD = re.compile(rb"\b(\w+)\s*<[^;{}<>]*>\s*::\s*~?\w+\s*\([^;{}]*\)[^;{}]*\{")
"""The head of a method that is written outside of its class template."""
_DEPTH = 6


@dataclass(slots=True)
class Bases:
    """The classes of a tree: `text` gives the bytes of a file, and `own` are the files that may have them.

    A file is read once for all that is asked: a tree that does not compile has thousands of names not declared.
    """

    text: Callable[[str], bytes]
    own: Collection[str]
    _heads: dict[str, list[_Head]] = field(default_factory=dict)
    _defined: dict[bytes, list[tuple[str, _Head]]] | None = None

    def advice(self, message: str, path: str, line: int) -> str:
        """What to do about a name that is not declared in a line of a file; empty where it is no member of a base."""
        found = _UNDECLARED.match(message)
        data = self.text(path) if found is not None else b""
        if found is None or b"template" not in data:
            return ""
        lengths = [len(one) for one in data.splitlines(keepends=True)[:line]]
        start, end = sum(lengths[:-1]), sum(lengths)
        around = {one.name for one in self._heads_of(path) if one.start < end and one.closing >= start}
        seen = set[bytes]()
        asked = {base for name in around for _, one in self._classes(name) for base in one.bases}
        for _ in range(_DEPTH):
            listed = [one for name in sorted(asked - seen) for one in self._classes(name)]
            if any(_declares(self.text(where)[one.body : one.closing], found[1].encode()) for where, one in listed):
                return ADVICE.format(found[1])
            seen |= asked
            asked = {base for _, one in listed for base in one.bases}
        return ""

    def _classes(self, name: bytes) -> Sequence[tuple[str, _Head]]:
        """The classes of a name, each with its file."""
        if self._defined is None:
            self._defined = {}
            for path in self.own:
                for one in self._heads_of(path):
                    if one.is_class:
                        self._defined.setdefault(one.name, []).append((path, one))
        return self._defined.get(name, ())

    def _heads_of(self, path: str) -> list[_Head]:
        if path not in self._heads:
            self._heads[path] = list(_read(self.text(path)))
        return self._heads[path]


class _Head(NamedTuple):
    """A class, or a method outside of its class: the name of the class, its bases that rest on something, and where
    the head begins, and the body begins and ends."""

    name: bytes
    bases: tuple[bytes, ...]
    is_class: bool
    start: int
    body: int
    closing: int


def _read(data: bytes) -> Iterator[_Head]:
    if b"class" not in data and b"struct" not in data and b"::" not in data:
        return
    tokens = lex(data)
    for match in tokens.matches(_CLASS):
        bases = tuple(_BASE.findall(match[2] or b""))
        yield _Head(match[1], bases, True, match.start(), match.end(), tokens.closing(match.end() - 1))
    for match in tokens.matches(_METHOD):
        yield _Head(match[1], (), False, match.start(), match.end(), tokens.closing(match.end() - 1))


def _declares(body: bytes, name: bytes) -> bool:
    """Whether a class declares a member of a name."""
    return re.compile(rb"[\w>*&]\s*[ \t*&]" + re.escape(name) + rb"\s*[;,=\[({]").search(body) is not None
