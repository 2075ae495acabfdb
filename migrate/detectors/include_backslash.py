"""Headers that an include names with backslashes, which only compilers of Windows take for folders."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Span, Use

WORDS = (b"include",)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such include that HIP may read; a drive before it is a place on one machine, where slashes do not help."""
    for include in parsed.includes:
        start, end = include.span.start + 1, include.span.end - 1
        spelled = parsed.data[start:end]
        if b"\\" in spelled and b":" not in spelled and parsed.hip(include.line.start) is not False:
            span = Span(start, end)
            words = {"path": spelled.replace(b"\\", b"/").decode("utf-8", "replace")}
            yield Hit("build/include-backslash", Use("name", "", span, span, (), "macro", "token"), words)
