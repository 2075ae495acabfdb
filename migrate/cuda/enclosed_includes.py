"""Includes inside of a scope: a linkage block, a namespace, a class, a function or an initialiser.

What such an include brings is declared in that scope, so a header of the toolchain must not be read there: a template
cannot have C linkage, and `std` would become a namespace in a namespace.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cudamigrate.cuda.lexer import include_path, lex
from cudamigrate.lazy_re import re

_BRACE = re.compile(rb"[{}]")
_LINKAGE = re.compile(rb'\bextern\s*"(C|C\+\+)"\s*\Z')
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*include\b", re.MULTILINE)
_NEAR = 40
"""Bytes before a brace in which a linkage specification is looked for."""
_OPENING = ("if", "ifdef", "ifndef")
_OTHERWISE = ("else", "elif", "elifdef", "elifndef")


class EnclosedInclude(NamedTuple):
    """An include in a scope: what it spells, and where its directive starts."""

    name: str
    start: int


def enclosed_includes(data: bytes) -> Iterator[EnclosedInclude]:
    """The includes of a text with an open scope around them, in their order.

    `extern "C++"` opens none, and ends that of `extern "C"`. Of the branches of a conditional each begins with the
    scopes that are open before it, and what follows has those of the branch that opened or closed some.
    """
    first = data.find(b"{")
    last = _last_include(data, first) if first >= 0 else -1
    if last < 0:
        return
    end = data.find(b"\n", last)
    lexed = lex(data[:end] if end >= 0 else data)
    braces = (match.start() for match in lexed.matches(_BRACE) if lexed.directive_at(match.start()) is None)
    events = sorted(
        [*((at, None) for at in braces), *((one.start, one) for one in lexed.directives)], key=lambda e: e[0]
    )
    scopes: tuple[str, ...] = ()
    chains: list[tuple[tuple[str, ...], tuple[str, ...]]] = []  # the scopes before a conditional, and after a branch
    for at, directive in events:
        if directive is None:
            scopes = (*scopes, _kind(data, at)) if data[at] == ord("{") else scopes[:-1]
        elif directive.name in _OPENING:
            chains.append((scopes, scopes))
        elif directive.name in _OTHERWISE and chains:
            before, after = chains[-1]
            chains[-1] = before, after if after != before else scopes
            scopes = before
        elif directive.name == "endif" and chains:
            before, after = chains.pop()
            scopes = after if after != before else scopes
        elif directive.name == "include" and _is_open(scopes):
            found = include_path(data, directive)
            if found is not None:
                yield EnclosedInclude(found[0], directive.start)


def _last_include(data: bytes, first: int) -> int:
    """Where the last directive that includes something ends, of those on the lines behind a place; -1 for none.

    The word is looked for from the end, which takes a fraction of the time of a pattern for a line's beginning.
    """
    at = data.rfind(b"include", first)
    while at >= 0:
        line = data.rfind(b"\n", 0, at) + 1
        match = _DIRECTIVE.match(data, line) if line >= first else None
        if match is not None:
            return match.end()
        at = data.rfind(b"include", first, line)
    return -1


def _kind(data: bytes, brace: int) -> str:
    """The linkage that a brace opens, empty for any other scope."""
    match = _LINKAGE.search(data, max(0, brace - _NEAR), brace)
    return match[1].decode() if match is not None else ""


def _is_open(scopes: tuple[str, ...]) -> bool:
    linkage = next((kind for kind in reversed(scopes) if kind), "C++")
    return "" in scopes or linkage == "C"
