"""Whether kernels of a file publish what they write to memory that the host looks at while they run.

HIP's pinned memory is coherent unless it is asked for otherwise, and AMD's compiler lets a store through a volatile
pointer pass the caches. What must be seen beside it is a fence for the whole system, which orders what was written
before.
"""

from __future__ import annotations

from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re

_PINNED = re.compile(
    rb"\b(?P<kind>(?:cuda|hip)(?:HostAlloc|MallocHost|HostRegister|HostMalloc|MallocManaged)\b|cuMem(?:Host)?Alloc\w*)"
)
_COHERENT = re.compile(rb"(?:cuda|hip)(?:HostAlloc|MallocHost|HostMalloc)")
_OTHERWISE = re.compile(rb"NonCoherent|WriteCombined")
_FENCE = b"__threadfence_system"
_POINTER = re.compile(rb"\bvolatile\s+[\w:]+(?:\s+[\w:]+)?\s*\*\s*(?:const\s+|__restrict__\s+)*(\w+)")
_STORE = re.compile(rb"(?:\*\s*(?P<star>\w+)|\b(?P<indexed>\w+)\s*\[[^\[\]]*\])\s*[-+|&^]?=(?!=)")


def publishes(parsed: ParsedFile) -> bool:
    """Whether all host memory of a file is coherent, and all its stores to volatile memory are in fenced functions."""
    kinds = [match["kind"] for match in parsed.lexed.matches(_PINNED)]
    if not kinds or not all(map(_COHERENT.fullmatch, kinds)) or _OTHERWISE.search(parsed.data):
        return False
    fenced = [_FENCE in parsed.data[one.body.start : one.body.end] for one in parsed.functions if _stores(parsed, one)]
    return bool(fenced) and all(fenced)


def _stores(parsed: ParsedFile, function: Function) -> bool:
    """Whether device code stores through a volatile pointer that it declares."""
    if parsed.scope(function.body.start) != "device":
        return False
    names = set(_POINTER.findall(parsed.data, function.span.start, function.span.end))
    stores = _STORE.finditer(parsed.data, function.body.start, function.body.end) if names else ()
    return any((one["star"] or one["indexed"]) in names for one in stores)
