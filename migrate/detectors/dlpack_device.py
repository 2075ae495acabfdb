"""Device types of DLPack that say CUDA: what frameworks built for AMD exchange says ROCm."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = ((b"kDLCUDA",), (b"kDLGPU",))

_TYPE = re.compile(rb"\bkDL(?:CUDA|GPU)\b")
_BESIDE = re.compile(rb"\bkDLROCM\b")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first such type in each function; none in a file that knows of AMD's, and none where it is declared."""
    if any(parsed.lexed.matches(_BESIDE)):
        return
    seen = set[int]()
    for match in parsed.lexed.matches(_TYPE):
        function = parsed.function(match.start())
        if function is not None and function.span.start not in seen:
            seen.add(function.span.start)
            yield Hit("library/dlpack-device", parsed.named_use(match[0].decode(), Span(*match.span())))
