"""Vectors of CUDA's that braces give fewer values than they have components: the rest is zero, and not so for HIP.

An array of them may have its components in one list, `uint4 sums[8] = {0}`: HIP's vectors are no aggregates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"char", b"short", b"int", b"long", b"float", b"double")

_TYPES = frozenset(
    b"%b%b%d" % (sign, kind, rank)
    for kind in (*WORDS, b"longlong")
    for sign in (b"", b"u")
    for rank in (2, 3, 4)
    if not sign or kind not in (b"float", b"double")
)
_VECTOR = re.compile(
    rb"(?<![\w.:])(?P<type>\w+)\b"
    rb"(?:\s+[A-Za-z_]\w*\s*(?P<array>(?:\[[^\[\]{};]*\]\s*)*)=?)?\s*(?=\{)"
)
"""A vector, or an array of them, and the opening brace: `float4 sum = {`, `float4{`, `float4 a[2] = {`."""
_ALIAS = re.compile(rb"\btypedef\s+(\w+)\s+(\w+)\s*;|\busing\s+(\w+)\s*=\s*(?:::\s*)?(\w+)\s*;")
_ZERO = re.compile(rb"0[uU]?(?:\.0*[fF]?)?")
_NUMBER = re.compile(rb"[+-]?\s*(?:\d|\.\d)[\w.']*")


_KEYWORDS = frozenset((b"struct", b"class", b"enum", b"namespace"))
_NEXT = re.compile(rb"(?:\s*,\s*[A-Za-z_]\w*)+\s*=?\s*(?=\{)")
"""What goes on to another variable of the declaration: `, more = {`."""
_OTHER = re.compile(rb"\{|\.\s*[A-Za-z_]|[^;]*;")
"""What is no plain value: a list, a member's name, a statement."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Lists that are too short. One value must be a number: a single vector in braces is copied."""
    types = _types(parsed)
    for match in _in_braces(parsed, types):
        if parsed.lexed.text(parsed.lexed.before(match.start())) in _KEYWORDS:
            continue
        name, start = types[match["type"]].decode(), match.start()
        more: re.Match[bytes] | None = match
        while more is not None:
            opening = more.end()
            closing = parsed.lexed.closing(opening)
            given = parsed.arguments(opening, closing)
            if match["array"] and more is match:
                yield from _flat(parsed, Span(opening, closing + 1), Span(start, closing + 1), given, name)
            elif _is_short(parsed, given, int(name[-1])):
                whole = Span(start, closing + 1)
                use = Use("name", name, Span(opening, closing + 1), whole, given, parsed.scope(start), "token")
                copied = b"=" not in more[0] and len(given) == 1
                alike = "gives that to all of them" if copied else "is refused by HIP"
                yield Hit("math/vector-braces", use, {"type": name, "alike": alike})
            start = closing + 1
            more = _NEXT.match(parsed.data, start) if closing > 0 else None


def _types(parsed: ParsedFile) -> dict[bytes, bytes]:
    """The vectors by the names that the file may call them by: their own, and those it gives them itself."""
    known = {name: name for name in _TYPES}
    for match in parsed.lexed.matches(_ALIAS, b"typedef", b"using"):
        alias, kind = (match[2], match[1]) if match[1] else (match[3], match[4])
        if kind in _TYPES and alias not in known:
            known[alias] = kind
    return known


def _in_braces(parsed: ParsedFile, types: Mapping[bytes, bytes]) -> Iterator[re.Match[bytes]]:
    """Each name of such a vector that a list follows, with a variable between them or without."""
    found = (_VECTOR.match(parsed.data, at) for at in parsed.lexed.words(frozenset(types)))
    return (match for match in found if match is not None)


def _flat(parsed: ParsedFile, braces: Span, whole: Span, given: Sequence[Span], name: str) -> Iterator[Hit]:
    """An array whose list has zeros alone, of components and not of vectors: `uint4 sums[2][2] = {0}`."""
    texts = [parsed.data[one.start : one.end].strip() for one in given]
    if texts and all(map(_ZERO.fullmatch, texts)):
        use = Use("name", name, braces, whole, tuple(given), parsed.scope(whole.start), "token")
        yield Hit("math/vector-array-braces", use, {"type": name})


def _is_short(parsed: ParsedFile, given: Sequence[Span], rank: int) -> bool:
    """Whether values in braces are plain ones and fewer than the components."""
    texts = [parsed.data[one.start : one.end].strip() for one in given]
    if not 0 < len(given) < rank or any(not text or _OTHER.match(text) is not None for text in texts):
        return False
    return len(given) > 1 or _NUMBER.fullmatch(texts[0]) is not None
