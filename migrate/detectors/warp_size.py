"""A warp of 32 lanes written into the code: lane arithmetic on thread indices, and constants named after the warp."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model import Hit, Span, Use
from migrate.parsed import ParsedFile

_ARITHMETIC = re.compile(
    rb"(?:threadIdx\.[xyz]|tid|tidx|thread_id|threadId|thread_idx|lane|lane_id|laneId|lane_idx)"
    rb"\s*(?:%\s*32|&\s*(?:31|0x1[fF]))[uUlL]*(?!\w)"
    rb"|(?:threadIdx|blockDim)\.[xyz]\s*(?:/\s*32|>>\s*5)[uUlL]*(?!\w)"
)
_CONSTANT = re.compile(
    rb"(?:[Ww][Aa][Rr][Pp]_?[Ss][Ii][Zz][Ee]|[Tt]hreads_?[Pp]er_?[Ww]arp|THREADS_PER_WARP)\w*"
    rb"(?:\s*=\s*|\s*\{\s*|[ \t]+\(?)32[uUlL]*(?!\w)"
)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Lane arithmetic in device code or macros, and constants of 32 whose name says warp size.

    A 32 in host code or beside a name that says nothing of lanes is a tile size as far as tokens can tell.
    """
    for match in parsed.lexed.matches(_ARITHMETIC):
        whole = _word_start(parsed, match.start()) == match.start()
        if whole and parsed.scope(match.start()) in ("device", "macro"):
            yield _hit(parsed, match.start(), match.end())
    for match in parsed.lexed.matches(_CONSTANT):
        start = _word_start(parsed, match.start())
        directive = parsed.lexed.directive_at(start)
        if b"=" in match[0] or b"{" in match[0] or (directive is not None and directive.name == "define"):
            yield _hit(parsed, start, match.end())


def _word_start(parsed: ParsedFile, offset: int) -> int:
    """Where the identifier that holds `offset` begins; a member's name begins after its dot."""
    while offset > 0 and (parsed.data[offset - 1 : offset].isalnum() or parsed.data[offset - 1] == 95):
        offset -= 1
    return offset


def _hit(parsed: ParsedFile, start: int, end: int) -> Hit:
    span = Span(start, end)
    scope = parsed.scope(start)
    return Hit("warp/hardcoded-size", Use("name", "32", span, span, (), scope, parsed.certainty(start)))
