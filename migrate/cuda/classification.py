"""Functions of `<cmath>` that classify and compare numbers, which C has as macros: their names, and a project's own.

clang's header for HIP declares the global ones for the device alone. A project may declare one for a type of its own,
in files without CUDA too: a call of that is none of the C library's.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import WORD, Lexed, lex
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
_TYPE_ENDS = (b">", b"*", b"&")
"""What a type may end in, and an operator be, before a name: `Ints<V> isless(`, `x > isless(`."""
_STATEMENT = re.compile(rb"[;{}#]")
_NEAR = 300
"""How many bytes before a name a declaration is taken to begin."""
_QUALIFIERS = frozenset((b"const", b"noexcept", b"volatile", b"override", b"final"))


def is_declared(tokens: Lexed, start: int, end: int, is_outside: bool) -> bool:
    """Whether a name with brackets behind it is declared there, or only called.

    Behind a word that begins no expression is a declaration, whatever the word is: `bool BOTH isnan(half x)`. Behind
    `>`, `*` and `&` it is one that has a body, and, where no function or class is around it, one without a value.
    """
    before = tokens.before(start)
    word = tokens.text(before)
    if before is None or tokens.data[start : start + 1] == b":":
        return False
    if before.kind == WORD:
        return word not in BEFORE
    if not word.endswith(_TYPE_ENDS):
        return False
    opening = tokens.token(end)
    closing = tokens.closing(opening.start) if opening is not None else -1
    behind = tokens.token(closing + 1) if closing > 0 else None
    while tokens.text(behind) in _QUALIFIERS:
        behind = tokens.after(behind)
    if tokens.text(behind) == b"{" or tokens.text(behind) == b"->":
        return True
    return is_outside and tokens.text(behind) == b";" and _has_no_value(tokens.data[max(0, start - _NEAR) : start])


def _has_no_value(before: bytes) -> bool:
    """Whether what is before a name, outside of functions, is the beginning of a declaration and of no value."""
    statement = _STATEMENT.split(before)[-1].strip()
    return b"=" not in statement or statement.startswith(b"template")


def declared(data: bytes) -> Iterator[Definition]:
    """The functions by these names that a text declares in namespaces, none of classes."""
    if not any(name in data for name in NAMES):
        return
    tokens = lex(data)
    found = [one for one in tokens.matches(_NAMED, *NAMES) if tokens.directive_at(one.start()) is None]
    scopes = namespaces_at(tokens, [one.start() for one in found])
    for match, scope in zip(found, scopes, strict=True):
        if scope is not None and is_declared(tokens, *match.span(), True):
            yield Definition(match[0].decode(), scope.decode("latin-1"))
