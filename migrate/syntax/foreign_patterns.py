"""Regular expressions that a scanned file holds: compiled where they are read, as they may be none of Python's.

One may also take hours of a hostile name: with a repetition of what repeats, or with many side by side.
"""

from __future__ import annotations

from cudamigrate.lazy_re import re

_ESCAPED = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
"""An escaped character, or a set of characters: a sign in it repeats nothing."""
_REPEATED_GROUP = re.compile(r"\)(?:[*+]|\{)")
_MOST = 3
"""Repetitions without an end in an expression: each more lets the time of a long name grow by a power."""


def compiled(text: str) -> re.Pattern[str] | None:
    """The expression; None where it is none."""
    try:
        made = re.compile(text)
        return made if made.groups >= 0 else None  # asked something, so that it is compiled here
    except (re.error, RecursionError, OverflowError):
        return None


def compiled_if_quick(text: str) -> re.Pattern[str] | None:
    """The expression; None where it is none, or may take more than a power of a name's length."""
    bare = _ESCAPED.sub("", text)
    repeats = bare.count("*") + bare.count("+") + bare.count("{")
    if repeats > _MOST or (repeats > 1 and _REPEATED_GROUP.search(bare)):
        return None
    return compiled(text)
