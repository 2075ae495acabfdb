"""Macros with parameters that make functions for GPUs: `OPS(__half, f16)`, whose body has a kernel."""

from __future__ import annotations

from collections.abc import Iterator, Set

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_DEFINED = re.compile(rb"([A-Za-z_]\w*)\(")
_QUALIFIED = re.compile(rb"\b__(?:global|device)__[^;]*?\{", re.DOTALL)
"""A function for GPUs with its body."""
_WORD = re.compile(rb"[A-Za-z_]\w*")


def makers(lexed: Lexed) -> frozenset[bytes]:
    """Such macros of a file, and those that call them."""
    bodies: dict[bytes, list[bytes]] = {}
    for line in lexed.directives:
        argument = line.argument(lexed.data) if line.name == "define" else b""
        head = _DEFINED.match(argument)
        if head is not None:
            bodies.setdefault(head[1], []).append(argument[head.end() :])
    found = {name for name, texts in bodies.items() if any(map(_QUALIFIED.search, texts))}
    more = found
    while more:
        more = {name for name, texts in bodies.items() if any(not more.isdisjoint(_WORD.findall(one)) for one in texts)}
        more -= found
        found |= more
    return frozenset(found)


def calls(lexed: Lexed, others: Set[bytes] = frozenset()) -> Iterator[Span]:
    """Where a file has such functions made, by its own macros or by those of `others`."""
    for start in lexed.words(makers(lexed).union(others)):
        name = lexed.token(start)
        opening = lexed.after(name)
        if lexed.directive_at(start) is None and opening is not None and lexed.text(opening) == b"(":
            closing = lexed.closing(opening.start)
            if closing > 0:
                yield Span(start, closing + 1)
