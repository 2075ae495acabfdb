"""Decisions by compute capability: on AMD `major` is the GFX version and passes every such test."""

from __future__ import annotations

import operator
from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"major",)

_COMPARED = re.compile(
    rb"\b\w+(?:\[[^\]\n]*\]|\(\s*\w*\s*\))?(?:\.|->)(?:major|minor)\s*(?:[<>]=?|[!=]=)\s*\d+"
    rb"|\b\d+\s*(?:[<>]=?|[!=]=)\s*\w+(?:\.|->)(?:major|minor)\b"
    rb"|\b\w+(?:\(\s*\w*\s*\))?(?:\.|->)major\s*\*\s*10+\s*\+\s*\w+(?:\(\s*\w*\s*\))?(?:\.|->)minor\b"
)
"""`prop.major >= 8`, `props[i].minor == 0`, `8 <= p->major`, and `prop.major * 10 + prop.minor`, one number of both."""
_TEST = re.compile(rb"(?P<part>major|minor)\s*(?P<sign>[<>]=?|[!=]=)\s*(?P<number>\d+)\Z")
_REVERSED = re.compile(rb"\A(?P<number>\d+)\s*(?P<sign>[<>]=?|[!=]=).*?(?P<part>major|minor)\Z", re.DOTALL)
_SIGNS = {
    b"<": operator.lt,
    b"<=": operator.le,
    b">": operator.gt,
    b">=": operator.ge,
    b"==": operator.eq,
    b"!=": operator.ne,
}
_MIRRORED = {b"<": b">", b"<=": b">=", b">": b"<", b">=": b"<="}
_VALUES = {b"major": range(5, 13), b"minor": range(10)}
"""What the two are on GPUs in use: compute capability 5.0 to 12.1, and GFX versions 9.0 to 12.0."""
_PROPERTIES = re.compile(
    rb"cudaDeviceProp|hipDeviceProp|getCurrentDeviceProperties|getDeviceProperties|cudaGetDeviceProp|get_device_prop"
)
"""What a file holds whose `major` is a GPU's and no other version's: `cudaDeviceProp`, `getDeviceProperties`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """`prop.major >= 8` and `prop.major * 10 + prop.minor` in files that read device properties.

    A test with one answer for all GPUs of both vendors, as `major < 1` of an emulated device, is none of a capability.
    """
    if _PROPERTIES.search(parsed.data) is None:
        return
    for match in parsed.lexed.on_lines(_COMPARED, b"major", b"minor"):
        span = Span(match.start(), match.end())
        scope = parsed.scope(span.start)
        if scope != "device" and not _is_settled(match[0]):
            yield Hit("memory/device-major", Use("name", "major", span, span, (), scope, "token"))


def _is_settled(test: bytes) -> bool:
    """Whether a comparison has the same answer on every GPU in use."""
    straight = _TEST.search(test)
    match = straight or _REVERSED.match(test)
    if match is None:
        return False
    sign = match["sign"] if straight else _MIRRORED.get(match["sign"], match["sign"])
    return len({_SIGNS[sign](value, int(match["number"])) for value in _VALUES[match["part"]]}) == 1
