"""Calls that switch the profiler on or off: those whose result nobody reads, and those whose result is a value."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit

WORDS = (b"ProfilerSt",)
INSTEAD = True  # HIP's call does nothing, and says so by an error

_CALL = re.compile(r"cu(?:da)?ProfilerSt(art|op)")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls that are a statement of their own, as the syntax tree says, behind `(void)` too; all others are values.

    A call in a macro may be either, and what is written for a value is a statement too.
    """
    for use in parsed.uses:
        match = _CALL.fullmatch(use.name)
        if match is None or use.kind != "call":
            continue
        around = [one for one in parsed.nodes_around(use.extent.start, use.extent.end) if one.type != "cast_expression"]
        kinds = [one.type for one in around[-2:]]
        directive = parsed.lexed.directive_at(use.span.start)
        if kinds == ["expression_statement", "call_expression"]:
            yield Hit(f"library/profiler-st{match[1]}-statement", use)
        elif kinds[-1:] == ["call_expression"] or (directive is not None and directive.name == "define"):
            yield Hit(f"library/profiler-st{match[1]}-value", use)
