"""What PTX instructions do, on bits: a small interpreter written from the instruction set, apart from the translation.

Registers hold integers without sign; an instruction's type says how they are read. It covers what calculates; nothing
that touches memory or other lanes.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction

from migrate.ptx.parser import Arg, Instruction, parse

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


def encode(x: float | Fraction, kind: str) -> int:
    """Round to nearest even."""
    exponent, mantissa = FORMATS[kind]
    bias, bits = (1 << (exponent - 1)) - 1, 1 + exponent + mantissa
    infinity = ((1 << exponent) - 1) << mantissa
    if isinstance(x, float):
        if math.isnan(x):
            return infinity | (1 << (mantissa - 1))
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
    digits = round(scaled)
    value = digits + (max(power + bias - 1, 0) << mantissa) if power + bias >= 1 else digits
    return (sign << (bits - 1)) | min(value, infinity)


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


class Machine:
    """Runs the instructions of one asm statement on operands given as bits."""

    def __init__(self, template: str, widths: list[int]) -> None:
        self.listing, self.widths = parse(template), widths

    def run(self, operands: list[int]) -> list[int]:
        self.places, self.registers, self.carry = list(operands), dict[str, int](), 0
        for one in self.listing.instructions:
            if one.guard is None or bool(self.get(one.guard, "pred")) != one.guard.negated:
                self.step(one)
        return self.places

    def get(self, arg: Arg, kind: str) -> int:
        if arg.kind == "number":
            if arg.text[:2].lower() in ("0f", "0d"):
                return int(arg.text[2:], 16)
            return int(arg.text.rstrip("U"), 0) & ((1 << size(kind)) - 1)
        value = self.places[int(arg.text)] if arg.kind == "place" else self.registers[arg.text]
        value = value ^ 1 if arg.negated and kind == "pred" and arg.kind == "register" and False else value
        return value & ((1 << size(kind)) - 1)

    def put(self, arg: Arg, value: int, bits: int) -> None:
        if arg.kind == "sink":
            return
        if arg.kind == "place":
            at = int(arg.text)
            self.places[at] = value & ((1 << self.widths[at]) - 1)
        else:
            self.registers[arg.text] = value & ((1 << max(bits, 1)) - 1)

    def step(self, one: Instruction) -> None:
        words = list(one.modifiers)
        kinds = [w for w in words if w == "pred" or (w.lstrip("busf")[:1].isdigit() and w[0] in "busf")]
        modifiers = [w for w in words if w not in kinds]
        handler: Callable[[Instruction, list[str], list[str]], None] | None = getattr(self, f"op_{one.name}", None)
        if handler is None and one.name[0] == "v":
            handler = self.video
        assert handler is not None, one.spelled
        handler(one, kinds, modifiers)

    # integer arithmetic ------------------------------------------------------------------------------------------

    def numbers(self, one: Instruction, kind: str, args: tuple[Arg, ...] | None = None) -> list[int]:
        return [number(self.get(arg, kind), kind) for arg in (one.args[1:] if args is None else args)]

    def add_like(self, one: Instruction, kinds: list[str], mods: list[str], sign: int) -> None:
        kind = kinds[0]
        if kind[0] in "fb":
            self.floats(one, kinds, mods, lambda a, b: a + sign * b)
            return
        a, b = self.numbers(one, kind)
        if "sat" in mods:
            self.put(one.args[0], clamp(a + sign * b, kind), size(kind))
            return
        mask = (1 << size(kind)) - 1
        a, b = a & mask, b & mask
        with_ = self.carry if one.name.endswith("c") else 0
        total = a + sign * (b + with_)
        if "cc" in mods:
            self.carry = int(total > mask or total < 0)
        self.put(one.args[0], total, size(kind))

    def op_add(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.add_like(one, kinds, mods, 1)

    op_addc = op_add

    def op_sub(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.add_like(one, kinds, mods, -1)

    op_subc = op_sub

    def op_mul(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        kind = kinds[0]
        if kind[0] in "fb":
            self.floats(one, kinds, mods, lambda a, b: a * b)
            return
        a, b = self.numbers(one, kind)
        self.put(one.args[0], self.half(a * b, kind, mods), 2 * size(kind))

    def half(self, product: int, kind: str, mods: list[str]) -> int:
        if "wide" in mods:
            return product & ((1 << 2 * size(kind)) - 1)
        return (product >> size(kind) if "hi" in mods else product) & ((1 << size(kind)) - 1)

    def op_mad(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        kind = kinds[0]
        if kind[0] == "f":
            self.op_fma(one, kinds, mods)
            return
        bits = size(kind)
        a, b = self.numbers(one, kind, one.args[1:3])
        wide = 2 * bits if "wide" in mods else bits
        c = self.get(one.args[3], f"u{wide}")
        total = self.half(a * b, kind, mods) + c + (self.carry if one.name == "madc" else 0)
        if "cc" in mods:
            self.carry = total >> bits
        self.put(one.args[0], total & ((1 << wide) - 1), wide)

    op_madc = op_mad

    def op_mul24(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        a, b = (number(self.get(arg, "u32"), kinds[0][0] + "24") for arg in one.args[1:3])
        self.put(one.args[0], a * b, 32)

    def op_mad24(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        a, b = (number(self.get(arg, "u32"), kinds[0][0] + "24") for arg in one.args[1:3])
        self.put(one.args[0], a * b + self.get(one.args[3], "u32"), 32)

    def op_sad(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        a, b, c = self.numbers(one, kinds[0])
        self.put(one.args[0], abs(a - b) + c, 32)

    def op_div(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        if kinds[0][0] == "f":
            self.floats(one, kinds, mods, _divided)
            return
        a, b = self.numbers(one, kinds[0])
        self.put(one.args[0], abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1), size(kinds[0]))

    def op_rem(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        a, b = self.numbers(one, kinds[0])
        self.put(one.args[0], abs(a) % abs(b) * (-1 if a < 0 else 1), size(kinds[0]))

    def op_abs(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        kind = kinds[0]
        value = self.get(one.args[1], kind)
        if kind[0] == "s":
            self.put(one.args[0], abs(number(value, kind)), size(kind))
        else:
            self.put(one.args[0], value & ~_signs(kind), size(kind))

    def op_neg(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        kind = kinds[0]
        value = self.get(one.args[1], kind)
        self.put(one.args[0], -number(value, kind) if kind[0] == "s" else value ^ _signs(kind), size(kind))

    def extreme(self, one: Instruction, kinds: list[str], mods: list[str], pick: Callable[[list[int]], int]) -> None:
        kind = kinds[0]
        if kind[0] in "us":
            self.put(one.args[0], pick(self.numbers(one, kind)), size(kind))
        else:
            larger = pick([0, 1]) == 1
            self.lanes(one, kind, lambda part, a, b: _extreme(part, a, b, larger, "NaN" in mods), 2)

    def op_min(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.extreme(one, kinds, mods, min)

    def op_max(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.extreme(one, kinds, mods, max)

    # bits ----------------------------------------------------------------------------------------------------------

    def op_popc(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.put(one.args[0], bin(self.get(one.args[1], kinds[0])).count("1"), 32)

    def op_clz(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.put(one.args[0], size(kinds[0]) - self.get(one.args[1], kinds[0]).bit_length(), 32)

    def op_bfind(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        value = number(self.get(one.args[1], kinds[0]), kinds[0])
        found = (~value if value < 0 else value).bit_length() - 1
        if "shiftamt" in mods and found >= 0:
            found = size(kinds[0]) - 1 - found
        self.put(one.args[0], found & 0xFFFFFFFF, 32)

    def op_brev(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        bits = size(kinds[0])
        self.put(one.args[0], int(f"{self.get(one.args[1], kinds[0]):0{bits}b}"[::-1], 2), bits)

    def op_bfe(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        kind, bits = kinds[0], size(kinds[0])
        value = self.get(one.args[1], kind)
        at, length = self.get(one.args[2], "u32") & 255, self.get(one.args[3], "u32") & 255
        if kind[0] == "u" or length == 0:
            fill = 0
        else:
            fill = value >> min(at + length - 1, bits - 1) & 1
        made = 0
        for index in range(bits):
            bit = value >> (at + index) & 1 if index < length and at + index < bits else fill
            made |= bit << index
        self.put(one.args[0], made, bits)

    def op_bfi(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        bits = size(kinds[0])
        field, value = self.get(one.args[1], kinds[0]), self.get(one.args[2], kinds[0])
        at, length = self.get(one.args[3], "u32") & 255, self.get(one.args[4], "u32") & 255
        for index in range(length):
            if at + index < bits:
                value = value & ~(1 << (at + index)) | (field >> index & 1) << (at + index)
        self.put(one.args[0], value, bits)

    def op_bmsk(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        at, length = min(self.get(one.args[1], "u32"), 32), min(self.get(one.args[2], "u32"), 32)
        self.put(one.args[0], ((1 << length) - 1) << at, 32)

    def op_fns(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        mask, base = self.get(one.args[1], "u32"), self.get(one.args[2], "u32")
        offset = number(self.get(one.args[3], "u32"), "s32")
        found = 0xFFFFFFFF
        if offset == 0:
            found = base if mask >> base & 1 else found
        else:
            places = range(base, 32) if offset > 0 else range(base, -1, -1)
            hits = [at for at in places if mask >> at & 1]
            if len(hits) >= abs(offset):
                found = hits[abs(offset) - 1]
        self.put(one.args[0], found, 32)

    def bitwise(self, one: Instruction, kinds: list[str], combine: Callable[[int, int], int]) -> None:
        a, b = (self.get(arg, kinds[0]) for arg in one.args[1:3])
        self.put(one.args[0], combine(a, b), size(kinds[0]))

    def op_and(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.bitwise(one, kinds, lambda a, b: a & b)

    def op_or(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.bitwise(one, kinds, lambda a, b: a | b)

    def op_xor(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.bitwise(one, kinds, lambda a, b: a ^ b)

    def op_not(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.put(one.args[0], ~self.get(one.args[1], kinds[0]), size(kinds[0]))

    def op_cnot(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.put(one.args[0], int(self.get(one.args[1], "u32") == 0), 32)

    def op_lop3(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        a, b, c, table = (self.get(arg, "u32") for arg in one.args[1:])
        made = 0
        for at in range(32):
            made |= (table >> ((a >> at & 1) << 2 | (b >> at & 1) << 1 | (c >> at & 1)) & 1) << at
        self.put(one.args[0], made, 32)

    def op_prmt(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        a, b, chosen = (self.get(arg, "u32") for arg in one.args[1:])
        octets = (a | b << 32).to_bytes(8, "little")
        made = 0
        for at in range(4):
            pick = chosen >> (4 * at) & 15
            octet = octets[pick & 7]
            made |= ((255 if octet >> 7 else 0) if pick & 8 else octet) << (8 * at)
        self.put(one.args[0], made, 32)

    def op_shl(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        by = min(self.get(one.args[2], "u32"), size(kinds[0]))
        self.put(one.args[0], self.get(one.args[1], kinds[0]) << by, size(kinds[0]))

    def op_shr(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        by = min(self.get(one.args[2], "u32"), size(kinds[0]))
        self.put(one.args[0], number(self.get(one.args[1], kinds[0]), kinds[0]) >> by, size(kinds[0]))

    def op_shf(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        low, high, by = (self.get(arg, "u32") for arg in one.args[1:])
        by = by & 31 if "wrap" in mods else min(by, 32)
        both = high << 32 | low
        self.put(one.args[0], (both << by) >> 32 if "l" in mods else both >> by, 32)

    def op_dp4a(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.dot(one, [(8 * at, 8, 8 * at) for at in range(4)], kinds)

    def op_dp2a(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        start = 16 if "hi" in mods else 0
        self.dot(one, [(0, 16, start), (16, 16, start + 8)], kinds)

    def dot(self, one: Instruction, parts: list[tuple[int, int, int]], kinds: list[str]) -> None:
        a, b, c = (self.get(arg, "u32") for arg in one.args[1:])
        for at, bits, other in parts:
            x = number(a >> at, f"{kinds[0][0]}{bits}")
            c += x * number(b >> other, f"{kinds[1][0]}8")
        self.put(one.args[0], c, 32)

    def video(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        name, count = one.name[1:-1], int(one.name[-1])
        bits, kind = 32 // count, f"{kinds[0][0]}{32 // count}"
        a, b, c = (self.get(arg, "u32") for arg in one.args[1:])
        made, total = 0, c
        for at in range(0, 32, bits):
            x, y = number(a >> at, f"{kinds[1][0]}{bits}"), number(b >> at, f"{kinds[2][0]}{bits}")
            one_ = {"add": x + y, "sub": x - y, "min": min(x, y), "max": max(x, y), "absdiff": abs(x - y)}[name]
            one_ = clamp(one_, kind) if "sat" in mods else one_
            part = one_ & ((1 << bits) - 1)
            made |= part << at
            total += part
        self.put(one.args[0], total if "add" in mods else made, 32)

    # comparisons -----------------------------------------------------------------------------------------------------

    def compared(self, one: Instruction, kind: str, mods: list[str]) -> bool:
        name = next(w for w in mods if w not in ("ftz", "and", "or", "xor"))
        a, b = (self.get(arg, kind) for arg in one.args[1:3])
        if kind[0] == "f":
            x, y = decode(a, kind), decode(b, kind)
            either = is_nan(a, kind) or is_nan(b, kind)
            if name in ("num", "nan"):
                return either == (name == "nan")
            if either:
                return name.endswith("u")
            name = name.removesuffix("u") if len(name) == 3 else name
        else:
            reading = f"u{size(kind)}" if name in ("lo", "ls", "hi", "hs") else kind
            x, y = number(a, reading), number(b, reading)
        name = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}.get(name, name)
        return {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[name]

    def op_setp(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        result = self.compared(one, kinds[-1], mods)
        join = next((w for w in mods if w in ("and", "or", "xor")), "")
        both = [result, not result]
        if join:
            c = bool(self.get(one.args[3], "pred")) != one.args[3].negated
            both = [{"and": r and c, "or": r or c, "xor": r != c}[join] for r in both]
        places = one.args[0].items if one.args[0].kind == "pair" else (one.args[0],)
        for place, value in zip(places, both, strict=False):
            self.put(place, int(value), 1)

    def op_set(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        result = self.compared(one, kinds[-1], mods)
        ones = 0x3F800000 if kinds[0] == "f32" else 0xFFFFFFFF
        self.put(one.args[0], ones if result else 0, 32)

    def op_selp(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        chosen = one.args[1] if bool(self.get(one.args[3], "pred")) != one.args[3].negated else one.args[2]
        self.put(one.args[0], self.get(chosen, kinds[0]), size(kinds[0]))

    def op_slct(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        c = self.get(one.args[3], kinds[1])
        first = number(c, "s32") >= 0 if kinds[1] == "s32" else not is_nan(c, "f32") and decode(c, "f32") >= 0
        self.put(one.args[0], self.get(one.args[1 if first else 2], kinds[0]), size(kinds[0]))

    def op_mov(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        bits = size(kinds[0])
        target, source = one.args
        if source.kind == "vector":
            part = bits // len(source.items)
            value = sum(self.get(item, f"u{part}") << (part * at) for at, item in enumerate(source.items))
            self.put(target, value, bits)
        elif target.kind == "vector":
            part = bits // len(target.items)
            for at, item in enumerate(target.items):
                self.put(item, self.get(source, f"u{bits}") >> (part * at) & ((1 << part) - 1), part)
        else:
            self.put(target, self.get(source, kinds[0]), bits)

    # floats ------------------------------------------------------------------------------------------------------

    def lanes(self, one: Instruction, kind: str, each: Callable[..., int], count: int) -> None:
        """Apply to each part of packed operands."""
        part = kind.removesuffix("x2")
        bits, parts = size(part), 2 if kind.endswith("x2") else 1
        values = [self.get(arg, kind) for arg in one.args[1 : 1 + count]]
        made = 0
        for at in range(parts):
            given = [value >> (bits * at) & ((1 << bits) - 1) for value in values]
            made |= each(part, *given) << (bits * at)
        self.put(one.args[0], made, size(kind))

    def floats(self, one: Instruction, kinds: list[str], mods: list[str], calculate: Callable[..., object]) -> None:
        def each(part: str, *given: int) -> int:
            values = [decode(value, part) for value in given]
            return _rounded(calculate, values, part, mods)

        self.lanes(one, kinds[0], each, len(one.args) - 1)

    def op_fma(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.floats(one, kinds, mods, lambda a, b, c: a * b + c)

    def op_rcp(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.floats(one, kinds, mods, lambda a: _divided(1.0, a))

    def op_copysign(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        a, b = (self.get(arg, kinds[0]) for arg in one.args[1:])
        signs = _signs(kinds[0])
        self.put(one.args[0], a & signs | b & ~signs, size(kinds[0]))

    def op_testp(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        x = decode(self.get(one.args[1], kinds[0]), kinds[0])
        nan = isinstance(x, float) and math.isnan(x)
        infinite = isinstance(x, float) and math.isinf(x)
        truth = {"finite": not nan and not infinite, "infinite": infinite, "notanumber": nan}[mods[0]]
        self.put(one.args[0], int(truth), 1)

    def approximated(self, one: Instruction, kind: str, function: Callable[[float], float]) -> None:
        def each(part: str, value: int) -> int:
            x = decode(value, part)
            try:
                return encode(function(float(x)), part)
            except (ValueError, ZeroDivisionError):
                return encode(math.nan, part)
            except OverflowError:
                return encode(math.inf, part)

        self.lanes(one, kind, each, 1)

    def op_ex2(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.approximated(one, kinds[0], lambda x: 2.0**x)

    def op_tanh(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.approximated(one, kinds[0], math.tanh)

    def op_lg2(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.approximated(one, kinds[0], lambda x: -math.inf if x == 0 else math.log2(x))

    def op_sqrt(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.approximated(one, kinds[0], math.sqrt)

    def op_rsqrt(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.approximated(one, kinds[0], lambda x: math.copysign(math.inf, x) if x == 0 else 1 / math.sqrt(x))

    def op_sin(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.approximated(one, kinds[0], math.sin)

    def op_cos(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.approximated(one, kinds[0], math.cos)

    # conversions -----------------------------------------------------------------------------------------------------

    def op_cvt(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        short = next((w for w in mods if w in SHORT), "")
        if "pack" in mods:
            self.packed(one, kinds)
        elif "tf32" in mods:
            self.put(one.args[0], tf32(self.get(one.args[1], "f32")), 32)
        elif short:
            self.short(one, kinds, mods, short)
        elif kinds[0].endswith("x2"):
            part = kinds[0].removesuffix("x2")
            high, low = (_converted(self.get(arg, "f32"), part, "f32", mods) for arg in one.args[1:])
            self.put(one.args[0], high << 16 | low, 32)
        else:
            value = _converted(self.get(one.args[1], kinds[1]), kinds[0], kinds[1], mods)
            wide = self.widths[int(one.args[0].text)] if one.args[0].kind == "place" else size(kinds[0])
            made = number(value, kinds[0]) if kinds[0][0] == "s" else value & ((1 << size(kinds[0])) - 1)
            self.put(one.args[0], made, wide)

    def packed(self, one: Instruction, kinds: list[str]) -> None:
        bits = size(kinds[0])
        high, low = (clamp(number(self.get(arg, "u32"), "s32"), kinds[0]) & ((1 << bits) - 1) for arg in one.args[1:3])
        rest = self.get(one.args[3], "u32") << (2 * bits) if len(one.args) == 4 else 0
        self.put(one.args[0], rest | high << bits | low, 32)

    def short(self, one: Instruction, kinds: list[str], mods: list[str], short: str) -> None:
        name = short.removesuffix("x2")
        bits = SHORT[short][0] + SHORT[short][1] + 1
        if kinds == ["f32"]:
            parts = [to_short(decode(self.get(arg, "f32"), "f32"), short, "relu" in mods) for arg in one.args[1:]]
        elif one.modifiers.index(short) < one.modifiers.index("f16x2"):
            pair = self.get(one.args[1], "f16x2")
            parts = [to_short(decode(pair >> at & 0xFFFF, "f16"), short, False) for at in (16, 0)]
        else:
            pair = self.get(one.args[1], "u16")
            high, low = (encode(from_short(pair >> at & 0xFF, name), "f16") for at in (8, 0))
            self.put(one.args[0], high << 16 | low, 32)
            return
        self.put(one.args[0], parts[0] << bits | parts[1], 2 * bits)


SHORT = {"e4m3x2": (4, 3), "e5m2x2": (5, 2), "e2m1x2": (2, 1)}


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


TABLES = {name: short_values(name) for name in ("e4m3", "e5m2", "e2m1")}


def to_short(x: float | Fraction, short: str, relu: bool) -> int:
    """The nearest value of the format, the one with an even last bit of two, the largest for what is beyond."""
    name = short.removesuffix("x2")
    table = TABLES[name]
    sign = sum(SHORT[short])
    if isinstance(x, float) and math.isnan(x):
        return 0x7 if name == "e2m1" else 0x7F
    negative = math.copysign(1, x) < 0 if isinstance(x, float) else x < 0
    if relu and negative:
        return 0 if x != 0 else 1 << sign
    if isinstance(x, float) and math.isinf(x):
        return table[-1][0] | negative << sign
    size_ = abs(Fraction(x))
    best = min(table, key=lambda pair: (abs(pair[1] - size_), pair[0] & 1))
    return best[0] | negative << sign


def from_short(bits: int, name: str) -> float | Fraction:
    sign = -1 if bits & 0x80 else 1
    value = dict(TABLES[name]).get(bits & 0x7F)
    if value is None:
        return sign * math.inf if name == "e5m2" and bits & 0x7F == 0x7C else math.nan
    return (-0.0 if sign < 0 else 0.0) if value == 0 else sign * value


def tf32(bits: int) -> int:
    """To the nearest number with ten bits behind the point, away from zero where two are as near."""
    x = decode(bits, "f32")
    if is_special(x):
        return NAN32 if math.isnan(x) else bits
    return ((bits >> 13) + (bits >> 12 & 1)) << 13 & 0xFFFFFFFF


def _signs(kind: str) -> int:
    bits = size(kind.removesuffix("x2"))
    return (1 << (bits - 1)) | ((1 << (2 * bits - 1)) if kind.endswith("x2") else 0)


def _divided(a: float | Fraction, b: float | Fraction) -> float | Fraction:
    if b == 0:
        if a == 0 or a != a:
            return math.nan
        return math.inf * math.copysign(1, float(a) if isinstance(a, float) else (1 if a > 0 else -1)) * math.copysign(1, b)
    if is_special(a) or is_special(b):
        return float(a) / float(b) if not (isinstance(b, Fraction) or isinstance(a, Fraction)) else (
            a * (1 if b > 0 else -1) if is_special(a) else math.copysign(0.0, b) * (1 if a > 0 else -1)
        )
    if a == 0:
        return math.copysign(0.0, a) * (1 if b > 0 else -1)
    return Fraction(a) / Fraction(b)


def _rounded(calculate: Callable[..., object], values: list[float | Fraction], part: str, mods: list[str]) -> int:
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
    if "sat" in mods:
        assert isinstance(result, (float, Fraction))
        result = 0.0 if result != result else min(max(result, 0.0), 1.0)
    if "relu" in mods and isinstance(result, (float, Fraction)) and result < 0:
        result = 0.0
    return encode(result, part)  # type: ignore[arg-type]


def _extreme(part: str, a: int, b: int, larger: bool, keep: bool) -> int:
    if is_nan(a, part) or is_nan(b, part):
        if keep or (is_nan(a, part) and is_nan(b, part)):
            return encode(math.nan, part)
        return b if is_nan(a, part) else a
    x, y = decode(a, part), decode(b, part)
    if x == y:
        return a & b if larger else a | b
    return a if (x > y) == larger else b


def _converted(value: int, target: str, source: str, mods: list[str]) -> int:
    """`cvt` of one number."""
    if source[0] in "us":
        x = number(value, source)
        if target[0] in "us":
            return clamp(x, target) if "sat" in mods else x
        return encode(Fraction(x) if x else 0.0, target)
    y = decode(value, source)
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
    if "relu" in mods and y < 0:
        y = 0.0
    return encode(y, target)


def float32(x: float) -> int:
    """Bits of a number as a 32-bit float."""
    return int(struct.unpack("<I", struct.pack("<f", x))[0])
