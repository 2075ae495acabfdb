"""Device code that a file declares and does not define: only a link of device code across files gives it.

A declaration is one by what it ends in, `;` for a body. `__global__` does not count: the host launches a kernel of
another file without such a link.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import Lexed, Token
from cudamigrate.lazy_re import re

MARKS = frozenset((b"__device__", b"__constant__", b"__managed__"))
"""What makes a variable or a function one of device code."""
_MACRO = re.compile(rb"#[ \t]*define[ \t]+(\w+)[ \t]+(.*)", re.DOTALL)
_WORD = re.compile(rb"\w+")
_ATTRIBUTES = frozenset((b"__launch_bounds__", b"__align__", b"__attribute__", b"alignas", b"decltype", b"__declspec"))
_GIVEN = frozenset((b"default", b"delete"))
_FAR = 400
"""So many tokens of a declaration are read."""


def macros(lexed: Lexed) -> frozenset[bytes]:
    """The macros of a file that stand for such a mark, with what each of them names: `HD` of `__host__ __device__`."""
    found: set[bytes] = set()
    for directive in lexed.directives:
        match = _MACRO.match(lexed.data, directive.start, directive.end) if directive.name == "define" else None
        if match is not None and not MARKS.isdisjoint(_WORD.findall(match[2])):
            found.add(match[1])
    return frozenset(found)


def undefined(lexed: Lexed, marks: frozenset[bytes]) -> Iterator[bytes]:
    """The names that a file declares behind one of the `marks` and does not define."""
    for place in lexed.words(marks):
        if lexed.directive_at(place) is not None:
            continue
        external, name, ends = _declared(lexed, place)
        if ends and (external or name) and not (name and _is_defined(lexed, name)):
            yield name


def _declared(lexed: Lexed, place: int) -> tuple[bool, bytes, bool]:
    """Whether `extern` is in a declaration, its function's name, empty for a variable, and whether it ends in `;`."""
    first = lexed.token(place)
    external, name, last = _is_external(lexed, place), b"", first
    token: Token | None = lexed.after(first)
    for _ in range(_FAR):
        text = lexed.text(token)
        if token is None or text in (b"{", b";", b"}"):
            return external, name, text == b";"
        external |= text == b"extern"
        if text == b"=" and not name:  # a variable with its value, which defines it
            return False, b"", False
        if text in _GIVEN:
            return False, b"", False
        if text in (b"(", b"["):
            if text == b"(" and not name and lexed.text(last) not in _ATTRIBUTES:
                name = lexed.text(last)
            end = lexed.closing(token.start)
            token = lexed.token(end) if end >= 0 else None
        last, token = token, lexed.after(token)
    return external, name, True


def _is_external(lexed: Lexed, place: int) -> bool:
    """Whether `extern` is before a mark, with other words at most: `extern const __device__`."""
    for _ in range(8):
        token = lexed.before(place)
        text = lexed.text(token)
        if token is None or _WORD.fullmatch(text) is None:
            return False
        if text == b"extern":
            return True
        place = token.start
    return False


def _is_defined(lexed: Lexed, name: bytes) -> bool:
    """Whether a function of a name has a body in the file."""
    for place in lexed.words(frozenset((name,))):
        opening = lexed.after(lexed.token(place))
        end = lexed.closing(opening.start) if lexed.text(opening) == b"(" and opening is not None else -1
        token = lexed.after(lexed.token(end)) if end >= 0 else None
        for _ in range(_FAR):
            text = lexed.text(token)
            if token is None or text in (b";", b"}", b")", b",", b"="):
                break
            if text == b"{":
                return True
            token = lexed.after(token)
    return False
