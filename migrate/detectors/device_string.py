"""`std::memset` and `std::memcpy` in device code, which are the host's where `<cstring>` came before HIP's header."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"std::memset", b"std::memcpy")

_CALL = re.compile(rb"(?<![\w.>:])(?:::\s*)?std::(memset|memcpy)(?=\s*\()")
_RUNTIME = re.compile(r"(?:.*/)?(?:cuda(?:_runtime(?:_api)?)?\.h|device_launch_parameters\.h|hip/hip_runtime\.h)")
"""Headers that become HIP's runtime header."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each call, unless HIP's header is what the file includes first: then `std` has the device's function too."""
    if not parsed.is_for_nvcc or _runtime_is_first(parsed):
        return
    for match in parsed.lexed.matches(_CALL, *WORDS):
        if parsed.scope(match.start()) != "device" or parsed.hip(match.start()) is not None:
            continue
        name = match[1].decode()
        span = Span(match.start(), match.start(1))
        use = Use("name", name, span, Span(*match.span()), (), "device", "syntax")
        yield Hit("build/device-memory-call", use, {"name": name})


def _runtime_is_first(parsed: ParsedFile) -> bool:
    """Whether no header comes before HIP's: the fix writes it above all others where a source has none of its own."""
    first = next(iter(parsed.includes), None)
    if first is not None and any(_RUNTIME.fullmatch(one.path) for one in parsed.includes):
        return _RUNTIME.fullmatch(first.path) is not None
    return parsed.source.path.endswith(".cu")
