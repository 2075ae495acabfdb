"""`__restrict__` behind a type that is no pointer, which nvcc ignores and clang refuses."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"restrict",)

_RESTRICT = re.compile(rb"\b__restrict(?:__)?(?![\w$])")
_QUALIFIERS = (b"const", b"volatile", b"constexpr", b"static")
_WIDTHS = (b"8", b"16", b"32", b"64")
_VALUES = frozenset(
    (
        *(b"bool", b"char", b"short", b"int", b"long", b"signed", b"unsigned", b"float", b"double", b"size_t"),
        *(b"uchar", b"ushort", b"uint", b"ulong", b"half", b"half2", b"__half", b"__half2"),
        *(b"nv_bfloat16", b"nv_bfloat162", b"__nv_bfloat16", b"__nv_bfloat162"),
        *(b"%bint%b_t" % (sign, width) for sign in (b"", b"u", b"u_") for width in _WIDTHS),
        *(
            b"%b%b%d" % (sign, kind, rank)
            for kind in (b"char", b"short", b"int", b"long", b"longlong", b"float", b"double")
            for sign in (b"", b"u")
            for rank in (1, 2, 3, 4)
        ),
    )
)
"""Types that are values whatever a file declares: those of C++ and `<cstdint>`, and CUDA's numbers and vectors."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such qualifier whose type is known. A name of the project's own may be a pointer, and is left."""
    lexed = parsed.lexed
    for match in lexed.starting(_RESTRICT, b"__restrict"):
        before = lexed.before(match.start())
        while before is not None and lexed.text(before) in _QUALIFIERS:
            before = lexed.before(before.start)
        kind = lexed.text(before)
        if kind not in _VALUES and lexed.text(lexed.before(match.start())) in _QUALIFIERS:
            kind = _following(parsed, match.end())
        if kind in _VALUES:
            use = parsed.named_use(match[0].decode(), Span(*match.span()))
            yield Hit("build/restricted-value", use, {"type": kind.decode()})


def _following(parsed: ParsedFile, offset: int) -> bytes:
    """The word of the type that begins behind a qualifier: `uint32_t` in `const __restrict__ volatile uint32_t *p`."""
    after = parsed.lexed.token(offset)
    while after is not None and parsed.lexed.text(after) in _QUALIFIERS:
        after = parsed.lexed.after(after)
    return parsed.lexed.text(after)
