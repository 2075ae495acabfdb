"""Arithmetic with device pointers of the driver API: integers for CUDA, pointers to void for HIP."""

from __future__ import annotations

from cudamigrate.cuda import declarations
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

OFFSET, STEP = "memory/device-pointer-offset", "memory/device-pointer-step"
CAST = "memory/device-pointer-cast"
TYPE = "CUdeviceptr"
_BEFORE = re.compile(rb"\breinterpret_cast\s*<\s*\Z")
_BEHIND = re.compile(rb"\s*>\s*\(\s*(?P<name>[A-Za-z_]\w*)\s*\)")
_LONGEST = 60


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


def cast(parsed: ParsedFile, named: Span) -> Hit | None:
    """The hit where these bytes, the type of device pointers, are what a pointer to const is reinterpreted as.

    To make an integer of the address is no matter of const; a pointer to void keeps it.
    """
    before = _BEFORE.search(parsed.data, max(0, named.start - _LONGEST), named.start)
    behind = _BEHIND.match(parsed.data, named.end)
    around = parsed.nodes_around(named.start, named.end)
    function = next((one for one in reversed(around) if one.type == "function_definition"), None)
    if before is None or behind is None or function is None:
        return None
    kinds = [local for name, local in declarations.declared(function) if name == behind["name"]]
    if not kinds or any(local.rank != 1 or b"const" not in local.qualifiers for local in kinds):
        return None
    span = Span(before.start(), behind.end())
    use = parsed.named_use(behind["name"].decode("latin-1"), span, "syntax")
    return Hit(CAST, use, {"pointer": use.name})
