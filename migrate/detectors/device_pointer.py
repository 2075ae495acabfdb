"""Offsets added to device pointers of the driver API: integers for CUDA, pointers to void for HIP."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"CUdeviceptr",)

_DECLARED = re.compile(rb"\bCUdeviceptr\s*(?P<pointer>\*?)\s*(?:const\s+)?(?P<name>[A-Za-z_]\w*)\s*[;=,)({]")
"""A variable or parameter of the type, or a pointer to one: `CUdeviceptr d = 0;`, `CUdeviceptr *out)`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Sums and differences with such a variable, or with what a pointer to one points to, in its function."""
    seen: set[int] = set()
    for match in parsed.lexed.starting(_DECLARED, b"CUdeviceptr"):
        function = parsed.function(match.start())
        end = len(parsed.data) if function is None else function.span.end
        name = re.escape(match["name"])
        mention = re.compile((rb"\*\s*" if match["pointer"] else rb"(?<![\w.>*&])") + name + rb"(?!\w)")
        for found in mention.finditer(parsed.data, match.end(), end):
            start, stop = found.span()
            if start not in seen and parsed.lexed.token(stop - len(match["name"])) and _is_moved(parsed, start, stop):
                seen.add(start)
                text = found[0].decode("utf-8", "replace")
                use = parsed.named_use(text, Span(start, stop), "syntax")
                yield Hit("memory/device-pointer-offset", use, {"pointer": text})


def _is_moved(parsed: ParsedFile, start: int, stop: int) -> bool:
    """Whether these bytes are an operand of `+` or `-`, as the syntax tree says."""
    around = parsed.nodes_around(start, stop)
    if len(around) < 2 or (around[-1].start_byte, around[-1].end_byte) != (start, stop):
        return False
    outer = around[-2]
    sign = outer.child_by_field_name("operator")
    return outer.type == "binary_expression" and sign is not None and sign.type in ("+", "-")
