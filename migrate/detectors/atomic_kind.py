"""Atomic operations whose type or scope AMD GPUs do not have in hardware."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cudamigrate.analysis.atomic_calls import BASE, atomic_call, pointed_type
from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.macro_expansion import Macro, macros
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.rulebase.architectures import architecture

WORDS = (b"atomicAdd", b"_system", b"atomicCAS", b"atomicExch")
_ADD = re.compile(rb"(?<![\w.>:])(?:::)?atomicAdd\s*\(")
_WHOLE = re.compile(rb"(?<![\w.>:])(?:::)?atomic(?:CAS|Exch)\s*\(")
"""Atomics that replace a whole value: `atomicCAS(`, `::atomicExch(`; no member or function of a namespace."""
_WIDE = frozenset(b"ulonglong2 longlong2 double2 float4 int4 uint4 __int128 __int128_t __uint128_t uint128_t".split())
_SYSTEM = re.compile(rb"\batomic(?:Min|Max|And|Or|Xor|Sub)_system\s*\(")
"""System-wide atomics that PCIe lacks: `atomicMin_system(`; it has those that add, exchange or compare and swap."""
_REALS = {b"float": "float", b"double": "double"}
_PAIRS = frozenset((b"half2", b"__half2", b"half", b"__half"))
_MISSING = frozenset((b"nv_bfloat16", b"__nv_bfloat16", b"nv_bfloat162", b"__nv_bfloat162", b"float2", b"float4"))
_OWN = re.compile(rb"\batomicAdd\s*\(\s*(?:__half2?|half2?|__?nv_bfloat162?|float[24])\s*\*\s*(?:const\s+)?\w+\s*,")
"""A project's own `atomicAdd` for types that CUDA's has and HIP's lacks: `atomicAdd(__half2 *address, ...`."""
_SHARED = re.compile(rb"\b__shared__\b([^;]*);")
"""What a declaration in shared memory says behind its qualifier: `float sum[32], most`."""
_DECLARED = re.compile(rb"([A-Za-z_]\w*)\s*(?=[\[,={]|\Z)")
"""A name that such a declaration declares: before its size, its value, a comma or the end."""
_ARGUMENTS = re.compile(rb"<[^<>;]*>|\[[^\]]*\]")
_WORD = re.compile(rb"[A-Za-z_]\w*")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Additions of floating-point numbers and packed halves, exchanges of 16 bytes, and operations across PCIe."""
    values = Values.of(parsed)
    own = _OWN.search(parsed.data)
    targets = parsed.target.arch
    known = macros(parsed)
    for match in _additions(parsed, known):
        if parsed.scope(match.start()) != "device":
            continue
        call = atomic_call(parsed, match)
        kind = pointed_type(parsed, values, call.args[0]) if call is not None and call.args else b""
        if call is None or not kind:
            continue
        kind = known[kind].body if kind in known else kind
        name = kind.decode("latin-1")
        slow = [arch for arch in targets if kind in _REALS and name not in architecture(arch).float_atomics]
        if (kind in _PAIRS or kind in _MISSING) and not own:
            rule = "memory/packed-atomic" if kind in _PAIRS else "memory/vector-atomic"
            yield Hit(rule, call, {"type": name, "name": call.name})
        elif kind in _REALS and slow and not _is_shared(parsed, call.args[0]):
            yield Hit("memory/float-atomic", call, {"type": name, "arch": ", ".join(slow), "name": call.name})
    yield from _exchanges(parsed, values)
    for match in parsed.lexed.matches(_SYSTEM, b"_system"):
        call = atomic_call(parsed, match)
        if call is not None and parsed.scope(match.start()) in ("device", "macro"):
            yield Hit("memory/system-atomic", call, {"name": call.name})


def _additions(parsed: ParsedFile, known: Mapping[bytes, Macro]) -> Iterator[re.Match[bytes]]:
    """The calls of `atomicAdd`, by its name and by macros of the file that are its name: `#define ADD atomicAdd`."""
    yield from parsed.lexed.starting(_ADD, b"::atomicAdd", b"atomicAdd")
    for name, macro in known.items():
        if macro.parameters is None and macro.body == b"atomicAdd":
            yield from parsed.lexed.starting(re.compile(rb"(?<![\w.>:])" + name + rb"\s*\("), name)


def _exchanges(parsed: ParsedFile, values: Values) -> Iterator[Hit]:
    for match in parsed.lexed.starting(_WHOLE, b"::atomicCAS", b"::atomicExch", b"atomicCAS", b"atomicExch"):
        call = atomic_call(parsed, match) if parsed.scope(match.start()) == "device" else None
        kind = pointed_type(parsed, values, call.args[0]) if call is not None and call.args else b""
        if call is not None and kind in _WIDE:
            yield Hit("memory/wide-atomic", call, {"type": kind.decode(), "name": call.name})


def _is_shared(parsed: ParsedFile, address: Span) -> bool:
    """Whether the address is in shared memory, which adds in hardware everywhere: of an array that the function
    declares there, or by a pointer that gets nothing but addresses of such arrays."""
    base = BASE.match(parsed.data[address.start : address.end])
    function = parsed.function(address.start)
    if base is None or function is None:
        return False
    body = parsed.data[function.span.start : function.span.end]
    declared = (_ARGUMENTS.sub(b"[", declaration) for declaration in _SHARED.findall(body))
    arrays = {name for declaration in declared for name in _DECLARED.findall(declaration)}
    given = re.findall(rb"\b" + base["name"] + rb"\s*=(?!=)([^;]*)", body)
    pointed = [not arrays.isdisjoint(_WORD.findall(value)) and b"?" not in value for value in given]
    return base["name"] in arrays or (bool(pointed) and all(pointed))
