"""Members of the device properties that HIP lacks, or that say something else on AMD."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.device_properties import is_property, owners
from cudamigrate.analysis.printed_values import is_printed
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

_READ = re.compile(rb"\b(?:cudaDeviceProp|hipDeviceProp_t|CUdevprop|get(?:Current)?DeviceProperties)\b")
"""How a file gets device properties: `cudaDeviceProp`, `CUdevprop`, PyTorch's `getCurrentDeviceProperties`."""
_RULES = {
    "memory/deferred-array-property": "deferredMappingCudaArraySupported",
    "memory/sparse-array-property": "sparseCudaArraySupported",
    "memory/missing-property": "deviceNumaConfig deviceNumaId gpuPciDeviceID gpuPciSubsystemID hostNumaId"
    " hostNumaMultinodeIpcSupported mpsEnabled",
    "memory/shared-memory-property": "sharedMemPerMultiprocessor",
    "memory/shared-memory-on-request": "sharedMemPerBlockOptin",
    "memory/unfilled-property": "reservedSharedMemPerBlock singleToDoublePrecisionPerfRatio maxTexture2DGather"
    " maxTexture2DLinear maxTexture3DAlt maxTextureCubemap maxTextureCubemapLayered",
    "memory/persisting-cache-property": "persistingL2CacheMaxSize accessPolicyMaxWindowSize",
    "memory/block-count-property": "maxBlocksPerMultiProcessor",
    "memory/unified-addressing-property": "unifiedAddressing",
    "memory/cache-size-property": "l2CacheSize",
    "memory/register-property": "regsPerBlock regsPerMultiprocessor",
}
_FIELDS = {field.encode(): rule for rule, fields in _RULES.items() for field in fields.split()}
"""Which rule reports a member."""
_OF_TUNING = ("memory/cache-size-property", "memory/register-property")
"""Rules of members that are right on AMD, and matter to what is computed from them alone."""
WORDS = (*_FIELDS, b"warpSize")
_MEMBER = re.compile(rb"(?:\.|->)\s*(?P<field>" + b"|".join(_FIELDS) + rb"|warpSize(?=\s*[!=]=\s*32\b))\b")
"""A member that has a rule: `prop.l2CacheSize`, `p->regsPerBlock`; `warpSize` only where compared with 32: `!= 32`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Accesses through a variable that this file declares as device properties, or that it was given them.

    A member of the same name of anything else stays silent, and so does an object that another file declares. What is
    right as it is, and only printed, is nothing to report.
    """
    if _READ.search(parsed.data) is None:
        return
    property_owners = owners(parsed)
    asks = bool(property_owners) or parsed.lexed.holds(b"DeviceProperties")
    for match in parsed.lexed.matches(_MEMBER) if asks else ():
        start, span = match.start("field"), Span(*match.span("field"))
        if not is_property(parsed, match.start(), property_owners):
            continue
        rule = _FIELDS.get(match["field"], "memory/warp-size-test")
        if rule in _OF_TUNING and is_printed(parsed, start):
            continue
        if rule == "memory/warp-size-test":
            span = Span(start, parsed.data.index(b"32", span.end) + 2)
        name = match["field"].decode()
        use = parsed.named_use(name, span)
        yield Hit(rule, use, {"name": name})
