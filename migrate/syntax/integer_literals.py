"""Integers as C and C++ spell them."""

from __future__ import annotations

from cudamigrate.lazy_re import re

_LITERAL = re.compile(rb"[-+]?(?:(0[xX][\da-fA-F]+)|(0[bB][01]+)|(0[0-7]*)|([1-9]\d*))[uUlLzZ]*")
_BASES = (16, 2, 8, 10)


def value(spelled: bytes) -> int | None:
    """The number that a literal stands for: `32u`, `0x20`, `040`, `1'024`; None for what is none, as `09` and `1.0`.

    A sign before it counts: syntax trees hold it as a part of the literal.
    """
    match = _LITERAL.fullmatch(spelled.replace(b"'", b"") if b"'" in spelled else spelled)
    if match is None or match.lastindex is None:
        return None
    number = int(match[match.lastindex], _BASES[match.lastindex - 1])
    return -number if spelled.startswith(b"-") else number
