"""Members of the device properties that HIP lacks, or that say something else on AMD."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.cuda.parsed_file import ParsedFile
from migrate.model import Hit, Span, Use

_TYPE = rb"(?:cudaDeviceProp|hipDeviceProp_t|CUdevprop)"
_READ = re.compile(rb"\b(?:cudaDeviceProp|hipDeviceProp_t|CUdevprop|get(?:Current)?DeviceProperties)\b")
_DECLARED = re.compile(rb"\b" + _TYPE + rb"\b(?:\s*>)?(?:\s|[&*]|\bconst\b)*(?P<names>\w+[^;(){}]*)")
_GIVEN = re.compile(rb"\b(?P<name>\w+)\s*=\s*(?:[\w:]+::)?get(?:Current)?DeviceProperties\s*\(")
_NAME = re.compile(rb"(?:^|,)[\s&*]*(?P<name>[A-Za-z_]\w*)")
_RULES = {
    "memory/deferred-array-property": "deferredMappingCudaArraySupported",
    "memory/sparse-array-property": "sparseCudaArraySupported",
    "memory/missing-property": "deviceNumaConfig deviceNumaId gpuPciDeviceID gpuPciSubsystemID hostNumaId"
    " hostNumaMultinodeIpcSupported mpsEnabled",
    "memory/shared-memory-property": "sharedMemPerBlockOptin sharedMemPerMultiprocessor",
    "memory/unfilled-property": "reservedSharedMemPerBlock singleToDoublePrecisionPerfRatio maxTexture2DGather"
    " maxTexture2DLinear maxTexture3DAlt maxTextureCubemap maxTextureCubemapLayered",
    "memory/persisting-cache-property": "persistingL2CacheMaxSize accessPolicyMaxWindowSize",
    "memory/block-count-property": "maxBlocksPerMultiProcessor",
    "memory/unified-addressing-property": "unifiedAddressing",
    "memory/cache-size-property": "l2CacheSize",
    "memory/register-property": "regsPerBlock regsPerMultiprocessor",
}
_FIELDS = {field.encode(): rule for rule, fields in _RULES.items() for field in fields.split()}
"""Which rule tells of a member."""
_MEMBER = re.compile(rb"(?:\.|->)\s*(?P<field>" + b"|".join(_FIELDS) + rb"|warpSize(?=\s*[!=]=\s*32\b))\b")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Accesses through a variable that this file declares as device properties, or that it was given them.

    A member of the same name of anything else stays silent, and so does an object that another file declares.
    """
    if _READ.search(parsed.data) is None:
        return
    owners = _owners(parsed)
    for match in parsed.lexed.matches(_MEMBER):
        start, span = match.start("field"), Span(*match.span("field"))
        if not _is_property(parsed, match.start(), owners):
            continue
        rule = _FIELDS.get(match["field"], "memory/warp-size-test")
        if rule == "memory/warp-size-test":
            span = Span(start, parsed.data.index(b"32", span.end) + 2)
        name = match["field"].decode()
        use = Use("name", name, span, span, (), parsed.scope(start), parsed.certainty(start))
        yield Hit(rule, use, {"name": name})


def _owners(parsed: ParsedFile) -> dict[bytes, list[Span]]:
    """Names of variables that hold device properties, each with the ranges in which they do.

    A variable of a function holds them there; any other, a member or a global, in the whole file.
    """
    owners: dict[bytes, list[Span]] = {}
    for match in parsed.lexed.matches(_DECLARED):
        for name in _NAME.finditer(match["names"]):
            owners.setdefault(name["name"], []).append(_range(parsed, match.start()))
    for match in parsed.lexed.matches(_GIVEN):
        owners.setdefault(match["name"], []).append(_range(parsed, match.start()))
    return owners


def _range(parsed: ParsedFile, offset: int) -> Span:
    function = parsed.function(offset)
    return Span(0, len(parsed.data)) if function is None else function.span


def _is_property(parsed: ParsedFile, dot: int, owners: dict[bytes, list[Span]]) -> bool:
    """What stands before the dot: a known variable, an element of one, or a call that gives device properties."""
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
    return any(span.start <= dot < span.end for span in owners.get(lexed.text(owner), ()))
