"""C++ source bytes -> where comments and literals stand."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from cudamigrate.lazy_re import re

_LITERAL = re.compile(
    rb"""//[^\n\\]*(?:\\(?:\r?\n|.)?[^\n\\]*)*|/\*.*?(?:\*/|\Z)"""
    rb"""|"(?:(?<=R")(?<!\wR")|(?<=[8uUL]R"))(?P<mark>[^\s()\\]{0,16})\("""
    rb"""|"(?:[^"\\\n]|\\(?:\r\n|.))*(?:"|(?=\n)|\Z)|'(?:(?<![0-9]')|(?<=u8'))(?:[^'\\\n]|\\.)+'""",
    re.DOTALL,
)
"""Comments and literals; each alternative begins with one fixed byte, which is what makes the search quick. Of a raw
string it is the beginning."""
_PLAIN = re.compile(rb"""\"(?:[^"\\\n]|\\(?:\r\n|.))*(?:"|(?=\n)|\Z)""", re.DOTALL)
_CLOSING = re.compile(rb"""\)([^\s()\\"]{0,16})\"""")
"""What ends a raw string: `)mark"`."""


def literals(data: bytes) -> list[tuple[int, int]]:
    """The ranges of comments and literals; a raw string that is not closed is read as if it were none."""
    if b'R"' not in data:
        return [match.span() for match in _LITERAL.finditer(data)]
    found: list[tuple[int, int]] = []
    closings, at = _closings(data), 0
    while (match := _LITERAL.search(data, at)) is not None:
        start, at = match.span()
        if match["mark"] is not None:
            at = _end_of_raw(data, match["mark"], at, closings)
            if at < 0:
                plain = _PLAIN.match(data, start)
                at = plain.end() if plain is not None else start + 1
                if plain is None:
                    continue
        found.append((start, at))
    return found


def _end_of_raw(data: bytes, mark: bytes, start: int, closings: dict[bytes, list[int]]) -> int:
    """Where a raw string ends whose text begins at `start`; -1 where it is not closed."""
    if b'"' in mark:  # it may, and never does
        end = data.find(b")" + mark + b'"', start)
    else:
        ends = closings.get(mark, [])
        number = bisect_left(ends, start)
        end = ends[number] if number < len(ends) else -1
    return end + len(mark) + 2 if end >= 0 else -1


def _closings(data: bytes) -> dict[bytes, list[int]]:
    """Where raw strings may end, by their marks: looked for once, since each may be open to the end of the file."""
    found: dict[bytes, list[int]] = {}
    for match in _CLOSING.finditer(data):
        found.setdefault(match[1], []).append(match.start())
    return found


def begins(starts: Sequence[int], offset: int) -> bool:
    """Whether a comment or literal begins at a place; `starts` are where all do, in order."""
    at = bisect_left(starts, offset)
    return at < len(starts) and starts[at] == offset
