"""Macros that may open a namespace around what is behind them: `LIB_NAMESPACE_BEGIN` alone on its line."""

from __future__ import annotations

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re

_ALONE = re.compile(rb"^[ \t]*[A-Z][A-Z0-9_]+[ \t]*(?:\([^(){};]*\)[ \t]*)?\r?$", re.MULTILINE)
"""A line that is a macro alone."""


def may_be_inside(parsed: ParsedFile, offset: int) -> bool:
    """Whether a macro alone on its line before a place, in no body of a function, may have opened a namespace."""
    lines = (match for match in parsed.lexed.matches(_ALONE) if match.start() < offset)
    starts = (match.start() + len(match[0]) - len(match[0].lstrip()) for match in lines)
    return any(_is_outside(parsed, at) and parsed.lexed.directive_at(at) is None for at in starts)


def _is_outside(parsed: ParsedFile, offset: int) -> bool:
    """Whether a place is in no function, or before its body: the grammar takes such a macro for a type."""
    function = parsed.function(offset)
    return function is None or offset < function.body.start
