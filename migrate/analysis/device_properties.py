"""Which accesses to a member are reads of CUDA's or HIP's device properties, as far as a file declares the object."""

from __future__ import annotations

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_TYPE = rb"(?:cudaDeviceProp|hipDeviceProp_t|CUdevprop)"
_DECLARED = re.compile(rb"\b" + _TYPE + rb"\b(?:\s*>)?(?:\s|[&*]|\bconst\b)*(?P<names>\w+[^;(){}]*)")
"""Names declared with the type: `cudaDeviceProp a, *b`; the `>` ends a template: `std::vector<cudaDeviceProp> all`."""
_GIVEN = re.compile(rb"\b(?P<name>\w+)\s*=\s*(?:[\w:]+::)?get(?:Current)?DeviceProperties\s*\(")
"""A name set by a function for the properties, whose type may be `auto`: `prop = at::cuda::getDeviceProperties(`."""
_NAME = re.compile(rb"(?:^|,)[\s&*]*(?P<name>[A-Za-z_]\w*)")


def owners(parsed: ParsedFile) -> dict[bytes, list[Span]]:
    """Names of variables that hold device properties, each with the ranges in which they do.

    A variable of a function holds them there; any other, a member or a global, in the whole file.
    """
    found: dict[bytes, list[Span]] = {}
    for match in parsed.lexed.matches(_DECLARED):
        for name in _NAME.finditer(match["names"]):
            found.setdefault(name["name"], []).append(_range(parsed, match.start()))
    for match in parsed.lexed.matches(_GIVEN):
        found.setdefault(match["name"], []).append(_range(parsed, match.start()))
    return found


def _range(parsed: ParsedFile, offset: int) -> Span:
    function = parsed.function(offset)
    return Span(0, len(parsed.data)) if function is None else function.span


def is_property(parsed: ParsedFile, dot: int, property_owners: dict[bytes, list[Span]]) -> bool:
    """What is before the dot: a known variable, an element of one, or a call that gives device properties."""
    lexed, owner = parsed.lexed, parsed.lexed.before(dot)
    while owner is not None and lexed.text(owner) in (b"]", b")"):
        depth = 0
        while owner is not None:
            depth += {b"]": 1, b")": 1, b"[": -1, b"(": -1}.get(lexed.text(owner), 0)
            inner, owner = owner, lexed.before(owner.start)
            if depth == 0:
                break
        if lexed.text(inner) == b"(":
            return lexed.text(owner) in (b"getCurrentDeviceProperties", b"getDeviceProperties")
    return any(span.start <= dot < span.end for span in property_owners.get(lexed.text(owner), ()))
