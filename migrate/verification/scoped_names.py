"""Names that clang finds no declaration of, and that the same function declares: behind their use, or in another scope.

No build gives such a name: what is to be changed is the code, which no compiler takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from cudamigrate.cuda.lexer import WORD, Lexed, lex
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.model.verification import NOWHERE, Place

NONE = "no compiler takes it"
_HELD = 16
"""Files that are held: what is said of a unit is said of few."""
_SAID = re.compile(rf"(?:{'|'.join(NOWHERE)}) '(\w+)'")
_NO_TYPES = frozenset((b"return", b"else", b"case", b"goto", b"delete", b"new", b"throw", b"sizeof", b"do", b"in"))
"""Words before a name that are no type of it."""
_AFTER = frozenset((b"=", b";", b",", b"[", b"{", b")", b":"))
"""What follows the name in a declaration."""
_OPENS = re.compile(rb"[({]")


def advice(message: str, place: Place, text: Callable[[str], bytes]) -> str:
    """What is wrong at a place of the original, empty where its function declares no such name, or it is seen.

    `text` gives the bytes of a file.
    """
    match = _SAID.fullmatch(message)
    if match is None:
        return ""
    file = _read(text(place.path))
    lexed = file.lexed
    if not 0 < place.line <= len(file.starts):
        return ""
    at = file.starts[place.line - 1] + max(place.column, 1) - 1
    first, last = next(((start, end) for start, end in file.bodies if start < at < end), (at, at))
    around = {part for part in file.branches if part[0] <= at < part[1]}
    found = [
        one
        for one in _declared(lexed, match[1].encode(), first, last)
        if {part for part in file.branches if part[0] <= one < part[1]} <= around
    ]
    if not found or any(one < at < _scope_end(lexed, one, first) for one in found):
        return ""  # in scope: what clang could not read before it is the cause
    later = found[0] > at
    line = lexed.data.count(b"\n", 0, found[0]) + 1
    why = "behind its use" if later else "in another scope"
    return f"`{match[1]}` is declared in line {line}, {why}: {NONE}; move the declaration"


def is_local(message: str, place: Place, text: Callable[[str], bytes]) -> bool:
    """Whether the name that clang finds no declaration of is one that the file declares in bodies of functions alone.

    A header that the original lacks is not what declares such a name.
    """
    match = _SAID.fullmatch(message)
    if match is None:
        return False
    file = _read(text(place.path))
    found = list(_declared(file.lexed, match[1].encode(), -1, len(file.lexed.data)))
    return bool(found) and all(any(start < one < end for start, end in file.bodies) for one in found)


class _File(NamedTuple):
    """A file as it is asked about: its tokens, where lines begin, branches of conditionals, and bodies of functions."""

    lexed: Lexed
    starts: Sequence[int]
    branches: frozenset[tuple[int, int]]
    bodies: Sequence[tuple[int, int]]


@lru_cache(_HELD)
def _read(data: bytes) -> _File:
    lexed = lex(data)
    ranges = frozenset((one.start, one.end) for one in branches(lexed, ()))
    return _File(lexed, SourceFile("", data, "").line_starts(), ranges, list(_bodies(lexed)))


def _bodies(lexed: Lexed) -> Iterator[tuple[int, int]]:
    """Where what braces hold behind a parenthesis begins and ends, outer ones first: bodies of functions, loops."""
    place = lexed.data.find(b"{")
    while place >= 0:
        if lexed.is_code(place) and lexed.text(lexed.before(place)) == b")":
            yield place, lexed.closing(place)
        place = lexed.data.find(b"{", place + 1)


def _scope_end(lexed: Lexed, declared: int, first: int) -> int:
    """Where what is declared at a place goes out of scope: with the braces around, or those behind a loop's head."""
    around = [one for one in _opened(lexed, first, declared) if lexed.closing(one) > declared]
    if not around:
        return declared
    if lexed.data[around[-1] : around[-1] + 1] == b"{":
        return lexed.closing(around[-1])
    body = lexed.token(lexed.closing(around[-1]) + 1)
    return lexed.closing(body.start) if body is not None and lexed.text(body) == b"{" else declared


def _opened(lexed: Lexed, start: int, end: int) -> Iterator[int]:
    """The brackets, round and curly, that open in a range of code."""
    return (one.start() for one in _OPENS.finditer(lexed.data, start, end) if lexed.is_code(one.start()))


def _declared(lexed: Lexed, name: bytes, first: int, last: int) -> Iterator[int]:
    """Where a range declares a name as a variable."""
    for place in lexed.words(frozenset((name,))):
        before, token = lexed.before(place), lexed.token(place)
        if not first < place < last or before is None or lexed.directive_at(place) is not None:
            continue
        typed = before.kind == WORD and lexed.text(before) not in _NO_TYPES
        if typed and lexed.text(lexed.after(token)) in _AFTER:
            yield place
