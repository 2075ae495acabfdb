"""Floats wider than double in device code, which is compiled without a word and works in double."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"long", b"__float128", b"_Quad", b"_Float128")

_WIDE = re.compile(rb"\b(?:long\s+double|__float128|_Quad|_Float128)\b(?=\s*[&*]*\s*(?:[A-Za-z_]|\)))")
"""A type wider than `double`, before a name or a bracket: `long double x`, `(__float128)`; not `f<long double>`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first of each such type that a function of the device declares or casts to; template arguments are none."""
    seen = set()
    for match in parsed.lexed.starting(_WIDE, b"long", b"__float128", b"_Quad", b"_Float128"):
        name = " ".join(match[0].decode().split())
        if name in seen or parsed.scope(match.start()) != "device" or parsed.hip(match.start()) is not None:
            continue
        seen.add(name)
        span = Span(match.start(), match.end())
        use = Use("name", name, span, span, (), "device", parsed.certainty(match.start()))
        yield Hit("math/wide-float", use, {"name": name})
