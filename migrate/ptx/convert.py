"""Conversions: `cvt` between integers and floats of all sizes."""

from __future__ import annotations

from collections.abc import Set

from cudamigrate.ptx.values import CTYPES, UnsupportedError, bare, cast, read, width
from cudamigrate.ptx.writer import Step, Writer

_ROUNDED = {"rni": "rint", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}
_FLOATS = frozenset(("f16", "bf16", "f32", "f64"))
_BITS = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}
"""How many bits the significand of each float type holds."""
_DIRECTED = {"rz": "rz", "rm": "rd", "rp": "ru"}
_MOST = {"f16": "65504.0f", "bf16": "cudamigrate::from_bf16(0x7f7f)"}
"""The largest number of each short float."""
SHORT = ("e4m3x2", "e5m2x2", "e2m1x2", "e2m3x2", "e3m2x2", "ue8m0x2")
"""Pairs of floats of 8 bits or fewer, which PTX keeps in registers without a type."""
_INTEGERS = {"s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"}


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
    if rounding is None or target not in _INTEGERS:
        raise UnsupportedError("a conversion to an integer without a rounding")
    function = rounding if source == "f64" else f"{rounding}f"
    text = _flushed(text, words)
    return f"cudamigrate::to_integer<{CTYPES[target]}>({function}({text}))"


def _flushed(text: str, words: Set[str]) -> str:
    """Subnormal numbers made zero before they are rounded down or up, where they would become a whole one."""
    return f"cudamigrate::flushed({bare(text)})" if "ftz" in words and words & {"rmi", "rpi"} else text


def _from_integer(target: str, source: str, text: str, words: Set[str]) -> str:
    exact = width(source) - (source[0] == "s") <= _BITS[target] and target != "f16"
    how = _directed(words)
    if "sat" in words or not (exact or how or "rn" in words):
        raise UnsupportedError(f"a conversion of `{source}` to `{target}` without a rounding")
    if target in ("f32", "f64"):
        wanted = "float" if target == "f32" else "double"
        return f"cudamigrate::{wanted}_{how}({bare(text)})" if how and not exact else cast(text, target)
    return _narrowed(target, cast(text, "f32") if width(source) <= 16 else f"cudamigrate::odd_float({bare(text)})", how)


def _directed(words: Set[str]) -> str:
    """The ending of the functions that round to zero, down or up; empty for to nearest."""
    return next((ending for word, ending in _DIRECTED.items() if word in words), "")


def _narrowed(target: str, text: str, how: str) -> str:
    if target == "f16":
        return f"cudamigrate::half_{how}({text})" if how else f"__float2half_rn({text})"
    if how not in ("", "rz"):
        raise UnsupportedError("a bfloat16 number rounded up or down")
    return f"cudamigrate::to_bf16{'_rz' if how else ''}({text})"


def _between_floats(target: str, source: str, text: str, words: Set[str]) -> str:
    rounding = next((name for word, name in _ROUNDED.items() if word in words), "")
    how = _directed(words)
    wide = _widened(source, text)
    if source == "f64" and target in ("f16", "bf16"):
        wide = f"cudamigrate::odd_float({bare(wide)})"
    if rounding:
        if target != source:
            raise UnsupportedError("a rounded conversion to another size")
        wide = f"{rounding}({text})" if target == "f64" else f"{rounding}f({_flushed(wide, words)})"
    if "sat" in words:
        wide = f"cudamigrate::saturate({wide})"
    if "relu" in words:
        wide = f"cudamigrate::relu({wide})"
    if "satfinite" in words:
        wide = f"cudamigrate::finite({wide}, {_MOST[target]})"
    if target in ("f16", "bf16"):
        made = _narrowed(target, wide, how)
        return f"cudamigrate::canonical({made})" if target == "f16" and "relu" in words else made
    if how and (target, source) == ("f32", "f64"):
        return f"cudamigrate::float_{how}({bare(wide)})"
    return cast(wide, target) if target != source and "f64" in (target, source) else wide


def convert_pair(writer: Writer, step: Step) -> None:
    """`cvt` of two floats to a pair: the first becomes the upper half."""
    words = set(step.instruction.modifiers)
    destination, high, low = step.instruction.args
    parts = [writer.source(arg, "f32") for arg in (low, high)]
    target = step.types[0] if len(step.types) == 2 else ""
    if "sat" in words or "relu" in words:
        name = "cudamigrate::saturate" if "sat" in words else "cudamigrate::relu"
        parts = [f"{name}({part})" for part in parts]
    if "satfinite" in words and target:
        parts = [f"cudamigrate::finite({part}, {_MOST[target.removesuffix('x2')]})" for part in parts]
    if target == "f16x2":
        text = f"__floats2half2_rn({parts[0]}, {parts[1]})"
        if "rz" in words:
            text = f"__halves2half2(cudamigrate::half_rz({parts[0]}), cudamigrate::half_rz({parts[1]}))"
        writer.assign(destination, f"cudamigrate::canonical({text})" if "relu" in words else text, "f16x2")
    elif target == "bf16x2":
        how = "_rz" if "rz" in words else ""
        writer.assign(destination, f"cudamigrate::to_bf16x2{how}({parts[0]}, {parts[1]})", "u32")
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
        text = f"cudamigrate::{pair}_relu({text})" if "relu" in words else text
        writer.assign(destination, f"cudamigrate::{pair}_to_{short}{how}({text})", "u16")
    else:
        text = writer.source(value, "u8" if short == "e2m1x2" else "u16")
        text = f"cudamigrate::{short}_to_{pair}({text})"
        writer.assign(destination, f"cudamigrate::{pair}_relu({text})" if "relu" in words else text, "u32")


def pack(writer: Writer, step: Step) -> None:
    """`cvt.pack.sat`: two integers made narrow and put side by side, in front of those of `c`."""
    target = step.types[0]
    destination, high, low, *rest = step.instruction.args
    if width(target) == 4:
        _pack_nibbles(writer, step)
        return
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


def _pack_nibbles(writer: Writer, step: Step) -> None:
    """Two integers made four bits each, in front of those of `c`."""
    if len(step.instruction.args) != 4:
        raise UnsupportedError("a pack of four bits without its third source")
    destination, high, low, rest = step.instruction.args
    least, most = (-8, 7) if step.types[0][0] == "s" else (0, 15)
    halves = [f"min(max({writer.source(arg, 's32')}, {least}), {most})" for arg in (high, low)]
    text = f"(static_cast<unsigned>({halves[0]}) & 15u) << 4 | (static_cast<unsigned>({halves[1]}) & 15u)"
    writer.assign(destination, f"{read(writer.value(rest), 'u32')} << 8 | {text}", "u32")
