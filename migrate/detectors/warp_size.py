"""A warp of 32 lanes written into the code: lane arithmetic on thread indices, and constants named after the warp."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model import Hit, Span, Use
from migrate.parsed import ParsedFile

_ARITHMETIC = re.compile(
    rb"\bthreadIdx\.[xyz]\s*(?:%\s*32|/\s*32|&\s*(?:31|0x1[fF])|>>\s*5)(?:[uUlL]*)\b"
    rb"|\b(?:tid|tidx|thread_id|threadId|thread_idx|lane|lane_id|laneId|lane_idx)\s*(?:%\s*32|&\s*(?:31|0x1[fF]))[uUlL]*\b"
    rb"|\bblockDim\.[xyz]\s*(?:/\s*32|>>\s*5)[uUlL]*\b"
)
_CONSTANT = re.compile(
    rb"#[ \t]*define[ \t]+(?P<macro>\w*[Ww][Aa][Rr][Pp]_?[Ss][Ii][Zz][Ee]\w*|\w*THREADS_PER_WARP\w*)[ \t]+\(?32[uUlL]*\)?(?=\s|$)"
    rb"|\b(?P<name>k?\w*[Ww][Aa][Rr][Pp]_?[Ss][Ii][Zz][Ee]|\w*THREADS_PER_WARP|kThreadsPerWarp)\s*(?:=\s*|\{\s*)32[uUlL]*\b"
)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Lane arithmetic in device code or macros, and constants of 32 whose name says warp size.

    A 32 in host code or beside a name that says nothing of lanes is a tile size as far as tokens can tell.
    """
    for match in parsed.lexed.matches(_ARITHMETIC):
        if parsed.scope(match.start()) in ("device", "macro"):
            yield _hit(parsed, match)
    for match in parsed.lexed.matches(_CONSTANT):
        yield _hit(parsed, match)


def _hit(parsed: ParsedFile, match: re.Match[bytes]) -> Hit:
    span = Span(match.start(), match.end())
    scope = parsed.scope(span.start)
    return Hit("warp/hardcoded-size", Use("name", "32", span, span, (), scope, parsed.certainty(span.start)))
