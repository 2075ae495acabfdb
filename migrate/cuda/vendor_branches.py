"""`if (vendor == ours) { cudaX(...); } else if (...) { hipX(...); }` -> branches: at run time each vendor has its own.

A body is CUDA's where another body of its chain calls the same thing of HIP's, and neither calls the other vendor.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.preprocessor import Branch
from cudamigrate.lazy_re import re

_IF = re.compile(rb"\bif\s*(?:constexpr\s*)?\(")
_CALL = re.compile(rb"\b(cuda|hip)([A-Z]\w+)\s*\(")


def vendor_branches(lexed: Lexed) -> Iterator[Branch]:
    """The bodies in braces of such chains, CUDA's and HIP's."""
    if b"cuda" not in lexed.data or b"hip" not in lexed.data or b"else" not in lexed.data:
        return
    done = -1
    for match in lexed.matches(_IF, b"if"):
        if match.start() <= done or lexed.directive_at(match.start()) is not None:
            continue
        bodies = list(_bodies(lexed, match.start()))
        if len(bodies) < 2:
            continue
        done = bodies[-1][0] - 1  # a later `if` of the chain is in it already
        called = [_calls(lexed, *body) for body in bodies]
        for body, (cuda, hip) in zip(bodies, called, strict=True):
            others = [one for other, one in zip(bodies, called, strict=True) if other != body]
            if cuda and not hip and any(not one[0] and cuda & one[1] for one in others):
                yield Branch(*body, depth=1, hip=False, conditions=(), chain=bodies[0][0])
            elif hip and not cuda and any(not one[1] and hip & one[0] for one in others):
                yield Branch(*body, depth=1, hip=True, conditions=(), chain=bodies[0][0])


def _bodies(lexed: Lexed, start: int) -> Iterator[tuple[int, int]]:
    """The bodies of a chain of `if` and `else`, without their braces, as far as they have such."""
    at: int | None = start
    while at is not None:
        match = _IF.match(lexed.data, at)
        closing = lexed.closing(match.end() - 1) if match is not None else at - 1
        opening = lexed.token(closing + 1) if closing >= 0 else None
        end = lexed.closing(opening.start) if opening is not None and lexed.text(opening) == b"{" else -1
        if opening is None or end < 0:
            return
        yield opening.end, end
        word = lexed.token(end + 1)
        following = lexed.after(word) if match is not None and lexed.text(word) == b"else" else None
        at = following.start if following is not None else None


def _calls(lexed: Lexed, start: int, end: int) -> tuple[set[bytes], set[bytes]]:
    """What a body calls of CUDA's and of HIP's, without the vendor's word."""
    found: dict[bytes, set[bytes]] = {b"cuda": set(), b"hip": set()}
    for match in _CALL.finditer(lexed.data, start, end):
        if lexed.is_code(match.start()):
            found[match[1]].add(match[2])
    return found[b"cuda"], found[b"hip"]
