"""Bit operations of 32 bits on a lane mask, which has 64 bits on AMD."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"__ballot", b"__activemask", b"__match_")

_NESTED = re.compile(
    rb"\b(?:__popc|__ffs|__clz|__brev|__fns)\s*\(\s*(?:__ballot(?:_sync)?|__activemask|__match_any_sync|__match_all_sync)\s*\("
)
"""A 32-bit operation on a vote itself: `__popc(__ballot_sync(`."""
_STORED = re.compile(
    rb"\b(?:unsigned(?:\s+int)?|uint32_t|int|uint)\s+(?:const\s+)?(?P<name>\w+)\s*=\s*"
    rb"(?:__ballot(?:_sync)?|__activemask|__match_any_sync|__match_all_sync)\s*\("
)
"""A vote kept in a 32-bit variable: `unsigned m = __ballot(`; wider types keep all bits."""

_OPERATION = re.compile(rb"\b(?:__popc|__ffs|__clz|__brev|__fns)\s*\((?P<given>[^;()]*)")
"""A 32-bit operation and what it is given: `__popc(mask & 3`."""
_NAME = re.compile(rb"\w+")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """`__popc(__ballot(...))` and the like, and 32-bit operations on a variable that was given a vote's result."""
    for match in parsed.lexed.matches(_NESTED):
        yield _hit(parsed, match.start())
    operations: dict[bytes, list[int]] = {}
    for match in parsed.lexed.matches(_OPERATION):
        for name in dict.fromkeys(_NAME.findall(match["given"])):
            operations.setdefault(name, []).append(match.start())
    for match in parsed.lexed.matches(_STORED):
        function = parsed.function(match.start())
        places = operations.get(match["name"], [])
        if function is not None:
            for place in places[bisect_left(places, match.end()) : bisect_left(places, function.span.end)]:
                yield _hit(parsed, place)


def _hit(parsed: ParsedFile, start: int) -> Hit:
    name = parsed.lexed.token(start)
    opening = parsed.data.index(b"(", start)
    closing = parsed.lexed.closing(opening)
    span = Span(start, (closing if closing > 0 else opening) + 1)
    text = parsed.lexed.text(name).decode("latin-1")
    use = Use("call", text, span, span, (), parsed.scope(start), parsed.certainty(start))
    return Hit("warp/mask-popcount", use, {"name": text})
