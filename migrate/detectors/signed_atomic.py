"""Bitwise atomics on signed numbers of 64 bits, which CUDA has and HIP's headers do not declare."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.atomic_calls import atomic_call, is_long_long
from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit

WORDS = (b"atomicAnd", b"atomicOr", b"atomicXor")
_BITWISE = re.compile(rb"(?<![\w.>:])(?:::)?atomic(?:And|Or|Xor)(?:_block|_system)?\s*\(")
"""`atomicOr(`, `::atomicXor_block(`: no member and no function of a namespace."""
_OWN = re.compile(rb"\batomic(?:And|Or|Xor)\w*\s*\(\s*long\s+long\b[^,()]*,")
"""The project's own function for them: `atomicOr(long long *address, `."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls in device code whose address points to `long long`."""
    if _OWN.search(parsed.data) is not None:
        return
    values = Values.of(parsed)
    for match in parsed.lexed.matches(_BITWISE, b"atomic"):
        call = atomic_call(parsed, match) if parsed.scope(match.start()) == "device" else None
        if call is not None and len(call.args) == 2 and is_long_long(parsed, values, call.args[0]):
            name = call.name.removesuffix("_block")
            yield Hit("memory/signed-atomic", call, {"name": name})
