"""Bitwise atomics on `long long`: CUDA has them for a block and for the system, HIP for `unsigned long long` alone.

Source: CUDA's `sm_60_atomic_functions.h`; HIP's `amd_hip_atomic.h` of ROCm 5.2 and 7.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.atomic_calls import BASE, CAST, atomic_call
from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = ((b"atomic", b"_block"), (b"atomic", b"_system"))
_CALLS = re.compile(rb"(?<![\w.>:])(?:::)?atomic(?:And|Or|Xor)_(?:block|system)\s*\(")
_SIGNED = frozenset((b"long",))
_SAYING_NOTHING = frozenset((b"const", b"volatile", b"int", b"signed"))


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The address that each such call is given, where a cast or a declaration shows its type."""
    values = Values.of(parsed)
    for match in parsed.lexed.matches(_CALLS, b"_block", b"_system"):
        call = atomic_call(parsed, match)
        if call is None or not call.args or not _is_signed(parsed, values, call.args[0]):
            continue
        address = call.args[0]
        text = parsed.data[address.start : address.end].decode("latin-1")
        use = Use("name", text, address, address, (), call.scope, "syntax")
        yield Hit("memory/signed-atomic", use, {"name": call.name, "address": " ".join(text.split())})


def _is_signed(parsed: ParsedFile, values: Values, address: Span) -> bool:
    spelled = parsed.data[address.start : address.end]
    cast = CAST.match(spelled)
    if cast is not None:
        words = re.findall(rb"\w+", cast["type"] or cast["old"])
        return sorted(one for one in words if one not in _SAYING_NOTHING) == [b"long", b"long"]
    base = BASE.match(spelled)
    if base is None or re.search(rb"[?(]|\.|->|::", base["rest"]):
        return False
    found = values.locals(address.start).get(base["name"], ())
    return bool(found) and all(one.rank and one.words - _SAYING_NOTHING == _SIGNED for one in found)
