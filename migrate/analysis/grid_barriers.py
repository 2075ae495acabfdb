"""Barriers of the whole grid: `grid.sync()` on a variable that is a grid's group, and `this_grid().sync()`."""

from __future__ import annotations

from cudamigrate.analysis.cooperative_groups import groups
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_MADE = re.compile(rb"\bthis_grid\s*\(\s*\)\s*\.\s*(?P<name>sync)\s*\(")
_HELD = re.compile(rb"(?<![\w.>:])(?P<group>[A-Za-z_]\w*)\s*\.\s*(?P<name>sync)\s*\(")
"""A barrier of a variable's; not on a member or qualified name, `a.b.sync(` (lookbehind)."""


def of(parsed: ParsedFile) -> list[re.Match[bytes]]:
    """The barriers of a file, in order, each up to its opening bracket."""
    return parsed.once(_read)


def within(parsed: ParsedFile, span: Span) -> bool:
    """Whether there is one in a range."""
    return any(span.start <= one.start() < span.end for one in of(parsed))


def _read(parsed: ParsedFile) -> list[re.Match[bytes]]:
    if not parsed.lexed.holds(b"sync"):
        return []
    known = groups(parsed)
    held = parsed.lexed.matches(_HELD, b"sync") if known.variables else ()
    found = [one for one in held if known.kind(one["group"], one.start()) == "grid"]
    return sorted([*found, *parsed.lexed.starting(_MADE, b"this_grid")], key=lambda one: one.start())
