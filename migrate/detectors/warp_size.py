"""Constants of 32 named after the warp."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model import Hit, Span, Use
from migrate.parsed import ParsedFile

_NAME = rb"(?:[Ww][Aa][Rr][Pp]_?[Ss][Ii][Zz][Ee]|[Tt]hreads_?[Pp]er_?[Ww]arp|THREADS_PER_WARP)\w*"
_CONSTANT = re.compile(_NAME + rb"(?:\s*=\s*|\s*\{\s*|[ \t]+\(?)32[uUlL]*(?!\w)")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Macros, constants and enumerators; silent where the file gives the name another value for HIP."""
    for match in parsed.lexed.matches(_CONSTANT):
        start = _word_start(parsed, match.start())
        directive = parsed.lexed.directive_at(start)
        if b"=" not in match[0] and b"{" not in match[0] and (directive is None or directive.name != "define"):
            continue
        if not _has_twin(parsed, start):
            span = Span(start, match.end())
            use = Use("name", "32", span, span, (), parsed.scope(start), parsed.certainty(start))
            yield Hit("warp/hardcoded-size", use)


def _has_twin(parsed: ParsedFile, start: int) -> bool:
    """Whether code for HIP alone defines the same name."""
    name = parsed.lexed.text(parsed.lexed.token(start))
    places = re.finditer(rb"\b" + re.escape(name) + rb"\b", parsed.data)
    return parsed.hip(start) is False or any(parsed.hip(place.start()) is True for place in places)


def _word_start(parsed: ParsedFile, offset: int) -> int:
    """Where the identifier that holds `offset` begins; a member's name begins after its dot."""
    while offset > 0 and (parsed.data[offset - 1 : offset].isalnum() or parsed.data[offset - 1] == 95):
        offset -= 1
    return offset
