"""Values that a shell is given without quotes, as `FLAGS=-g` or `make FLAGS=-g`: a blank would end them.

Source: POSIX, "Shell Command Language", 2.2 and 2.9.1: unquoted blanks part words, and what follows an assignment is
the command to run.
"""

from __future__ import annotations

from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_SHELLS = ("shell", "docker", "yaml", "conda", "autotools", "devcontainer", "systemd")
"""Languages in which such a value is the shell's; in a Makefile it is in a recipe alone."""
_ASSIGNS = re.compile(rb"(?:\A|[\s;&|(`\[\"'])(?:-D)?[A-Za-z_]\w*\+?=\Z")
_ENDS = re.compile(rb"[\s;&|)`\]\"']|\Z")
_ESCAPED = re.compile(rb"\\.", re.DOTALL)
_LONGEST = 100


def is_bare(data: bytes, language: str, span: Span) -> bool:
    """Whether what is in `span` is all of a value that a shell is given without quotes."""
    line = data.rfind(b"\n", 0, span.start) + 1
    if language not in _SHELLS and not (language == "make" and data.startswith(b"\t", line)):
        return False
    start = max(line, span.start - _LONGEST)
    return _ASSIGNS.search(data[start : span.start]) is not None and _ENDS.match(data, span.end) is not None


def quote(data: bytes, span: Span) -> str:
    """The quote that may hold a value there: that which is not open on its line; empty where both are."""
    before = _ESCAPED.sub(b"", data[data.rfind(b"\n", 0, span.start) + 1 : span.start])
    return next((mark for mark in ('"', "'") if before.count(mark.encode()) % 2 == 0), "")
