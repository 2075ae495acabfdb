"""Class templates that a branch only specializes, and that have a definition for all other arguments beside it."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import WORD, Lexed, Token
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_CLASSES = (b"struct", b"class")
_PRIMARY = rb"\b(?:struct|class)\s+%b\s*(?:final\s*)?(?::[^;{}<]*(?:<[^;{}]*>)?\s*)?(?=\{)"
"""The definition of a class by its name, with no arguments behind that."""
_BEFORE = re.compile(rb"template\s*<[^;{}]*>\s*\Z")
_NEAR = 400


def primaries(parsed: ParsedFile, branch: Span) -> dict[str, Span]:
    """The templates that a branch specializes, with the bodies of their definitions for all arguments.

    Nothing where the branch has anything else, or where a definition is missing or in a conditional of its own.
    """
    found = dict[str, Span]()
    for name in _specialized(parsed.lexed, branch):
        body = _primary(parsed, name, branch) if name is not None else None
        if name is None or body is None:
            return {}
        found[name.decode("latin-1")] = body
    return found


def _specialized(lexed: Lexed, branch: Span) -> Iterator[bytes | None]:
    """The names of the class templates that a branch specializes; None for anything else in it."""
    token = lexed.token(branch.start)
    while token is not None and token.start < branch.end:
        name, end = _one(lexed, token, branch.end)
        yield name
        if name is None:
            return
        token = lexed.token(end)


def _one(lexed: Lexed, token: Token, limit: int) -> tuple[bytes | None, int]:
    """The name in `template <int N> struct Name<N, int> { };`, and where that ends."""
    opening = lexed.after(token)
    if lexed.text(token) != b"template" or opening is None or lexed.text(opening) != b"<":
        return None, limit
    kind = lexed.token(lexed.angle_closing(opening.start, limit) + 1)
    name = lexed.after(kind)
    given = lexed.after(name)
    if lexed.text(kind) not in _CLASSES or name is None or name.kind != WORD or lexed.text(given) != b"<":
        return None, limit
    brace = lexed.data.find(b"{", name.end, limit)
    closing = lexed.closing(brace) if brace >= 0 else -1
    last = lexed.token(closing + 1) if closing >= 0 else None
    if last is None or lexed.text(last) != b";" or b";" in lexed.data[name.end : brace]:
        return None, limit
    return lexed.text(name), last.end


def _primary(parsed: ParsedFile, name: bytes, branch: Span) -> Span | None:
    """The body of a class template's own definition, where the branch's own conditionals alone decide on it."""
    around = {(one.start, one.end) for one in parsed.branches_around(branch.start - 1)}
    for match in parsed.lexed.matches(re.compile(_PRIMARY % re.escape(name)), name):
        closing = parsed.lexed.closing(match.end())
        before = parsed.data[max(0, match.start() - _NEAR) : match.start()]
        ours = {(one.start, one.end) for one in parsed.branches_around(match.start())}
        if closing > 0 and _BEFORE.search(before) is not None and ours <= around:
            return Span(match.end(), closing)
    return None
