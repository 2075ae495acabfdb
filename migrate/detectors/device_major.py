"""Decisions by compute capability: on AMD `major` is the GFX version and passes every such test."""

from __future__ import annotations

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
_PROPERTIES = re.compile(
    rb"cudaDeviceProp|hipDeviceProp|getCurrentDeviceProperties|getDeviceProperties|cudaGetDeviceProp|get_device_prop"
)
"""What a file holds whose `major` is a GPU's and no other version's: `cudaDeviceProp`, `getDeviceProperties`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """`prop.major >= 8` and `prop.major * 10 + prop.minor` in files that read device properties."""
    if b"major" not in parsed.data or _PROPERTIES.search(parsed.data) is None:
        return
    for match in parsed.lexed.on_lines(_COMPARED, b"major", b"minor"):
        span = Span(match.start(), match.end())
        scope = parsed.scope(span.start)
        if scope != "device":
            yield Hit("memory/device-major", Use("name", "major", span, span, (), scope, "token"))
