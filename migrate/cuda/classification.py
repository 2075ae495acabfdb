"""Functions of `<cmath>` that classify and compare numbers, which C has as macros: their names, and a project's own.

clang's header for HIP declares the global ones for the device alone. A project may declare one for a type of its own,
in files without CUDA too: a call of that is none of the C library's.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import WORD, lex
from cudamigrate.cuda.namespaces import namespaces_at
from cudamigrate.lazy_re import re
from cudamigrate.model import Definition

NAMES = (
    *(b"isfinite", b"isnan", b"isinf", b"isnormal", b"signbit", b"fpclassify"),
    *(b"isgreater", b"isgreaterequal", b"isless", b"islessequal", b"islessgreater", b"isunordered"),
)
BEFORE = frozenset((b"return", b"else", b"do", b"case", b"throw", b"co_return", b"not", b"and", b"or"))
"""Words that an expression may follow: behind any other, `bool isnan(`, a name is declared."""

_NAMED = re.compile(rb"(?<![\w.:>])(?:%b)(?=\s*\()" % b"|".join(NAMES))


def declared(data: bytes) -> Iterator[Definition]:
    """The functions by these names that a text declares in namespaces, none of classes."""
    if not any(name in data for name in NAMES):
        return
    tokens = lex(data)
    found = []
    for match in tokens.matches(_NAMED, *NAMES):
        before = tokens.before(match.start())
        is_word = before is not None and before.kind == WORD and tokens.directive_at(match.start()) is None
        if is_word and tokens.text(before) not in BEFORE:
            found.append((match.start(), match[0].decode()))
    scopes = namespaces_at(tokens, [start for start, _ in found])
    for (_, name), scope in zip(found, scopes, strict=True):
        if scope is not None:
            yield Definition(name, scope.decode("latin-1"))
