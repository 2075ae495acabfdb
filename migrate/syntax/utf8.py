"""Bytes -> characters of the same length: places in a text are places in its file, whatever the file is encoded in."""

from __future__ import annotations

from cudamigrate.lazy_re import re

_ESCAPED = re.compile("[\udc80-\udcff]")
_MARK = b"\xef\xbb\xbf"
MARK = rb"(?:%b)?" % _MARK
"""The mark in a pattern, before what begins a line: it may be there before the first."""


def start(data: bytes) -> int:
    """Where the text of a file begins: behind the mark that some editors put before it."""
    return len(_MARK) if data.startswith(_MARK) else 0


def text(data: bytes) -> str:
    """The characters of UTF-8; a byte that is no part of one is `?`, so that what is encoded again is as long."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return _ESCAPED.sub("?", data.decode("utf-8", "surrogateescape"))
