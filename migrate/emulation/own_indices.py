"""Variables of a program's own that are called `blockDim` and the like: the emulation has macros of these names."""

from __future__ import annotations

from cudamigrate.cuda import lexer

_INDICES = frozenset({b"threadIdx", b"blockIdx", b"blockDim", b"gridDim"})
_NO_TYPES = frozenset({b"return", b"else", b"do", b"case", b"throw", b"typename"})


def renamed(lexed: lexer.Lexed) -> bytes:
    """The text with another name for members, variables and parameters that are called like the indices of threads."""
    places: set[int] = set()
    for place in lexed.words(_INDICES):
        token, before = lexed.token(place), lexed.before(place)
        if token is None or before is None:
            continue
        following = lexed.text(lexed.after(token))
        if lexed.text(before) in (b".", b"->"):
            places.add(place)
        elif _is_declared(lexed, before, following) and lexed.directive_at(place) is None:
            end = _scope_end(lexed, token)
            alike = lexed.words(frozenset({lexed.text(token)}))
            places.update(at for at in alike if place <= at < end and lexed.text(lexed.before(at)) != b"::")
    parts: list[bytes] = []
    at = 0
    for place in sorted(places):
        parts += [lexed.data[at:place], b"cudamigrate_emulation_"]
        at = place
    return b"".join([*parts, lexed.data[at:]])


def _is_declared(lexed: lexer.Lexed, before: lexer.Token, following: bytes) -> bool:
    """Whether a name between these is declared there: behind a type, or in a list with its value."""
    if lexed.text(before) == b",":
        return following in (b"(", b"{")
    is_type = before.kind == lexer.WORD and lexed.text(before) not in _NO_TYPES
    return is_type and following in (b";", b"=", b"(", b"{", b",", b")", b"[")


def _scope_end(lexed: lexer.Lexed, declared: lexer.Token) -> int:
    """Where the braces around a declaration end, or for a parameter the body of its function."""
    token = lexed.after(declared)
    while token is not None and lexed.text(token) not in (b"}", b")"):
        inside = lexed.closing(token.start) if lexed.text(token) in (b"(", b"[", b"{") else -1
        token = lexed.token(inside + 1) if inside >= 0 else lexed.after(token)
    if token is None:
        return len(lexed.data)
    body = lexed.after(token)
    is_parameter = lexed.text(token) == b")" and body is not None and lexed.text(body) == b"{"
    return lexed.closing(body.start) if is_parameter and body is not None else token.start
