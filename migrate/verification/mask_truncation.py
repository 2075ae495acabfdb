"""Lane masks cut to 32 bits: which of a compiler's complaints about a shortened integer are about one.

Result: whether what is converted is a mask of lanes. Most such conversions are sizes and indices, and harmless; a lane
mask loses half a wave.
"""

from __future__ import annotations

from collections.abc import Callable

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import Diagnostic, Place

_VOTE = re.compile(rb"\b__(?:ballot|activemask|match_a(?:ny|ll)|lanemask_\w+)\w*\s*\(")
"""A call whose result is a mask of lanes: `__ballot_sync(`, `__activemask(`, `__match_any(`, `__lanemask_lt(`."""
_NAME = re.compile(rb"[A-Za-z_]\w*")
_REACH = 12_000
"""Bytes before the place in which a variable's value is looked for: about a function."""

CUT = "a lane mask of 64 bits is cut to 32: the upper half of the wave is lost"
"""What is said of such a conversion."""


def told(entry: Diagnostic, text: Callable[[str], bytes]) -> Diagnostic | None:
    """A conversion to 32 bits in words that say what is lost; None where it is not about lanes.

    `text` gives the bytes of a file. A complaint of another kind stays as it is.
    """
    if entry.kind != "mask":
        return entry
    if not is_cut(text(entry.place.path), entry.place):
        return None
    return replace(entry, message=CUT)


def is_cut(data: bytes, place: Place) -> bool:
    """True where the expression at `place` is a vote's result, or a variable that was given one just before."""
    lines = data.split(b"\n")
    if not 0 < place.line <= len(lines):
        return False
    start = sum(len(line) + 1 for line in lines[: place.line - 1]) + place.column - 1
    expression = _expression(data, start)
    if _VOTE.search(expression):
        return True
    before = data[max(0, start - _REACH) : start]
    if _VOTE.search(before) is None:  # most complaints are about sizes
        return False
    return any(_given_vote(before, match[0]) for match in _NAME.finditer(expression))


def _expression(data: bytes, start: int) -> bytes:
    """The text from `start` to the end of its expression: a comma, semicolon or closing bracket of what is around."""
    depth = 0
    for at in range(start, min(len(data), start + 2000)):
        byte = data[at]
        if byte in b"([{":
            depth += 1
        elif byte in b")]}":
            depth -= 1
            if depth < 0:
                return data[start:at]
        elif byte in b";," and depth == 0:
            return data[start:at]
    return data[start : start + 2000]


def _given_vote(before: bytes, name: bytes) -> bool:
    """True where the last assignment to `name` holds a vote."""
    found = list(re.finditer(rb"\b" + re.escape(name) + rb"\s*(?:[&|^]?=)(?!=)([^;]*);", before))
    return bool(found) and _VOTE.search(found[-1][1]) is not None
