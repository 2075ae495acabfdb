"""The last block adds up what the others wrote, with a fence on the writers' side only."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"__threadfence",)

_FENCE = re.compile(rb"\b__threadfence(?:_system)?\s*\(\s*\)")
"""A fence for the device or the system: `__threadfence()`, `__threadfence_system()`. The one of a block is no match."""
_TICKET = re.compile(rb"\batomic(?:Inc|Add)\s*\([^;]*;")
_LAST = re.compile(rb"\bgridDim\b|[Ll]ast_?[Bb]lock|\bis_?last|am_?last|num_?blocks\s*-\s*1", re.I)
"""What asks, in any case, whether this block is the last one: `gridDim`, `isLast`, `last_block`, `num_blocks - 1`."""
_MET = re.compile(rb"\b__syncthreads\s*\(|\bsync\s*\(")
_NEAR = 500


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """A fence, a ticket drawn with an atomic and compared with the number of blocks, then a barrier and no fence."""
    if b"__threadfence" not in parsed.data:
        return
    for function in parsed.functions:
        if function.scope != "device":
            continue
        ticket = _ticket(parsed, function)
        if ticket is not None:
            use = Use("name", "__threadfence", ticket, ticket, (), "device", parsed.certainty(ticket.start))
            yield Hit("memory/last-block", use, {"name": "__threadfence"})


def _ticket(parsed: ParsedFile, function: Function) -> Span | None:
    """The atomic after the last fence of a function, where what follows asks who came last."""
    start, end = function.body.start, function.body.end
    fences = [match for match in _FENCE.finditer(parsed.data, start, end) if parsed.lexed.is_code(match.start())]
    if not fences:
        return None
    ticket = _TICKET.search(parsed.data, fences[-1].end(), min(end, fences[-1].end() + _NEAR))
    if ticket is None or not parsed.lexed.is_code(ticket.start()):
        return None
    line = parsed.data.rfind(b";", start, ticket.start()) + 1
    asks = _LAST.search(parsed.data, max(line, start), min(end, ticket.end() + _NEAR))
    signal = _MET.search(parsed.data, ticket.end(), min(end, ticket.end() + _NEAR))
    if asks is None or signal is None:
        return None
    closing = parsed.lexed.closing(parsed.data.index(b"(", ticket.start()))
    return Span(ticket.start(), closing + 1) if closing > 0 else None
