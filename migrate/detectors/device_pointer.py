"""Calculations with device pointers of the driver API: integers for CUDA, pointers to void for HIP."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import device_pointers
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"CUdeviceptr",)

_DECLARED = re.compile(rb"\bCUdeviceptr\s*(?P<sign>[*&]?)\s*(?:const\s+)?(?P<name>[A-Za-z_]\w*)\s*[;=,)({]")
"""A variable or parameter of the type, a reference or a pointer to one: `CUdeviceptr d = 0;`, `CUdeviceptr *out)`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Sums, differences and steps of such a variable, or of what a pointer to one points to, in its function.

    Casts to the type too, where they are operands, and of pointers to const: a pointer to void keeps the const that an
    integer has not.
    """
    for start in parsed.lexed.words(frozenset(WORDS)):
        named = Span(start, start + len(WORDS[0]))
        for hit in (device_pointers.cast(parsed, named), device_pointers.made(parsed, named)):
            yield from (hit,) if hit is not None else ()
        operand = device_pointers.converted(parsed, start)
        yield from (operand,) if operand is not None else ()
    seen: set[int] = set()
    for match in parsed.lexed.starting(_DECLARED, b"CUdeviceptr"):
        function = parsed.function(match.start())
        end = len(parsed.data) if function is None else function.span.end
        name = re.escape(match["name"])
        mention = re.compile((rb"\*\s*" if match["sign"] == b"*" else rb"(?<![\w.>*&])") + name + rb"(?!\w)")
        for found in mention.finditer(parsed.data, match.end(), end):
            start, stop = found.span()
            if start not in seen and parsed.lexed.token(stop - len(match["name"])):
                hit = device_pointers.moved(parsed, start, stop)
                seen.update((start,) if hit is not None else ())
                yield from (hit,) if hit is not None else ()
