"""Names that clang finds no declaration of, and that the same function declares: behind their use, or in another scope.

No build gives such a name: what is to be changed is the code, which no compiler takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cudamigrate.cuda.lexer import WORD, Lexed, lex
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.model.verification import NOWHERE, Place

NONE = "no compiler takes it"
_SAID = re.compile(rf"(?:{'|'.join(NOWHERE)}) '(\w+)'")
_NO_TYPES = frozenset((b"return", b"else", b"case", b"goto", b"delete", b"new", b"throw", b"sizeof", b"do", b"in"))
"""Words before a name that are no type of it."""
_AFTER = frozenset((b"=", b";", b",", b"[", b"{", b")", b":"))
"""What follows the name in a declaration."""


def advice(message: str, place: Place, text: Callable[[str], bytes]) -> str:
    """What is wrong at a place of the original, empty where its function does not declare the name.

    `text` gives the bytes of a file.
    """
    match = _SAID.fullmatch(message)
    data = text(place.path) if match is not None else b""
    starts = SourceFile(place.path, data, "").line_starts()
    if match is None or not 0 < place.line <= len(starts):
        return ""
    lexed, at = lex(data), starts[place.line - 1] + max(place.column, 1) - 1
    first, last = _body(lexed, at)
    around = {(one.start, one.end) for one in branches(lexed, ()) if one.start <= at < one.end}
    found = [
        one
        for one in _declared(lexed, match[1].encode(), first, last)
        if {(part.start, part.end) for part in branches(lexed, ()) if part.start <= one < part.end} <= around
    ]
    if not found:
        return ""
    later = found[0] > at
    line = data.count(b"\n", 0, found[0]) + 1
    why = "behind its use" if later else "in another scope"
    return f"`{match[1]}` is declared in line {line}, {why}: {NONE}; move the declaration"


def _body(lexed: Lexed, at: int) -> tuple[int, int]:
    """Where the body of the function around a place begins and ends; an empty range outside of functions."""
    place = lexed.data.find(b"{")
    while 0 <= place < at:
        if lexed.is_code(place) and lexed.closing(place) > at and lexed.text(lexed.before(place)) == b")":
            return place, lexed.closing(place)
        place = lexed.data.find(b"{", place + 1)
    return at, at


def _declared(lexed: Lexed, name: bytes, first: int, last: int) -> Iterator[int]:
    """Where a range declares a name as a variable."""
    for place in lexed.words(frozenset((name,))):
        before, token = lexed.before(place), lexed.token(place)
        if not first < place < last or before is None or lexed.directive_at(place) is not None:
            continue
        typed = before.kind == WORD and lexed.text(before) not in _NO_TYPES
        if typed and lexed.text(lexed.after(token)) in _AFTER:
            yield place
