"""`if (kOnHip) {...} else {...}` -> branches, as those of the preprocessor, where a constant tells HIP from CUDA."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import Lexed, Token
from cudamigrate.cuda.preprocessor import Branch, compiled_for_hip
from cudamigrate.lazy_re import re

_IF = re.compile(rb"\bif\s*(?:constexpr\s*)?\(")


def constant_branches(lexed: Lexed, guards: frozenset[bytes]) -> Iterator[Branch]:
    """The bodies in braces of `if` statements that guards decide; what no guard decides is no branch."""
    names = tuple(guard.lstrip(b"?!-").partition(b"=")[0] for guard in guards)
    names = tuple(name for name in names if name in lexed.data)
    if not names:
        return
    for match in lexed.matches(_IF, b"if"):
        closing = lexed.closing(match.end() - 1)
        if closing < 0 or lexed.directive_at(match.start()) is not None:
            continue
        condition = lexed.data[match.end() : closing]
        if any(name in condition for name in names):
            yield from _bodies(lexed, condition, closing + 1, guards)


def _bodies(lexed: Lexed, condition: bytes, after: int, guards: frozenset[bytes]) -> Iterator[Branch]:
    body = lexed.token(after)
    end = _block_end(lexed, body)
    if body is None or end < 0:
        return
    hip = compiled_for_hip((condition,), guards)
    if hip is not None:
        yield Branch(body.end, end, 1, hip, (condition,), body.end)
    otherwise = lexed.token(end + 1)
    other = lexed.after(otherwise) if lexed.text(otherwise) == b"else" else None
    end = _block_end(lexed, other)
    without = compiled_for_hip((condition, b"1"), guards)
    if other is not None and end >= 0 and without is not None:
        yield Branch(other.end, end, 1, without, (condition, b"1"), body.end)


def _block_end(lexed: Lexed, opening: Token | None) -> int:
    return lexed.closing(opening.start) if opening is not None and lexed.text(opening) == b"{" else -1
