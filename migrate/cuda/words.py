"""Bytes of source -> the words in them: the fastest look at what a file holds, comments and literals included."""

from __future__ import annotations

from functools import cache

_SEPARATED = bytes(byte if (chr(byte).isalnum() and byte < 128) or byte == 95 else 32 for byte in range(256))
"""Translates all that is in no word into blanks."""


def vocabulary(data: bytes) -> set[bytes]:
    """The words of a text, numbers among them."""
    return set(data.translate(_SEPARATED).split())


@cache
def longest_word(part: bytes) -> bytes:
    """What of a text is within one word."""
    return max(part.translate(_SEPARATED).split(), key=len, default=b"")
