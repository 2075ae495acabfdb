"""Numbers as PTX holds them: bits read as integers and floats of all formats, rounded and converted."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

NAN32, NAN16, NANB = 0x7FFFFFFF, 0x7FFF, 0x7FFF
FORMATS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}


def size(kind: str) -> int:
    """Bits of a type."""
    if kind == "pred":
        return 1
    name, _, count = kind.lstrip("busf").partition("x")
    return int(name) * int(count or 1)


def signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def number(value: int, kind: str) -> int:
    """The integer that bits stand for."""
    return signed(value, size(kind)) if kind[0] == "s" else value & ((1 << size(kind)) - 1)


def decode(value: int, kind: str) -> float | Fraction:
    """A float of any format as an exact fraction; infinities, NaN and zeros as Python floats."""
    exponent, mantissa = FORMATS[kind]
    bits = 1 + exponent + mantissa
    sign = -1 if value >> (bits - 1) & 1 else 1
    power, digits = value >> mantissa & ((1 << exponent) - 1), value & ((1 << mantissa) - 1)
    bias = (1 << (exponent - 1)) - 1
    if power == (1 << exponent) - 1:
        return math.nan if digits else sign * math.inf
    if power == 0 and digits == 0:
        return -0.0 if sign < 0 else 0.0
    if power == 0:
        return sign * Fraction(digits) * Fraction(2) ** (1 - bias - mantissa)
    return sign * Fraction(digits | 1 << mantissa) * Fraction(2) ** (power - bias - mantissa)


def is_special(x: float | Fraction) -> bool:
    return isinstance(x, float) and (math.isnan(x) or math.isinf(x))


def encode(x: float | Fraction, kind: str, how: str = "rn") -> int:
    """Round to nearest even, or to zero, down or up."""
    exponent, mantissa = FORMATS[kind]
    bias, bits = (1 << (exponent - 1)) - 1, 1 + exponent + mantissa
    infinity = ((1 << exponent) - 1) << mantissa
    if isinstance(x, float):
        if math.isnan(x):
            return (1 << (bits - 1)) - 1  # PTX's own
        if math.isinf(x):
            return infinity | ((x < 0) << (bits - 1))
        if x == 0:
            return (math.copysign(1, x) < 0) << (bits - 1)
        x = Fraction(x)
    if x == 0:
        return 0
    sign, x = (1, -x) if x < 0 else (0, x)
    power = x.numerator.bit_length() - x.denominator.bit_length()
    power -= Fraction(2) ** power > x
    power = max(power, 1 - bias)
    scaled = x / Fraction(2) ** (power - mantissa)
    away = how == ("rm" if sign else "rp")
    digits = round(scaled) if how == "rn" else math.ceil(scaled) if away else math.floor(scaled)
    value = digits + (max(power + bias - 1, 0) << mantissa) if power + bias >= 1 else digits
    return (sign << (bits - 1)) | min(value, infinity if how == "rn" or away else infinity - 1)


def whole(x: Fraction | float, how: str) -> int:
    """The integer that a rounding mode picks."""
    fraction = Fraction(x)
    return {"rni": round, "rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil}[how](fraction)


def clamp(x: int, kind: str) -> int:
    bits = size(kind)
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind[0] == "s" else (0, (1 << bits) - 1)
    return min(max(x, low), high)


def is_nan(value: int, kind: str) -> bool:
    return isinstance(decode(value, kind), float) and math.isnan(decode(value, kind))


SHORT = {"e4m3x2": (4, 3), "e5m2x2": (5, 2), "e2m1x2": (2, 1), "e2m3x2": (2, 3), "e3m2x2": (3, 2), "ue8m0x2": (8, 0)}


def short_values(name: str) -> list[tuple[int, float | Fraction]]:
    """All finite values of a short format without their signs, by their bits."""
    exponent, mantissa = SHORT[f"{name}x2"]
    bias, found = (1 << (exponent - 1)) - 1, []
    for bits in range(1 << (exponent + mantissa)):
        power, digits = bits >> mantissa, bits & ((1 << mantissa) - 1)
        if (name == "e5m2" and power == 31) or (name == "e4m3" and bits == 0x7F):
            continue
        if power:
            found.append((bits, Fraction((1 << mantissa) | digits) * Fraction(2) ** (power - bias - mantissa)))
        else:
            found.append((bits, Fraction(digits) * Fraction(2) ** (1 - bias - mantissa)))
    return found


TABLES = {name: short_values(name) for name in ("e4m3", "e5m2", "e2m1", "e2m3", "e3m2")}


def to_short(x: float | Fraction, short: str, relu: bool) -> int:
    """The nearest value of the format, the one with an even last bit of two, the largest for what is beyond."""
    name = short.removesuffix("x2")
    table = TABLES[name]
    sign = sum(SHORT[short])
    if isinstance(x, float) and math.isnan(x):
        return {"e2m1": 0x7, "e2m3": 0x1F, "e3m2": 0x1F}.get(name, 0x7F)
    negative = math.copysign(1, x) < 0 if isinstance(x, float) else x < 0
    if relu and negative:
        return 0
    if isinstance(x, float) and math.isinf(x):
        return table[-1][0] | negative << sign
    size_ = abs(Fraction(x))
    best = min(table, key=lambda pair: (abs(pair[1] - size_), pair[0] & 1))
    return best[0] | negative << sign


def power_of_two(x: float | Fraction, how: str) -> int:
    """The exponent of a power of two in 8 bits, not above or not below the size of a number."""
    if is_special(x):
        return 0xFF if math.isnan(x) else 0xFE
    size_ = abs(Fraction(x))
    fitting = [
        at
        for at in range(255)
        if (Fraction(2) ** (at - 127) >= size_ if how == "rp" else Fraction(2) ** (at - 127) <= size_)
    ]
    return (fitting[0] if fitting else 0xFE) if how == "rp" else (fitting[-1] if fitting else 0)


def from_short(bits: int, name: str) -> float | Fraction:
    if name == "ue8m0":
        return math.nan if bits == 0xFF else Fraction(2) ** (bits - 127)
    sign = -1 if bits >> sum(SHORT[f"{name}x2"]) & 1 else 1
    value = dict(TABLES[name]).get(bits & ((1 << sum(SHORT[f"{name}x2"])) - 1))
    if value is None:
        return sign * math.inf if name == "e5m2" and bits & 0x7F == 0x7C else math.nan
    return (-0.0 if sign < 0 else 0.0) if value == 0 else sign * value


def tf32(bits: int, mods: list[str]) -> int:
    """To ten bits behind the point: nearest, away from zero or to even where two are as near, or to zero."""
    x = decode(bits, "f32")
    if "relu" in mods and x <= 0:
        bits = x = 0
    if is_special(x):
        if math.isnan(x):
            return bits & 0xFFFFE000 if "rna" in mods else 0x7FFFE000  # measured on an H200 with CUDA 13.0
        return bits - 0x2000 if "satfinite" in mods else bits
    steps = Fraction(bits & 0x7FFFFFFF, 1 << 13)
    whole_ = math.floor(steps) if "rz" in mods else round(steps) if "rn" in mods else math.floor(steps + Fraction(1, 2))
    made = whole_ << 13
    return bits & 1 << 31 | (min(made, 0x7F7FE000) if "satfinite" in mods else made)


def signs(kind: str) -> int:
    bits = size(kind.removesuffix("x2"))
    return (1 << (bits - 1)) | ((1 << (2 * bits - 1)) if kind.endswith("x2") else 0)


def divided(a: float | Fraction, b: float | Fraction) -> float | Fraction:
    if b == 0:
        if a == 0 or a != a:
            return math.nan
        return (
            math.inf
            * math.copysign(1, float(a) if isinstance(a, float) else (1 if a > 0 else -1))
            * math.copysign(1, b)
        )
    if is_special(a) or is_special(b):
        return (
            float(a) / float(b)
            if not (isinstance(b, Fraction) or isinstance(a, Fraction))
            else (a * (1 if b > 0 else -1) if is_special(a) else math.copysign(0.0, b) * (1 if a > 0 else -1))
        )
    if a == 0:
        return math.copysign(0.0, a) * (1 if b > 0 else -1)
    return Fraction(a) / Fraction(b)


def rounded(calculate: Callable[..., object], values: list[float | Fraction], part: str, mods: list[str]) -> int:
    """Exact arithmetic where all operands are finite and the result is not zero; Python's floats for the rest."""
    if any(is_special(value) for value in values) or any(value == 0 for value in values):
        simple = [value if isinstance(value, float) else math.copysign(1.5, value) for value in values]
        result = calculate(*simple)
        finite = not is_special(result) and all(not is_special(value) for value in values)  # type: ignore[arg-type]
        if finite and result != 0:
            result = calculate(*[Fraction(value) for value in values])
        elif finite and any(isinstance(value, Fraction) for value in values):
            exact = calculate(*[Fraction(value) for value in values])
            result = exact if exact != 0 else result
    else:
        result = calculate(*values)
        if result == 0:
            result = 0.0
    if isinstance(result, int):
        result = Fraction(result)
    how = next((word for word in mods if word in ("rz", "rm", "rp")), "rn")
    if how == "rm" and result == 0 and not is_special(result) and is_cancelled(calculate, values):  # type: ignore[arg-type]
        result = -0.0
    if "sat" in mods:
        assert isinstance(result, (float, Fraction))
        result = 0.0 if result != result else min(max(result, 0.0), 1.0)
    if "relu" in mods and isinstance(result, (float, Fraction)) and result <= 0:
        result = 0.0
    return encode(result, part, how)  # type: ignore[arg-type]


