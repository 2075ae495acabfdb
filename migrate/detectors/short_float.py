"""Numbers that only fit one format of 8-bit floats, in files that use such floats."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model import Hit, Span, Use
from migrate.parsed import ParsedFile

_FLOATS = re.compile(
    rb"__nv_fp8|__NV_E4M3|__hip_fp8_e4m3\b|Float8_e4m3fn\b|float8_e4m3fn?\b|kFloat8_e4m3fn\b|\bfp8_e4m3\b|CUDA_R_8F_E4M3"
)
_LARGEST = re.compile(rb"(?<![\w.])(?:448(?:\.0*)?[fF]?|\(1\.0?f?\s*/\s*448(?:\.0*)?f?\))(?![\w.])")
_OTHER = re.compile(rb"fnuz|FNUZ|(?<![\w.])2(?:24|40)\.0*[fF]?(?![\w.])")
"""What shows that the file knows of the other format."""
_INTEGER = re.compile(rb"448")
_NAMED = re.compile(rb"(?i)max|scale|limit|range|e4m3|fp8|float8|clamp|amax|quant")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """448, the largest number of OCP's E4M3, as a float, or as an integer beside a word that tells what it is.

    A file that speaks of the other format has been looked after.
    """
    if b"448" not in parsed.data or _OTHER.search(parsed.data) is not None or _FLOATS.search(parsed.data) is None:
        return
    for match in parsed.lexed.matches(_LARGEST):
        if _INTEGER.fullmatch(match[0]) is not None:
            line = parsed.source.line(parsed.source.position(match.start()).line)
            if _NAMED.search(line.encode()) is None:
                continue
        span = Span(match.start(), match.end())
        use = Use("name", "448", span, span, (), parsed.scope(span.start), "token")
        yield Hit("math/fp8-largest", use)
