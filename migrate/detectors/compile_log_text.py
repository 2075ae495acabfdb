"""Words of NVRTC's messages that a program looks for in the log of a compilation at run time."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"rtcGetProgramLog",)

_LOG = re.compile(rb"\b(?:nvrtc|hiprtc)GetProgramLog\b")
_SAID = re.compile(rb"(?:could not|cannot) open source file|catastrophic error")
"""What the front end of NVRTC says, and clang's does not."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each text with such words, in a file that takes the log."""
    if not any(parsed.lexed.matches(_LOG, b"GetProgramLog")):
        return
    for start, end in zip(parsed.lexed.starts, parsed.lexed.ends, strict=True):
        said = _SAID.search(parsed.data, start, end) if parsed.data[start : start + 1] == b'"' else None
        directive = parsed.lexed.directive_at(start)
        if said is not None and parsed.hip(start) is None and (directive is None or directive.name == "define"):
            span = Span(start, end)
            yield Hit("library/compile-log-text", parsed.named_use("log", span, "token"))
