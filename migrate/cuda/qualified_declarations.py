"""What a macro at the heads of declarations qualifies: functions, variables, or both.

clang and nvcc take `__host__ __device__` before a function as one for both sides; of a variable `__host__` is ignored,
and it is the device's, whose value host code does not see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from cudamigrate.cuda.lexer import NUMBER, STRING, WORD, Lexed, Token

Kind = Literal["function", "variable"]
_WITH_ARGUMENTS = frozenset(b"__attribute__ __align__ alignas __launch_bounds__ __declspec decltype noexcept".split())
"""Words in a declaration whose brackets are no parameters."""
_TYPES = frozenset((b"struct", b"class", b"union", b"enum"))
_LIMIT = 80
"""Tokens of a declaration that are read at most."""


def kinds(lexed: Lexed, macro: bytes) -> frozenset[Kind]:
    """What the declarations are that name `macro` in code; what is none, or not understood, is left out."""
    places = (at for at in lexed.places(macro) if lexed.is_code(at) and lexed.directive_at(at) is None)
    return frozenset(found for at in places if (found := _kind(lexed, at, at + len(macro))) is not None)


def _kind(lexed: Lexed, start: int, end: int) -> Kind | None:
    """What is declared by the declaration whose head has a macro in a range."""
    behind = lexed.text(lexed.token(end)) in (b"(", b"{", b";", b"->")
    if behind and lexed.text(lexed.before(start)) in (b"]", b")"):  # of a lambda, or behind the parameters
        return "function"
    words = {lexed.text(lexed.before(start))}
    for token in _outer(lexed, end):
        text = lexed.text(token)
        if text == b"(":
            return _of_brackets(lexed, token)
        if text == b"{":
            return None if _TYPES & words else "variable"
        if text in (b"=", b"[", b";"):
            return "function" if b"operator" in words else None if _TYPES & words and text == b";" else "variable"
        if text in (b")", b"}"):
            return None
        words.add(text)
    return None


def _outer(lexed: Lexed, at: int) -> Iterator[Token]:
    """The tokens from a place on, without template arguments and those of attributes."""
    for _ in range(_LIMIT):
        token = lexed.token(at)
        if token is None:
            return
        at, text = token.end, lexed.text(token)
        if text == b"<":
            at = max(at, lexed.angle_closing(token.start, len(lexed.data)) + 1)
        elif text in _WITH_ARGUMENTS and (behind := lexed.token(at)) is not None and lexed.text(behind) == b"(":
            at = max(at, lexed.closing(behind.start) + 1)
        yield token


def _of_brackets(lexed: Lexed, opening: Token) -> Kind:
    """What a name with brackets behind it is: a pointer to a function or a first value makes it a variable."""
    inside = lexed.after(opening)
    if inside is not None and inside.kind in (NUMBER, STRING):
        return "variable"
    before = lexed.before(opening.start)
    is_named = before is not None and before.kind == WORD
    return "variable" if lexed.text(inside) == b"*" and is_named and _is_pointer(lexed, opening) else "function"


def _is_pointer(lexed: Lexed, opening: Token) -> bool:
    """Whether `(*name)` or `(*name[4])` is in brackets, with parameters behind it."""
    closing = lexed.closing(opening.start)
    return closing >= 0 and lexed.text(lexed.token(closing + 1)) == b"("
