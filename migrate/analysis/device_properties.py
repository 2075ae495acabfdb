"""Which accesses to a member are reads of CUDA's or HIP's device properties, as far as a file declares the object."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

PROPERTIES = ("cudaDeviceProp", "hipDeviceProp_t", "CUdevprop")
"""The types of device properties."""
_GIVEN = re.compile(rb"\b(?P<name>\w+)\s*=\s*(?:[\w:]+::)?get(?:Current)?DeviceProperties\s*\(")
"""A name set by a function for the properties, whose type may be `auto`: `prop = at::cuda::getDeviceProperties(`."""
_NAME = re.compile(rb"(?:^|,)[\s&*]*(?P<name>[A-Za-z_]\w*)")


@cache
def _declared(types: tuple[str, ...]) -> re.Pattern[bytes]:
    """Names declared with a type: `cudaDeviceProp a, *b`; the `>` ends a template: `vector<cudaDeviceProp> all`."""
    return re.compile(rb"\b(?:%s)\b(?:\s*>)?(?:\s|[&*]|\bconst\b)*(?P<names>\w+[^;(){}]*)" % "|".join(types).encode())


def owners(parsed: ParsedFile, types: tuple[str, ...] = PROPERTIES) -> dict[bytes, list[Span]]:
    """Names of variables that hold device properties, each with the ranges in which they do, in order and apart.

    A variable of a function holds them there; any other, a member or a global, in the whole file. With other `types`
    the variables of those.
    """
    found: dict[bytes, list[Span]] = {}
    for match in parsed.lexed.starting(_declared(types), *(word.encode() for word in types)):
        for name in _NAME.finditer(match["names"]):
            found.setdefault(name["name"], []).append(_range(parsed, match.start()))
    for match in parsed.lexed.matches(_GIVEN, b"DeviceProperties") if types == PROPERTIES else ():
        found.setdefault(match["name"], []).append(_range(parsed, match.start()))
    return {name: _joined(spans) for name, spans in found.items()}


def _joined(spans: list[Span]) -> list[Span]:
    """The same ranges in order, those that overlap as one."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined


def _range(parsed: ParsedFile, offset: int) -> Span:
    function = parsed.function(offset)
    return Span(0, len(parsed.data)) if function is None else function.span


def is_property(parsed: ParsedFile, dot: int, property_owners: dict[bytes, list[Span]]) -> bool:
    """What is before the dot: a known variable, an element of one, or a call that gives device properties."""
    lexed, owner = parsed.lexed, parsed.lexed.before(dot)
    while owner is not None and lexed.text(owner) in (b"]", b")"):
        opening = lexed.opening(owner.start)
        owner = lexed.before(opening)
        if opening >= 0 and parsed.data[opening] == 40:  # a round bracket
            return lexed.text(owner) in (b"getCurrentDeviceProperties", b"getDeviceProperties")
    known = property_owners.get(lexed.text(owner), [])
    at = bisect_right(known, dot, key=lambda span: span.start) - 1
    return at >= 0 and dot < known[at].end
