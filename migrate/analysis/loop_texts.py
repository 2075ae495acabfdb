"""How a report quotes a loop: without comments, and a long one by its condition alone."""

from __future__ import annotations

from cudamigrate.lazy_re import re

_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_SHORT, _MOST = 100, 200
"""Bytes of a loop that is quoted as it is, and of a quotation."""


def quoted(loop: bytes) -> str:
    """The loop as a report quotes it: `while (!done[row]) { ... }` for one with a long body."""
    plain = b" ".join(_COMMENT.sub(b" ", loop).split())
    if len(plain) > _SHORT:
        last = plain.rfind(b"while")
        if plain.startswith(b"do") and last > 0:
            plain = b"do { ... } " + plain[last:]
        elif (end := _closing(plain)) > 0:
            plain = plain[:end] + b" { ... }"
    return plain[:_MOST].decode("utf-8", "replace")


def _closing(text: bytes) -> int:
    """Behind the bracket that closes the first one; -1 where none does."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == ord("(")) - (sign == ord(")"))
        if sign == ord(")") and depth == 0:
            return at + 1
    return -1
