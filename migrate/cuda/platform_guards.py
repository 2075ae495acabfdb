"""Conditions on the platform around code that stays."""

from __future__ import annotations

from cudamigrate.cuda.include_insertion import newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span

OUTSIDE = b"#ifndef __HIP_PLATFORM_AMD__"
"""What leaves code to CUDA below HIP's headers, which define the macro."""
OUTSIDE_EARLY = b"#if !defined(__HIP_PLATFORM_AMD__) && !defined(__HIP__)"
"""The same above them, where only the options of a build can have defined it: clang says that it compiles HIP."""


def outside_amd(parsed: ParsedFile, whole: Span, early: bool = False) -> list[Edit]:
    """Two lines around a range that leave it to CUDA; none where something else is on its first or last line.

    `early` is for code that may be above HIP's headers.
    """
    before = parsed.data.rfind(b"\n", 0, whole.start) + 1
    after = parsed.data.find(b"\n", whole.end)
    line = newline(parsed.data)
    last, ended = (len(parsed.data), line) if after < 0 else (after + 1, b"")  # the file may end without a line break
    if parsed.data[before : whole.start].strip() or parsed.data[whole.end : last].strip():
        return []
    return [
        Edit(Span(before, before), (OUTSIDE_EARLY if early else OUTSIDE) + line),
        Edit(Span(last, last), ended + b"#endif" + line),
    ]
