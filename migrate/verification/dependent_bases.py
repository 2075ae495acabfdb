"""A name that clang does not find in a class template whose base rests on a parameter, and that the base declares.

C++ looks for a plain name in no such base; Microsoft's compiler does, and nvcc with it. clang names the member where a
function is called, and says of a variable only that it is not declared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from cudamigrate.cuda.lexer import lex
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


def advice(message: str, path: str, line: int, text: Callable[[str], bytes], own: Collection[str]) -> str:
    """What to do about a name that is not declared; empty where it is no member of a base.

    `line` is of the file at `path`, `text` gives the bytes of a file, and `own` are the files that may have the base.
    """
    found = _UNDECLARED.match(message)
    data = text(path) if found is not None else b""
    if found is None or b"template" not in data:
        return ""
    lengths = [len(one) for one in data.splitlines(keepends=True)[:line]]
    around, seen = set(_around(data, sum(lengths[:-1]), sum(lengths))), set[bytes]()
    asked = {base for name in around for _, bases in _defined(name, text, own) for base in bases}
    for _ in range(_DEPTH):
        listed = [one for name in sorted(asked - seen) for one in _defined(name, text, own)]
        if any(_declares(body, found[1].encode()) for body, _ in listed):
            return ADVICE.format(found[1])
        seen |= asked
        asked = {base for _, bases in listed for base in bases}
    return ""


def _around(data: bytes, start: int, end: int) -> Iterator[bytes]:
    """The classes whose bodies, or whose methods outside of them, are in a line."""
    tokens = lex(data)
    for pattern in (_CLASS, _METHOD):
        for match in tokens.matches(pattern):
            if match.start() < end and tokens.closing(match.end() - 1) >= start:
                yield match[1]


def _defined(name: bytes, text: Callable[[str], bytes], own: Collection[str]) -> Iterator[tuple[bytes, list[bytes]]]:
    """The bodies of the classes of a name, and the bases of each that rest on something."""
    for path in own:
        data = text(path)
        if name not in data:
            continue
        tokens = lex(data)
        for match in tokens.matches(_CLASS):
            if match[1] == name:
                yield data[match.end() : tokens.closing(match.end() - 1)], _BASE.findall(match[2] or b"")


def _declares(body: bytes, name: bytes) -> bool:
    """Whether a class declares a member of a name."""
    return re.compile(rb"[\w>*&]\s*[ \t*&]" + re.escape(name) + rb"\s*[;,=\[({]").search(body) is not None
