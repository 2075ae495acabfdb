"""Macros that stand for a `#pragma`: nvcc reads what the preprocessor made of them once more, and clang does not."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"pragma",)

_MACRO = re.compile(rb"#[ \t]*define[ \t]+(\w+)(?:[ \t]|\\\r?\n)+(#[ \t]*pragma[ \t]+(\w[\w \t]*))")
"""A macro without arguments and its pragma, which names no macro of its own: `#define UNROLL #pragma unroll`.
The pragma may be on the next line, behind a backslash."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each definition of such a macro."""
    for directive in parsed.lexed.directives:
        found = _MACRO.match(parsed.data, directive.start) if directive.name == "define" else None
        if found is not None and parsed.data[found.end() : found.end() + 1] in (b"\n", b"\r", b""):
            place = Span(found.start(2), found.start(2) + len(found[2].rstrip()))
            use = Use("name", found[1].decode(), place, place, (), "unknown", "token")
            yield Hit("build/pragma-macro", use, {"name": found[1].decode(), "text": found[2].decode().strip()})
