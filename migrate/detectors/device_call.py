"""The host's work done by device code: kernel launches, those of CUB's too, and runtime calls in a kernel."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda import called_kernels
from cudamigrate.cuda.function_sides import is_on_both_sides
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

_CALLS = re.compile(
    r"cuda(?:DeviceSynchronize|DeviceGet(?:Attribute|CacheConfig|Limit|SharedMemConfig)|PeekAtLastError|GetLastError"
    r"|GetErrorString|GetErrorName|GetDeviceCount|GetDevice|RuntimeGetVersion|Malloc|Free|FuncGetAttributes"
    r"|Mem(?:cpy(?:2D|3D)?|set(?:2D|3D)?)Async|Stream(?:CreateWithFlags|Destroy|WaitEvent)"
    r"|Event(?:CreateWithFlags|Record|RecordWithFlags|Destroy)|GraphLaunch|LaunchDevice(?:V2)?"
    r"|GetParameterBuffer(?:V2)?|Occupancy\w+)"
)
"""The calls that CUDA's device runtime has; other names of the runtime do not compile in device code anyway."""
_DEVICE_WIDE = re.compile(
    rb"(?<![\w.:>])(?:::\s*)?(?P<name>(?P<space>cub\s*::\s*)?Device(?:Reduce|Scan|RadixSort|MergeSort|SegmentedRadixSort"
    rb"|SegmentedReduce|SegmentedSort|Select|Partition|RunLengthEncode|Histogram|AdjacentDifference|SpmvSuite|For"
    rb"|Transform|Copy|Memcpy)\s*::\s*\w+)(?=\s*[<(])"
)
"""A call of CUB's for the whole device: `cub::DeviceScan::ExclusiveSum(`."""
_OPENED = re.compile(rb"\busing\s+namespace\s+(?:::\s*)?cub\s*;")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Launches and runtime calls in functions that run on the device only.

    What a `__host__ __device__` function does, only the host may come to: launches there are reported once all files
    show who calls it. In a file that the host's compiler alone can get, none runs on the device.
    """
    if called_kernels.are_called(parsed.source.path, parsed.data, parsed.lexed):
        return
    for use in parsed.uses:
        if use.kind not in ("launch", "call") or not _device_only(parsed, use):
            continue
        if use.kind == "launch":
            yield Hit("launch/dynamic-parallelism", use, {"name": use.name or "a kernel"})
        elif _CALLS.fullmatch(use.name):
            yield Hit("launch/runtime-call-on-device", use, {"name": use.name})
    yield from _device_wide(parsed)


def _device_wide(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls of CUB's functions for the whole device, each of which launches kernels."""
    opened = any(True for _ in parsed.lexed.matches(_OPENED, b"cub"))
    for match in parsed.lexed.matches(_DEVICE_WIDE, b"Device"):
        if not (match["space"] or opened) or parsed.hip(match.start()) is not None:
            continue
        span = Span(match.start("name"), match.end("name"))
        use = parsed.named_use(match["name"].decode(), span)
        if _device_only(parsed, use):
            yield Hit("launch/dynamic-parallelism", use, {"name": "".join(use.name.split())})


def _device_only(parsed: ParsedFile, use: Use) -> bool:
    function = parsed.function(use.span.start) if use.scope == "device" else None
    if function is None or use.span.start < function.body.start:
        return False
    return not is_on_both_sides(parsed, function)
