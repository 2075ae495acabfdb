"""Calls whose result nobody reads: statements of their own, without a cast to `void`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cudamigrate.cuda.lexer import WORD, Lexed

_BEGINS = (b";", b"{", b"}", b"else", b"do")
"""What a statement follows; a `)` is looked at, as a cast has one too, and a `:`, as a choice has."""
_HEADS = (b"if", b"for", b"while", b"switch", b"constexpr")


def unread(lexed: Lexed, places: Iterable[int]) -> Iterator[int]:
    """Those of the places where a call by a name begins that is a statement of its own; none in a directive."""
    for place in places:
        name = lexed.token(place)
        opening = lexed.after(name)
        if name is None or opening is None or lexed.text(opening) != b"(" or lexed.directive_at(place) is not None:
            continue
        closing = lexed.closing(opening.start)
        if closing >= 0 and lexed.text(lexed.token(closing + 1)) == b";" and _begins(lexed, place):
            yield place


def _begins(lexed: Lexed, place: int) -> bool:
    """Whether a statement begins with the name at a place, or with the names of the scopes before it."""
    before = lexed.before(place)
    while before is not None and lexed.text(before) == b"::":
        scope = lexed.before(before.start)
        place, before = before.start, scope
        if scope is not None and scope.kind == WORD and lexed.text(scope) not in _BEGINS:
            place, before = scope.start, lexed.before(scope.start)
    text = lexed.text(before)
    if before is not None and text == b":":
        return _is_label(lexed, before.start)
    if before is None or text != b")":
        return text in _BEGINS
    opened = lexed.opening(before.start)
    return opened >= 0 and lexed.text(lexed.before(opened)) in _HEADS


def _is_label(lexed: Lexed, colon: int) -> bool:
    """Whether a `:` ends a label, and is not the second half of a choice."""
    token = lexed.before(colon)
    while token is not None and lexed.text(token) not in (b";", b"{", b"}"):
        if lexed.text(token) == b"?":
            return False
        token = lexed.before(token.start)
    return True
