"""Integer types under names that a file gives them: `typedef unsigned int u32;`, `using word = uint32_t;`.

A name that is declared twice with different types, or as anything else too, stands for none. What other files declare
is seen where a pass over the tree reads a file again as if it declared it itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.warp.integer_ranges import Integer, integer_type

_TYPEDEF = re.compile(rb"\btypedef\s+([\w:\s]{1,60}?)\b(\w+)\s*;")
_USING = re.compile(rb"\busing\s+(\w+)\s*=\s*([^;{}]{1,60});")
_OWN = re.compile(rb"\b(?:struct|class|union|enum|typename|define)\s+(?:class\s+)?(\w+)")
_WORDS = (b"struct", b"class", b"union", b"enum", b"typename", b"define")
_QUALIFIERS = frozenset((b"const", b"volatile", b"static", b"constexpr"))
_DEPTH = 4


def declared(tokens: Lexed) -> Iterator[tuple[bytes, bytes]]:
    """The names that a file gives to types, each with the type as it is spelled; none for `typedef own::u32 u32;`."""
    yield from ((name, spelled) for _, name, spelled in declared_at(tokens))


def declared_at(tokens: Lexed) -> Iterator[tuple[int, bytes, bytes]]:
    """The same, with where each is declared."""
    found = [(match.start(), match[2], match[1]) for match in tokens.matches(_TYPEDEF, b"typedef")]
    found += [(match.start(), match[1], match[2]) for match in tokens.matches(_USING, b"using")]
    for at, name, spelled in found:
        if not spelled.rstrip().endswith(b"::" + name):
            yield at, name, b" ".join(spelled.split())


def declared_anywhere(data: bytes) -> Iterator[bytes]:
    """The names that a text seems to give to types, in comments too: found much faster."""
    yield from (match[2] for match in _TYPEDEF.finditer(data))
    yield from (match[1] for match in _USING.finditer(data))


class TypeNames:
    """The integer types of one file by the names that it gives them."""

    def __init__(self, parsed: ParsedFile) -> None:
        self._spelled: dict[bytes, bytes] = {}
        found = list(declared(parsed.lexed))
        others = {match[1] for match in parsed.lexed.matches(_OWN, *_WORDS)} if found else set()
        for name, spelled in found:
            same = self._spelled.setdefault(name, spelled) == spelled and name not in others
            self._spelled[name] = spelled if same else b""

    def integer(self, spelled: bytes, depth: int = _DEPTH) -> Integer | None:
        """The type that a spelling names; None for other types and for names that are not seen."""
        found = integer_type(spelled)
        if found is not None or depth == 0:
            return found
        words = [word for word in spelled.split() if word not in _QUALIFIERS]
        return self.integer(self._spelled.get(words[0], b""), depth - 1) if len(words) == 1 else None
