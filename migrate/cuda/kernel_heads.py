"""Heads of functions that conditionals of the preprocessor part from what they head.

Result: where a head begins whose launch bounds or type stand in branches, and kernels that a syntax tree does not hold.
Device code is known by its qualifier, which is then no longer beside the name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cudamigrate.cuda.lexer import WORD, Lexed, Token
from cudamigrate.cuda.parsed_file import Function
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_ENDS = frozenset((b";", b"{", b"}", b":"))
"""What ends before a head begins: a statement, a block, `public:`."""
_NOT_NAMES = frozenset((b"__launch_bounds__", b"__attribute__", b"__cluster_dims__", b"__block_size__", b"decltype"))
"""Words before a bracket in a head that are not the function's name."""


def beginning(lexed: Lexed, start: int, qualifies: re.Pattern[bytes]) -> int:
    """Where the head of a function begins that seems to begin at `start`, behind a directive; `start` where it does.

    Only what leads to a qualifier that `qualifies` finds is taken for a part of the head: what else is before a
    directive may be a macro that needs no semicolon.
    """
    token = lexed.before(start)
    if token is None or lexed.directive_at(token.start) is None:
        return start
    found = start
    while token is not None and lexed.text(token) not in _ENDS:
        line = lexed.directive_at(token.start)
        at = token.start if line is None else line.start
        if line is None and lexed.text(token) == b")":
            at = lexed.opening(token.start)
        elif line is None and qualifies.fullmatch(lexed.data, token.start, token.end):
            found = token.start
        token = lexed.before(at) if at >= 0 else None
    return found


def macros_before_type(lexed: Lexed) -> Iterator[tuple[int, int]]:
    """Macros with arguments between `__global__` and `void`: `__global__ LAUNCH_BOUNDS(128, 12) void k(int n)`.

    The grammar takes such a word for the name. A kernel returns `void`, so what is before that is not the name.
    """
    for at in lexed.places(b"__global__"):
        word = lexed.token(at) if lexed.is_code(at) and lexed.directive_at(at) is None else None
        token, found = lexed.after(word) if word is not None else None, list[tuple[int, int]]()
        while token is not None and token.kind == WORD and lexed.text(token) != b"void":
            after = lexed.after(token)
            if after is not None and lexed.text(after) == b"(":
                closed = lexed.closing(after.start)
                if closed > 0 and lexed.text(token) not in _NOT_NAMES:
                    found.append((token.start, closed + 1))
                after = lexed.token(closed + 1) if closed > 0 else None
            token = after
        if token is not None and lexed.text(token) == b"void":
            yield from found


def lost(lexed: Lexed, kernels: Sequence[int], is_held: Callable[[int], bool]) -> Iterator[Function]:
    """The kernels that begin at one of `kernels` and are in no function that is held: by their text alone.

    Nothing is said of one whose body does not end before the next kernel begins: a bracket is open in a branch.
    """
    for number, at in enumerate(kernels):
        if is_held(at) or lexed.directive_at(at) is not None:
            continue
        name, bracket = _name(lexed, lexed.token(at))
        closed = -1 if bracket is None else lexed.closing(bracket.start)
        opening = _code(lexed, lexed.token(closed + 1)) if closed > 0 else None
        if opening is None or lexed.text(opening) != b"{":
            continue
        end = lexed.closing(opening.start) + 1
        following = kernels[number + 1] if number + 1 < len(kernels) else len(lexed.data)
        if opening.start < end <= following:
            yield Function(Span(at, end), Span(opening.start, end), lexed.text(name).decode("latin-1"), "device")


def _name(lexed: Lexed, token: Token | None) -> tuple[Token | None, Token | None]:
    """The name of the function whose head begins with a token, and its bracket: a word that is no attribute."""
    token = _code(lexed, token)
    while token is not None and lexed.text(token) not in _ENDS:
        after = _code(lexed, lexed.after(token))
        if after is not None and lexed.text(after) == b"(" and token.kind == WORD:
            if lexed.text(token) not in _NOT_NAMES:
                return token, after
            closed = lexed.closing(after.start)
            after = _code(lexed, lexed.token(closed + 1)) if closed > 0 else None
        token = after
    return None, None


def _code(lexed: Lexed, token: Token | None) -> Token | None:
    """A token, or the first after the directives that it is in."""
    while token is not None and (line := lexed.directive_at(token.start)) is not None:
        token = lexed.token(line.end)
    return token