def is_cancelled(calculate: Callable[..., object], values: list[float | Fraction]) -> bool:
    """Whether a zero is that of a sum whose sides have other signs."""
    signs_ = [math.copysign(1.0, value) for value in values]
    if len(values) == 3:
        sides = (signs_[0] * signs_[1], signs_[2])
    elif len(values) == 2 and calculate(1.0, 1.0) in (2.0, 0.0):
        sides = (signs_[0], signs_[1] if calculate(1.0, 1.0) == 2.0 else -signs_[1])
    else:
        return False
    return sides[0] != sides[1]


def extreme_of(part: str, a: int, b: int, larger: bool, keep: bool, sizes: bool = False) -> int:
    if sizes:
        top = 1 << (size(part) - 1)
        picked = extreme_of(part, a & ~top, b & ~top, larger, keep)
        return picked & ~top | (a ^ b) & top
    if is_nan(a, part) or is_nan(b, part):
        if keep or (is_nan(a, part) and is_nan(b, part)):
            return encode(math.nan, part)
        return b if is_nan(a, part) else a
    x, y = decode(a, part), decode(b, part)
    if x == y:
        return a & b if larger else a | b
    return a if (x > y) == larger else b


def _read(value: int, source: str, mods: list[str]) -> float | Fraction:
    """A float that `cvt` reads; `.ftz` takes a subnormal number for zero."""
    if "ftz" in mods and source == "f32" and not value & 0x7F800000:
        return -0.0 if value >> 31 else 0.0
    return decode(value, source)


