"""`__restrict__` behind a type that is no pointer, which nvcc ignores and clang refuses."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda import value_types
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"restrict",)

_RESTRICT = re.compile(rb"\b__restrict(?:__)?(?![\w$])")
_QUALIFIERS = (b"const", b"volatile", b"constexpr", b"static")
_OPENING = (b"(", b",")
"""What may be before a parameter that begins with the word."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such qualifier whose type is known. A name that the file does not give to a value may be a pointer."""
    lexed = parsed.lexed
    for match in lexed.starting(_RESTRICT, b"__restrict"):
        before = lexed.before(match.start())
        while before is not None and lexed.text(before) in _QUALIFIERS:
            before = lexed.before(before.start)
        kind = lexed.text(before)
        begins = kind in _OPENING or lexed.text(lexed.before(match.start())) in _QUALIFIERS
        if begins and not _is_value(parsed, kind):
            kind = _following(parsed, match.end())
        if _is_value(parsed, kind):
            use = parsed.named_use(match[0].decode(), Span(*match.span()))
            yield Hit("build/restricted-value", use, {"type": kind.decode()})


def _is_value(parsed: ParsedFile, kind: bytes) -> bool:
    return kind in value_types.VALUES or kind in parsed.once(_own)


def _own(parsed: ParsedFile) -> frozenset[bytes]:
    """The names that a file gives to values."""
    return value_types.named(value_types.declared(parsed.lexed))


def _following(parsed: ParsedFile, offset: int) -> bytes:
    """The word of the type that begins behind a qualifier: `uint32_t` in `const __restrict__ volatile uint32_t *p`."""
    after = parsed.lexed.token(offset)
    while after is not None and parsed.lexed.text(after) in _QUALIFIERS:
        after = parsed.lexed.after(after)
    return parsed.lexed.text(after)
