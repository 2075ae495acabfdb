"""Calls that switch the profiler on or off, and whose result nobody reads."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit

WORDS = (b"ProfilerSt",)
INSTEAD = True  # a checked call fails where HIP's does nothing

_CALL = re.compile(r"cu(?:da)?ProfilerSt(art|op)")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls that are a statement of their own, as the syntax tree says; behind `(void)` too."""
    for use in parsed.uses:
        match = _CALL.fullmatch(use.name)
        if match is None or use.kind != "call":
            continue
        around = [one for one in parsed.nodes_around(use.extent.start, use.extent.end) if one.type != "cast_expression"]
        if [one.type for one in around[-2:]] == ["expression_statement", "call_expression"]:
            yield Hit(f"library/profiler-st{match[1]}-statement", use)