def converted(value: int, target: str, source: str, mods: list[str]) -> int:
    """`cvt` of one number."""
    if source[0] in "us":
        x = number(value, source)
        if target[0] in "us":
            return clamp(x, target) if "sat" in mods else x
        return encode(Fraction(x) if x else 0.0, target, direction(mods))
    y = _read(value, source, mods)
    how = next((w for w in mods if w in ("rni", "rzi", "rmi", "rpi")), "")
    if target[0] in "us":
        if isinstance(y, float) and math.isnan(y):
            return 1 << (size(target) - 1) if source == "f64" or size(target) == 64 else 0
        if is_special(y):
            return clamp(int(math.copysign(10**30, y)), target)
        return clamp(whole(y, how), target)
    if how and not is_special(y) and y != 0:
        rounded = whole(y, how)
        y = Fraction(rounded) if rounded else math.copysign(0.0, y)
    if "sat" in mods:
        y = 0.0 if y != y else min(max(y, 0.0), 1.0)
    if "relu" in mods and y <= 0:
        y = 0.0
    made = encode(y, target, direction(mods))
    top = 1 << (size(target) - 1)
    if "satfinite" in mods and not is_nan(made, target) and is_special(decode(made, target)):
        made = made & top | (made & ~top) - 1
    return made


def direction(mods: list[str]) -> str:
    """How floats are rounded."""
    return next((word for word in mods if word in ("rz", "rm", "rp")), "rn")
