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
    data, at = tokens.data, 0
    for match in tokens.matches(_BRACES) if places else ():
        while places[at] < match.start():
            yield _joined(around)
            at += 1
            if at == len(places):
                return
        if match[0] == b"}":
            around[-1:] = []
            continue
        before = data[max(0, match.start() - _NEAR) : match.start()]
        named = _NAMESPACE.search(before) if b"namespace" in before else None
        is_linkage = b"extern" in before and _LINKAGE.search(before) is not None
        around.append(named["name"].strip() if named is not None else b"" if is_linkage else None)
    yield from (_joined(around) for _ in places[at:])


def _joined(around: Sequence[bytes | None]) -> bytes | None:
    """The name of namespaces, those without one left out; None where something else is among them."""
    return None if None in around else b"::".join(one for one in around if one)
