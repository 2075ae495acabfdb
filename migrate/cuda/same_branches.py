"""Whether two branches of a conditional say the same to AMD's compiler, though they are spelled in two ways."""

from __future__ import annotations

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_SUM = re.compile(rb"(?:return|[^\w\s)\]]+) \* \( [A-Za-z_]\w* \+")
"""Where the object that a sum of a pointer and a number points to is read: `= * ( p +`."""
_LONGEST = 4000
"""Bytes of branches that are compared with each other."""


def is_same(lexed: Lexed, body: Span, other: Span) -> bool:
    """Whether two branches say the same: on AMD GPUs a load by `__ldg` is the load of what it points to."""
    if max(body.end - body.start, other.end - other.start) > _LONGEST:
        return False
    return _said(lexed, body) == _said(lexed, other)


def _said(lexed: Lexed, branch: Span) -> list[bytes]:
    """The tokens of a branch, with `x` for `__ldg(&x)`, `*p` for `__ldg(p)` and `*(p)`, `p[i]` for `*(p + i)`."""
    tokens = [lexed.text(token) for token in lexed.tokens(branch.start, branch.end)]
    left, depth, closing = list[bytes](), 0, list[int]()
    for at, word in enumerate(tokens):
        depth += word == b"("
        loads = tokens[max(at - 2, 0) : at + 1]
        if word == b")" and closing and closing[-1] == depth:
            closing.pop()
        elif loads == [b"__ldg", b"(", b"&"]:
            del left[-2:]
            closing.append(depth)
        else:
            left.append(b"*" if word == b"__ldg" else word)
            if left[-4:-2] == [b"*", b"("] and word == b")":
                left[-3:] = left[-2:-1]
        depth -= word == b")"
    return _indexed(left)


def _indexed(tokens: list[bytes]) -> list[bytes]:
    """Tokens with `p[i]` in the place of `*(p + i)`."""
    words, opened = list[bytes](), list[bool]()
    for at, word in enumerate(tokens):
        if word == b"(":
            opened.append(bool(_SUM.fullmatch(b" ".join(tokens[max(at - 2, 0) : at + 3]))))
        elif word == b")" and opened and opened.pop():
            word = b"]"
        elif word == b"+" and opened and opened[-1] and tokens[at - 2] == b"(":
            words[-3:-1] = []
            word = b"["
        words.append(word)
    return words
