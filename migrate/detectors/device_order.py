"""GPUs put in order by compute capability, `a.major > b.major`: AMD has GFX versions there, in no such order."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.device_properties import MENTIONED
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"major", b"minor")

_OBJECT = rb"(?:\w+(?:\[[^\]\n]*\]|\(\s*\w*\s*\))?(?:\.|->))+"
_BETWEEN = re.compile(rb"\b" + _OBJECT + rb"(major|minor)\s*[<>]=?\s*" + _OBJECT + rb"\1\b")
"""`p.major > best.major`."""
_BEST = re.compile(rb"\b" + _OBJECT + rb"(major|minor)\s*[<>]=?\s*([A-Za-z_]\w*)\b(?!\s*(?:\.|->|\[|\())")
"""`p.major > best`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Comparisons of two GPUs' numbers, or of one with a variable that the file gives the same number of a GPU."""
    if MENTIONED.search(parsed.data) is None:
        return
    for match in parsed.lexed.on_lines(_BETWEEN, b"major", b"minor"):
        yield from _hit(parsed, *match.span())
    for match in parsed.lexed.on_lines(_BEST, b"major", b"minor"):
        if any(parsed.lexed.matches(re.compile(rb"\b%s\s*=\s*%s%s\b" % (match[2], _OBJECT, match[1])), match[2])):
            yield from _hit(parsed, *match.span())


def _hit(parsed: ParsedFile, start: int, end: int) -> Iterator[Hit]:
    scope = parsed.scope(start)
    if scope != "device":
        span = Span(start, end)
        yield Hit("memory/device-order", Use("name", "major", span, span, (), scope, "token"))
