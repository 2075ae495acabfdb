"""A warp of 32 lanes written into the code: lane arithmetic on thread indices, and constants named after the warp."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model import Hit, Span, Use
from migrate.parsed import ParsedFile

_ARITHMETIC = re.compile(rb"(?:%\s*32|&\s*(?:31|0x1[fF])|/\s*32|>>\s*5)[uUlL]*(?!\w)")
_INDICES = frozenset(b"tid tidx thread_id threadId thread_idx lane lane_id laneId lane_idx".split())
_CONSTANT = re.compile(
    rb"(?:[Ww][Aa][Rr][Pp]_?[Ss][Ii][Zz][Ee]|[Tt]hreads_?[Pp]er_?[Ww]arp|THREADS_PER_WARP)\w*"
    rb"(?:\s*=\s*|\s*\{\s*|[ \t]+\(?)32[uUlL]*(?!\w)"
)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Lane arithmetic in device code or macros, and constants of 32 whose name says warp size.

    A 32 in host code or beside a name that says nothing of lanes is a tile size as far as tokens can tell.
    """
    for match in parsed.lexed.matches(_ARITHMETIC):
        start = _index_start(parsed, match)
        if start >= 0 and parsed.scope(start) in ("device", "macro"):
            yield _hit(parsed, start, match.end())
    for match in parsed.lexed.matches(_CONSTANT):
        start = _word_start(parsed, match.start())
        directive = parsed.lexed.directive_at(start)
        if b"=" in match[0] or b"{" in match[0] or (directive is not None and directive.name == "define"):
            yield _hit(parsed, start, match.end())


def _index_start(parsed: ParsedFile, operation: re.Match[bytes]) -> int:
    """Where the thread index left of an operator begins, or -1 where something else stands there."""
    lexed, operand = parsed.lexed, parsed.lexed.before(operation.start())
    if operand is None:
        return -1
    before = lexed.before(operand.start)
    if lexed.text(before) not in (b".", b"->"):
        whole = lexed.text(operand) in _INDICES and operation[0][:1] in b"%&"
        return operand.start if whole else -1
    owner = lexed.before(before.start) if before is not None else None
    built_in = lexed.text(owner) == b"threadIdx" or (lexed.text(owner) == b"blockDim" and operation[0][:1] in b"/>")
    return owner.start if owner is not None and built_in else -1


def _word_start(parsed: ParsedFile, offset: int) -> int:
    """Where the identifier that holds `offset` begins; a member's name begins after its dot."""
    while offset > 0 and (parsed.data[offset - 1 : offset].isalnum() or parsed.data[offset - 1] == 95):
        offset -= 1
    return offset


def _hit(parsed: ParsedFile, start: int, end: int) -> Hit:
    span = Span(start, end)
    scope = parsed.scope(start)
    return Hit("warp/hardcoded-size", Use("name", "32", span, span, (), scope, parsed.certainty(start)))
