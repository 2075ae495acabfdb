"""Vectors of CUDA's that braces give fewer values than they have components: the rest is zero, and not so for HIP."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    rb"(?<![\w.:])(?P<type>\w+(?P<rank>[234]))\b"
    rb"(?:\s+[A-Za-z_]\w*\s*=?)?\s*(?=\{)"
)
"""A vector and the opening brace of its values: `float4 sum = {`, `float4 sum{`, `float4{`."""
_NUMBER = re.compile(rb"[+-]?\s*(?:\d|\.\d)[\w.']*")


_KEYWORDS = frozenset((b"struct", b"class", b"enum", b"namespace"))
_NEXT = re.compile(rb"(?:\s*,\s*[A-Za-z_]\w*)+\s*=?\s*(?=\{)")
"""What goes on to another variable of the declaration: `, more = {`."""
_OTHER = re.compile(rb"\{|\.\s*[A-Za-z_]|[^;]*;")
"""What is no plain value: a list, a member's name, a statement."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Lists that are too short. One value must be a number: a single vector in braces is copied."""
    for match in _in_braces(parsed):
        if parsed.lexed.text(parsed.lexed.before(match.start())) in _KEYWORDS:
            continue
        name, start = match["type"].decode(), match.start()
        more: re.Match[bytes] | None = match
        while more is not None:
            opening = more.end()
            closing = parsed.lexed.closing(opening)
            given = parsed.arguments(opening, closing)
            if _is_short(parsed, given, int(match["rank"])):
                whole = Span(start, closing + 1)
                use = Use("name", name, Span(opening, closing + 1), whole, given, parsed.scope(start), "token")
                copied = b"=" not in more[0] and len(given) == 1
                alike = "gives that to all of them" if copied else "is refused by HIP"
                yield Hit("math/vector-braces", use, {"type": name, "alike": alike})
            start = closing + 1
            more = _NEXT.match(parsed.data, start) if closing > 0 else None


def _in_braces(parsed: ParsedFile) -> Iterator[re.Match[bytes]]:
    """Each name of such a vector that a list follows, with a variable between them or without."""
    found = (_VECTOR.match(parsed.data, at) for at in parsed.lexed.words(_TYPES))
    return (match for match in found if match is not None)


def _is_short(parsed: ParsedFile, given: Sequence[Span], rank: int) -> bool:
    """Whether values in braces are plain ones and fewer than the components."""
    texts = [parsed.data[one.start : one.end].strip() for one in given]
    if not 0 < len(given) < rank or any(not text or _OTHER.match(text) is not None for text in texts):
        return False
    return len(given) > 1 or _NUMBER.fullmatch(texts[0]) is not None
