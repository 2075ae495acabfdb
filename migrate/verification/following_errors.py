"""Errors that follow from an earlier one: a declaration that the compiler refuses leaves its names undeclared.

At `real x, y;` clang says `reference to 'real' is ambiguous`, and of each line with `x` that nothing declares it. What
is to be changed is the declaration alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.model.verification import UNDECLARED, Diagnostic, Place

_REFUSED = re.compile(r"reference to '\w+' is ambiguous|unknown type name '|no (?:type|template) named '")
"""How clang says that it makes nothing of the type of a declaration."""
_NAME = re.compile(rb"[A-Za-z_]\w*")
_ENDS = re.compile(rb"[;{]")
_LONGEST = 400
"""Bytes of a declaration that are read."""


def without(entries: Sequence[Diagnostic], text: Callable[[str], bytes]) -> list[Diagnostic]:
    """The complaints of a unit without those that follow from others among them; `text` gives the bytes of a file."""
    refused: dict[tuple[str, bytes], int] = {}
    for entry in entries:
        if entry.kind == "error" and _REFUSED.match(entry.message):
            for name in _declared(text(entry.place.path), entry.place):
                line = refused.get((entry.place.path, name), entry.place.line)
                refused[entry.place.path, name] = min(line, entry.place.line)
    return [entry for entry in entries if not refused or not _follows(entry, refused)]


def _follows(entry: Diagnostic, refused: dict[tuple[str, bytes], int]) -> bool:
    match = UNDECLARED.match(entry.message) if entry.kind == "error" else None
    if match is None:
        return False
    line = refused.get((entry.place.path, match[1].encode()))
    return line is not None and line < entry.place.line


def _declared(data: bytes, place: Place) -> Iterator[bytes]:
    """The names that a declaration gives to what is of the type at a place."""
    starts = SourceFile(place.path, data, "").line_starts()
    if not 0 < place.line <= len(starts):
        return
    start = starts[place.line - 1] + max(place.column, 1) - 1
    end = _ENDS.search(data, start, start + _LONGEST)
    first, *others = data[start : end.start() if end is not None else start + _LONGEST].split(b",")
    yield from _nth(first, 1)
    for one in others:
        yield from _nth(one, 0)


def _nth(text: bytes, number: int) -> Iterable[bytes]:
    """A word of a declarator by its number, as far as it has one."""
    return _NAME.findall(text.partition(b"=")[0])[number : number + 1]
