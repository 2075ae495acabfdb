"""`HIP_OR_CUDA(a, b)` -> branches, as those of the preprocessor: a macro gives HIP one argument and CUDA another."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.preprocessor import Branch

MARK = "@"
"""How the guard of such a macro begins: `@NAME:0` where HIP gets the first argument alone."""


def argument_branches(lexed: Lexed, guards: frozenset[bytes]) -> Iterator[Branch]:
    """The arguments of macros that choose one of them: the chosen one is HIP's, the others are never compiled there."""
    chosen: dict[bytes, int] = {}
    for guard in guards:
        name, _, number = guard.removeprefix(MARK.encode()).partition(b":")
        if guard.startswith(MARK.encode()) and name in lexed.data:
            chosen[name] = int(number)
    for start in lexed.words(frozenset(chosen)) if chosen else ():
        token, directive = lexed.token(start), lexed.directive_at(start)
        opening = lexed.after(token) if token is not None else None
        if opening is None or lexed.text(opening) != b"(":
            continue
        name = lexed.text(token)
        if directive is not None and name == directive.argument(lexed.data).partition(b"(")[0]:
            continue  # its own definition
        closing = lexed.closing(opening.start)
        for index, (begin, end) in enumerate(lexed.arguments(opening.start, closing) if closing > 0 else ()):
            yield Branch(begin, end, 1, index == chosen[name], (), opening.start)
