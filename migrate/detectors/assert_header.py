"""`assert` without its header: nvcc includes it by itself, and HIP did before ROCm 7."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"assert",)

_ASSERT = re.compile(rb"(?<![\w.>:])assert(?=[ \t]*\()")
_HEADERS = ("cassert", "assert.h")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first `assert` in a file for nvcc that includes neither of its headers; on the host too."""
    if not parsed.is_for_nvcc or any(include.path in _HEADERS for include in parsed.includes):
        return
    for match in parsed.lexed.on_lines(_ASSERT, b"assert"):
        if parsed.hip(match.start()) is None and parsed.lexed.directive_at(match.start()) is None:
            span = Span(*match.span())
            yield Hit("build/assert-header", parsed.named_use("assert", span, "syntax"))
            return
