"""A CMake file -> its tokens and commands, as the manual `cmake-language(7)` defines them.

Never raises on any bytes: what fits nothing is a token of its own, by which a damaged file differs from a sound one.
No grammar of tree-sitter is used: that for CMake has no wheels for Linux or macOS, and would need a compiler there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_PLAIN = rb"\$\(\w*\)|[^\s()#\"\\]|\\[^\n]"
_TOKEN = re.compile(
    rb"(?P<blank>\s+)"
    rb"|(?P<comment>\#(?!\[=*\[)[^\n]*)"
    rb"|(?P<open>\()|(?P<close>\))"
    rb'|(?P<quoted>"(?:[^"\\]|\\.)*")'
    rb"|(?P<plain>(?:%s)(?:%s|\"(?:%s|[ \t])*\")*)" % (_PLAIN, _PLAIN, _PLAIN),
    re.DOTALL,
)
"""A token. An argument without quotes may hold quoted text and calls of `make` further on, which CMake reads for the
sake of old files: `-DNAME="a b"`, `-L$(DIR)`."""
_BRACKET = re.compile(rb"\#?\[(=*)\[")
"""What opens `[[text]]` or `[=[text]=]`, and with a `#` before it a comment of several lines."""
_NAME = re.compile(rb"[A-Za-z_]\w*")
_ARGUMENTS = ("quoted", "bracket", "plain")


class Token(NamedTuple):
    """`kind` is `comment`, `open`, `close`, `quoted`, `bracket`, `plain`, or `stray` for what fits nothing."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Statement:
    """A command as it is written: its name, the whole of it, and its arguments, those in inner parentheses as well."""

    name: Span
    span: Span
    arguments: tuple[Token, ...]


def tokens(data: bytes) -> Iterator[Token]:
    """The tokens of a file, blanks left out."""
    at = 0
    unclosed: set[bytes] = set()
    while at < len(data):
        start = at
        kind, at = _bracket(data, start, unclosed)
        if not kind:
            found = _TOKEN.match(data, start)
            kind, at = (str(found.lastgroup), found.end()) if found is not None else ("stray", start + 1)
        if kind != "blank":
            yield Token(kind, start, at)


def _bracket(data: bytes, start: int, unclosed: set[bytes]) -> tuple[str, int]:
    """Kind and end of the bracket at `start`; no kind where there is none. `unclosed` are ends that are not there."""
    found = _BRACKET.match(data, start)
    if found is None or found[1] in unclosed:
        return "", start
    end = data.find(b"]%s]" % found[1], found.end())
    if end < 0:
        unclosed.add(found[1])
        return "", start
    return "comment" if data.startswith(b"#", start) else "bracket", end + len(found[1]) + 2


def read(data: bytes) -> tuple[list[Statement], int]:
    """The commands in order, and how many bytes are part of none and no comment.

    A parenthesis that nothing closes, or a quote, ends no command: the tokens behind the name are read as any others.
    """
    listed = list(tokens(data))
    closings = _closings(listed)
    statements, stray, at = [], 0, 0
    while at < len(listed):
        token = listed[at]
        closed = closings.get(at + 1, 0) if _names(data, listed, at) else 0
        if closed:
            name = Span(token.start, token.end)
            inside = listed[at + 2 : closed]
            arguments = tuple(one for one in inside if one.kind in _ARGUMENTS)
            statements.append(Statement(name, Span(token.start, listed[closed].end), arguments))
            stray += sum(one.end - one.start for one in inside if one.kind == "stray")
            at = closed
        elif token.kind != "comment":
            stray += token.end - token.start
        at += 1
    return statements, stray


def _names(data: bytes, listed: list[Token], at: int) -> bool:
    """Whether the token is the name of a command: an identifier with a parenthesis behind it on its line."""
    token, behind = listed[at], listed[at + 1] if at + 1 < len(listed) else None
    if token.kind != "plain" or behind is None or behind.kind != "open":
        return False
    named = _NAME.fullmatch(data, token.start, token.end) is not None
    return named and not data[token.end : behind.start].strip(b" \t")


def _closings(listed: list[Token]) -> dict[int, int]:
    """The place of each parenthesis that is closed, and of the one that closes it."""
    closings, waiting = {}, []
    for at, token in enumerate(listed):
        if token.kind == "open":
            waiting.append(at)
        elif token.kind == "close" and waiting:
            closings[waiting.pop()] = at
    return closings
