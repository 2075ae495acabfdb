"""The namespaces around places of a file, by tokens alone, for files that are not parsed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.lazy_re import re

_BRACES = re.compile(rb"[{}]")
_NAMESPACE = re.compile(rb"(?:inline\s+)?namespace(?P<name>(?:\s+[\w:]+)?)\s*\Z")
_LINKAGE = re.compile(rb"extern\s*\"C(?:\+\+)?\"\s*\Z")
_NEAR = 200


def namespaces_at(tokens: Lexed, places: Sequence[int]) -> Iterator[bytes | None]:
    """The namespaces around places in order, as one name; None where a class, a function or anything else is around."""
    around: list[bytes | None] = []
    data, waiting = tokens.data, list(places)
    for match in tokens.matches(_BRACES):
        while waiting and waiting[0] < match.start():
            waiting.pop(0)
            yield None if None in around else b"::".join(one for one in around if one)
        if match[0] == b"}":
            around[-1:] = []
            continue
        before = data[max(0, match.start() - _NEAR) : match.start()]
        named = _NAMESPACE.search(before)
        around.append(named["name"].strip() if named is not None else b"" if _LINKAGE.search(before) else None)
    for _ in waiting:
        yield None if None in around else b"::".join(one for one in around if one)
