"""Arithmetic with device pointers of the driver API: integers for CUDA, pointers to void for HIP."""

from __future__ import annotations

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Span

OFFSET, STEP = "memory/device-pointer-offset", "memory/device-pointer-step"


def moved(parsed: ParsedFile, start: int, stop: int) -> Hit | None:
    """The hit where these bytes, a device pointer, are an operand of `+` or `-`, or step by `+=`, as the tree says."""
    around = parsed.nodes_around(start, stop)
    if len(around) < 2 or (around[-1].start_byte, around[-1].end_byte) != (start, stop):
        return None
    outer = around[-2]
    sign = outer.child_by_field_name("operator")
    text = parsed.data[start:stop].decode("utf-8", "replace")
    use = parsed.named_use(text, Span(start, stop), "syntax")
    if sign is None:
        return None
    if outer.type == "binary_expression" and sign.type in ("+", "-"):
        return Hit(OFFSET, use, {"pointer": text})
    steps = outer.type == "assignment_expression" and sign.type in ("+=", "-=")
    is_left = outer.child_by_field_name("left") == around[-1]
    return Hit(STEP, use, {"pointer": text}) if steps and is_left else None
