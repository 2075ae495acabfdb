"""Words before constructors that list members: `HD Range(int n) : first(n) {}`, where `HD` is a macro for qualifiers.

C++ has no type there. The grammar takes the word for one, and the list for the width of a field.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.lazy_re import re

_LISTED = re.compile(rb"\)(?=\s*(?:noexcept\s*)?:(?!:)\s*[A-Za-z_][\w:]*(?:<[^<>;{}()]*>)?\s*[({])")
"""The end of a constructor's parameters where a list of members follows: `) : first(`."""
_CONSTRUCTS = re.compile(rb"\b(?:[A-Za-z_]\w*\s+)+(?P<name>[A-Za-z_]\w*)\s*\(")
"""Words before a name and a bracket: `HD inline Range(`."""
_WORD = re.compile(rb"([A-Za-z_]\w*)\s+")
_OTHERS = frozenset(b"if for while switch return else do case default goto new delete throw public private".split())
"""Words of statements: what is behind them is no constructor."""
_KNOWN = frozenset(
    b"explicit inline constexpr __device__ __host__ __inline__ __forceinline__ __noinline__ protected".split()
)
"""What may be before a constructor: the grammar knows it."""


def words_before(lexed: Lexed) -> Iterator[tuple[int, int]]:
    """The bytes of each such word that the grammar does not know."""
    ends = {match.start() for match in lexed.matches(_LISTED, b":")}
    for match in lexed.matches(_CONSTRUCTS) if ends else ():
        words = [(one.start(1), one.end(1)) for one in _WORD.finditer(lexed.data, match.start(), match.start("name"))]
        said = {lexed.data[start:end] for start, end in words}
        if said.isdisjoint(_OTHERS) and lexed.closing(match.end() - 1) in ends:
            yield from (span for span in words if lexed.data[slice(*span)] not in _KNOWN)
