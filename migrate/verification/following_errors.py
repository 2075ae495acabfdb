"""Errors that follow from an earlier one: a declaration that the compiler refuses leaves its names undeclared.

At `real x, y;` clang says `reference to 'real' is ambiguous`, and of each line with `x` that nothing declares it. What
is to be changed is the declaration alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.model.verification import UNDECLARED, Diagnostic, Place

_NO_TYPE = "a type specifier is required for all declarations"
"""What clang says at the name of a declaration that has no type."""
_REFUSED = re.compile(r"reference to '\w+' is ambiguous|unknown type name '|no (?:type|template) named '|" + _NO_TYPE)
"""How clang says that it makes nothing of the type of a declaration."""
_BROKEN_OFF = "expected ';'"
"""How it goes on where it did not read a declaration to its end."""
_ALIAS = re.compile(rb"\busing\s+(\w+)\s*=\s*(?:typename\s+)?(?:\w*\s*::\s*)*\Z")
"""What is before the type in a declaration of another name for it."""
_NAME = re.compile(rb"[A-Za-z_]\w*")
_ENDS = re.compile(rb"[;{]")
_LONGEST = 400
"""Bytes of a declaration that are read."""


def without(entries: Sequence[Diagnostic], text: Callable[[str], bytes]) -> list[Diagnostic]:
    """The complaints of a unit without those that follow from others among them; `text` gives the bytes of a file."""
    refused: dict[tuple[str, bytes], int] = {}
    broken: dict[str, set[int]] = {}
    for entry in entries:
        if entry.kind == "error" and entry.message == _NO_TYPE:
            broken.setdefault(entry.place.path, set()).add(entry.place.line)
        if entry.kind == "error" and _REFUSED.match(entry.message):
            for name in _declared(text(entry.place.path), entry.place, entry.message == _NO_TYPE):
                line = refused.get((entry.place.path, name), entry.place.line)
                refused[entry.place.path, name] = min(line, entry.place.line)
    return [entry for entry in entries if not refused or not _follows(entry, refused, broken)]


def _follows(entry: Diagnostic, refused: Mapping[tuple[str, bytes], int], broken: Mapping[str, set[int]]) -> bool:
    if entry.kind == "error" and entry.message.startswith(_BROKEN_OFF):
        return entry.place.line in broken.get(entry.place.path, ())
    match = UNDECLARED.match(entry.message) if entry.kind == "error" else None
    if match is None:
        return False
    line = refused.get((entry.place.path, match[1].encode()))
    return line is not None and line < entry.place.line


def _declared(data: bytes, place: Place, untyped: bool) -> Iterator[bytes]:
    """The names that a declaration gives to what is of the type at a place, or that begin there without one."""
    starts = SourceFile(place.path, data, "").line_starts()
    if not 0 < place.line <= len(starts):
        return
    start = starts[place.line - 1] + max(place.column, 1) - 1
    alias = _ALIAS.search(data, starts[place.line - 1], start)
    if alias is not None:
        yield alias[1]
        return
    end = _ENDS.search(data, start, start + _LONGEST)
    first, *others = data[start : end.start() if end is not None else start + _LONGEST].split(b",")
    yield from _nth(first, 0 if untyped else 1)
    for one in others:
        yield from _nth(one, 0)


def _nth(text: bytes, number: int) -> Iterable[bytes]:
    """A word of a declarator by its number, as far as it has one."""
    return _NAME.findall(text.partition(b"=")[0])[number : number + 1]
