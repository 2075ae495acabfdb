"""Whether all that a branch does is to stop or to complain: `#error`, a trap, a status that says "not supported".

A stop that no condition decides ends the branch, so that nothing else of it counts. A message, or a stop behind a
condition, does not: the branch calculates what its other statements do.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.branch_effects import code, directives, is_zero, statements
from cudamigrate.cuda.branch_writes import behind_heads, written
from cudamigrate.cuda.lexer import Lexed
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_STOP = (
    rb"\bstatic_assert\s*\(\s*false|\bassert\s*\(\s*(?:0|false)|\b__trap\s*\(|\btrap;|\bthrow\b"
    rb"|\b\w*(?:NOT_SUPPORTED|NotSupported|not_supported|NOT_IMPLEMENTED|UNREACHABLE|unreachable|INVALID_CONTROL)\w*"
)
"""`static_assert(false`, `__trap(`, or a name such as `NOT_SUPPORTED`."""
_REFUSAL = re.compile(rb"#[ \t]*error|\bprintf\s*\(|" + _STOP)
"""What stops or complains."""
_STOPS = re.compile(_STOP)
_HEADS = (b"if", b"else", b"for", b"while", b"do", b"switch", b"case", b"default")
_MOST = 2
"""Statements of a branch that may be a refusal: longer ones do more."""


def refuses(lexed: Lexed, branch: Span) -> bool:
    """Whether a short branch does nothing but stop or complain."""
    match = _REFUSAL.search(lexed.data, branch.start, branch.end)
    if match is None or not lexed.is_code(match.start()):
        return False
    words = list(code(lexed, branch))
    if sum(word == b";" for word in words) > _MOST:
        return False
    return _always_stops(lexed, branch, words) or not _works(words)


def _always_stops(lexed: Lexed, branch: Span, words: Sequence[bytes]) -> bool:
    """Whether a branch comes to an error or a trap whatever the values are."""
    inside = directives(lexed, branch)
    if any(one.name.startswith("if") for one in inside):
        return False
    stops = (_STOPS.search(b" ".join(one)) is not None for one in statements(iter(words)) if one[0] not in _HEADS)
    return any(one.name == "error" for one in inside) or any(stops)


def _works(words: Sequence[bytes]) -> bool:
    """Whether a statement writes something, or returns what is neither a zero nor a refusal."""
    if any(True for _ in written(words)):
        return True
    returned = (rest for rest in map(behind_heads, statements(iter(words))) if rest[:1] == [b"return"])
    return any(not is_zero(rest[1:]) and _STOPS.search(b" ".join(rest)) is None for rest in returned if rest[1:])
