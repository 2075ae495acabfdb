"""Tokens -> where kernels are launched: the signs `<<<` and what closes them, without a tree."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import WORD, Lexed
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_CHEVRONS = re.compile(rb"<<[ \t\r\n\\]*<")
_LAUNCH_PART = re.compile(rb"[()\[\]{};]|>[\s\\]*>[\s\\]*>")


def launch_places(lexed: Lexed) -> Iterator[tuple[Span, int]]:
    """The signs that open launch configurations, `<<<`, each with the offset just after what closes it."""
    for match in lexed.matches(_CHEVRONS):
        closed = _launch_end(lexed, match.end())
        if closed >= 0:
            yield Span(*match.span()), closed


def _launch_end(lexed: Lexed, at: int) -> int:
    """Offset just after the `>>>` that closes a launch configuration opened before `at`, or -1."""
    while (match := _LAUNCH_PART.search(lexed.data, at)) is not None:
        if (another := lexed.data.find(b"<<<", at, match.start())) >= 0 and lexed.is_code(another):
            return -1  # so that a long row of them is not read once for each
        at = match.end()
        if not lexed.is_code(match.start()):
            continue
        if match[0] in (b"(", b"[", b"{"):
            at = lexed.closing(match.start()) + 1
            if at <= 0:
                return -1
        elif match[0] in (b";", b")", b"}"):
            return -1
        elif lexed.text(lexed.token(match.end())) == b"(":
            return match.end()
        else:
            at = match.start() + 1
    return -1


def kernel(lexed: Lexed, at: int) -> str:
    """Name of the launched kernel, its template arguments left out."""
    token, depth = lexed.before(at), 0
    while token is not None and (depth or lexed.text(token) == b">"):
        depth += {b">": 1, b"<": -1}.get(lexed.text(token), 0)
        token = lexed.before(token.start)
    return lexed.text(token).decode("latin-1") if token is not None and token.kind == WORD else ""
