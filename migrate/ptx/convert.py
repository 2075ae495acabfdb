"""Conversions: `cvt` between integers and floats of all sizes."""

from __future__ import annotations

from collections.abc import Set

from migrate.ptx.values import CTYPES, UnsupportedError, cast, read, width
from migrate.ptx.writer import Step, Writer

_ROUNDED = {"rni": "rint", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}
_FLOATS = frozenset(("f16", "bf16", "f32", "f64"))
_BITS = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}
"""How many bits the significand of each float type holds."""
SHORT = ("e4m3x2", "e5m2x2", "e2m1x2", "ue8m0x2")
"""Pairs of floats of 8 bits or fewer, which PTX keeps in registers without a type."""
_LIMITS = {"s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"}


def convert(writer: Writer, step: Step) -> None:
    """`cvt` with one source."""
    target, source = step.types
    words = set(step.instruction.modifiers)
    value = step.instruction.args[1]
    if target in _FLOATS and source in _FLOATS:
        text = _between_floats(target, source, writer.source(value, source), words)
    elif target in _FLOATS:
        text = _from_integer(target, source, writer.source(value, source), words)
    elif source in _FLOATS:
        text = _to_integer(target, _widened(source, writer.source(value, source)), source, words)
    elif "sat" in words:
        text = f"cudamigrate::saturated<{CTYPES[target]}>({writer.source(value, source)})"
    else:
        text = cast(writer.source(value, source), target)
    writer.assign(step.instruction.args[0], text, target)


def _widened(source: str, text: str) -> str:
    """A short float as `float`."""
    return {"f16": f"__half2float({text})", "bf16": f"cudamigrate::from_bf16({text})"}.get(source, text)


def _to_integer(target: str, text: str, source: str, words: Set[str]) -> str:
    rounding = next((name for word, name in _ROUNDED.items() if word in words), None)
    if rounding is None or target not in _LIMITS:
        raise UnsupportedError("a conversion to an integer without a rounding")
    function = rounding if source == "f64" else f"{rounding}f"
    return f"cudamigrate::to_integer<{CTYPES[target]}>({function}({text}))"


def _from_integer(target: str, source: str, text: str, words: Set[str]) -> str:
    exact = width(source) - (source[0] == "s") <= _BITS[target] and target != "f16"
    if "sat" in words or not (exact or "rn" in words):
        raise UnsupportedError(f"a conversion of `{source}` to `{target}` that does not round to nearest")
    if target in ("f32", "f64"):
        return cast(text, target)
    if width(source) > 16:
        raise UnsupportedError(f"a conversion of `{source}` to `{target}`")
    return _narrowed(target, cast(text, "f32"))


def _narrowed(target: str, text: str) -> str:
    return f"__float2half_rn({text})" if target == "f16" else f"cudamigrate::to_bf16({text})"


def _between_floats(target: str, source: str, text: str, words: Set[str]) -> str:
    rounding = next((name for word, name in _ROUNDED.items() if word in words), "")
    if words & {"rz", "rm", "rp", "rs", "rna", "satfinite"}:
        raise UnsupportedError(f"a conversion of `{source}` to `{target}` that does not round to nearest")
    wide = _widened(source, text)
    if rounding:
        if target != source or target == "f64":
            if target != source:
                raise UnsupportedError("a rounded conversion to another size")
            return f"{rounding}({text})"
        wide = f"{rounding}f({wide})"
    if "sat" in words:
        if "f64" in (target, source):
            raise UnsupportedError("saturation of a double")
        wide = f"cudamigrate::saturate({wide})"
    if "relu" in words:
        wide = f"cudamigrate::relu({wide})"
    if target in ("f16", "bf16"):
        if source == "f64":
            raise UnsupportedError("a double made a half in one step")
        return _narrowed(target, wide)
    return cast(wide, target) if {target, source} == {"f32", "f64"} or (target == "f64") else wide


def convert_pair(writer: Writer, step: Step) -> None:
    """`cvt` of two floats to a pair: the first becomes the upper half."""
    words = set(step.instruction.modifiers)
    destination, high, low = step.instruction.args
    parts = [writer.source(arg, "f32") for arg in (low, high)]
    if "sat" in words or "relu" in words:
        name = "cudamigrate::saturate" if "sat" in words else "cudamigrate::relu"
        parts = [f"{name}({part})" for part in parts]
    target = step.types[0] if len(step.types) == 2 else ""
    if target == "f16x2":
        writer.assign(destination, f"__floats2half2_rn({parts[0]}, {parts[1]})", "f16x2")
    elif target == "bf16x2":
        writer.assign(destination, f"cudamigrate::to_bf16x2({parts[0]}, {parts[1]})", "u32")
    else:
        short = next(word for word in SHORT if word in words).removesuffix("x2")
        size, kind = (4, "u8") if short == "e2m1" else (8, "u16")
        how = f"{short}_{'rp' if 'rp' in words else 'rz'}" if short == "ue8m0" else short
        text = f"cudamigrate::to_{how}({parts[1]}) << {size} | cudamigrate::to_{how}({parts[0]})"
        writer.assign(destination, cast(text, kind), kind)


def convert_pair_short(writer: Writer, step: Step) -> None:
    """`cvt` of a pair of halves or bfloat16 numbers to a pair of floats of 8 or 4 bits, and back."""
    words = step.instruction.modifiers
    destination, value = step.instruction.args
    short = next(word for word in words if word in SHORT)
    pair = step.types[0]
    if words.index(short) < words.index(pair):
        how = f"_{'rp' if 'rp' in words else 'rz'}" if short == "ue8m0x2" else ""
        text = writer.source(value, "b32")
        writer.assign(destination, f"cudamigrate::{pair}_to_{short}{how}({text})", "u16")
    else:
        text = writer.source(value, "u8" if short == "e2m1x2" else "u16")
        writer.assign(destination, f"cudamigrate::{short}_to_{pair}({text})", "u32")


def pack(writer: Writer, step: Step) -> None:
    """`cvt.pack.sat`: two integers made narrow and put side by side, in front of those of `c`."""
    target = step.types[0]
    destination, high, low, *rest = step.instruction.args
    bits, short = width(target), CTYPES[target]
    unsigned = CTYPES[f"u{bits}"]
    halves = [
        f"unsigned({unsigned}(cudamigrate::saturated<{short}>({writer.source(arg, 's32')})))"
        if " " not in unsigned
        else f"unsigned(static_cast<{unsigned}>(cudamigrate::saturated<{short}>({writer.source(arg, 's32')})))"
        for arg in (high, low)
    ]
    text = f"{halves[0]} << {bits} | {halves[1]}"
    if rest:
        text = f"{read(writer.value(rest[0]), 'u32')} << {2 * bits} | {text}"
    elif bits == 8:
        raise UnsupportedError("a pack of bytes without its third source")
    writer.assign(destination, text, "u32")
