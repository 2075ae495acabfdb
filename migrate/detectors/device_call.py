"""The host's work done by device code: kernel launches and runtime calls in a kernel."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.function_sides import is_on_both_sides
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use

_CALLS = re.compile(
    r"cuda(?:DeviceSynchronize|DeviceGet(?:Attribute|CacheConfig|Limit|SharedMemConfig)|PeekAtLastError|GetLastError"
    r"|GetErrorString|GetErrorName|GetDeviceCount|GetDevice|RuntimeGetVersion|Malloc|Free|FuncGetAttributes"
    r"|Mem(?:cpy(?:2D|3D)?|set(?:2D|3D)?)Async|Stream(?:CreateWithFlags|Destroy|WaitEvent)"
    r"|Event(?:CreateWithFlags|Record|RecordWithFlags|Destroy)|GraphLaunch|LaunchDevice(?:V2)?"
    r"|GetParameterBuffer(?:V2)?|Occupancy\w+)"
)
"""The calls that CUDA's device runtime has; other names of the runtime do not compile in device code anyway."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Launches and runtime calls in functions that run on the device only.

    What a `__host__ __device__` function does, only the host may come to: launches there are reported once all files
    show who calls it.
    """
    for use in parsed.uses:
        if use.kind not in ("launch", "call") or not _device_only(parsed, use):
            continue
        if use.kind == "launch":
            yield Hit("launch/dynamic-parallelism", use, {"name": use.name or "a kernel"})
        elif _CALLS.fullmatch(use.name):
            yield Hit("launch/runtime-call-on-device", use, {"name": use.name})


def _device_only(parsed: ParsedFile, use: Use) -> bool:
    function = parsed.function(use.span.start) if use.scope == "device" else None
    if function is None or use.span.start < function.body.start:
        return False
    return not is_on_both_sides(parsed, function)
