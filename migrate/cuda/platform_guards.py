"""Conditions on the platform around code that stays."""

from __future__ import annotations

from cudamigrate.cuda.include_insertion import newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span


def outside_amd(parsed: ParsedFile, whole: Span, macro: str = "__HIP_PLATFORM_AMD__") -> list[Edit]:
    """Two lines around a range that leave it to CUDA; none where something else is on its first or last line.

    `macro` is what AMD's compiler or the platform defines.
    """
    before = parsed.data.rfind(b"\n", 0, whole.start) + 1
    after = parsed.data.find(b"\n", whole.end)
    line = newline(parsed.data)
    last, ended = (len(parsed.data), line) if after < 0 else (after + 1, b"")  # the file may end without a line break
    if parsed.data[before : whole.start].strip() or parsed.data[whole.end : last].strip():
        return []
    return [
        Edit(Span(before, before), b"#ifndef " + macro.encode() + line),
        Edit(Span(last, last), ended + b"#endif" + line),
    ]
