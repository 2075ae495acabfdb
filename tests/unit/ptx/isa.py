"""What PTX instructions do, on bits: a small interpreter written from the instruction set, apart from the translation.

Registers hold integers without sign; an instruction's type says how they are read. It covers what calculates; nothing
that touches memory or other lanes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from ptx.isa_integers import Integers
from ptx.isa_numbers import (
    SHORT,
    clamp,
    converted,
    decode,
    divided,
    encode,
    from_short,
    is_nan,
    number,
    power_of_two,
    rounded,
    signs,
    size,
    tf32,
    to_short,
)

from cudamigrate.ptx.parser import Arg, Instruction, parse


class Machine(Integers):
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
        modes = ("f4e", "b4e")
        kinds = [
            w for w in words if w == "pred" or (w not in modes and w.lstrip("busf")[:1].isdigit() and w[0] in "busf")
        ]
        modifiers = [w for w in words if w not in kinds]
        handler: Callable[[Instruction, list[str], list[str]], None] | None = getattr(self, f"op_{one.name}", None)
        if handler is None and one.name[0] == "v":
            handler = self.video
        assert handler is not None, one.spelled
        handler(one, kinds, modifiers)

    def compared(self, one: Instruction, kind: str, mods: list[str]) -> bool:
        a, b = (self.get(arg, kind) for arg in one.args[1:3])
        return self.ordered(a, b, kind, mods)

    def ordered(self, a: int, b: int, kind: str, mods: list[str]) -> bool:
        name = next(w for w in mods if w not in ("ftz", "and", "or", "xor"))
        if kind[0] == "f" or kind == "bf16":
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
        both = [self.with_predicate(one, each, mods) for each in (result, not result)]
        places = one.args[0].items if one.args[0].kind == "pair" else (one.args[0],)
        for place, value in zip(places, both, strict=False):
            self.put(place, int(value), 1)

    def with_predicate(self, one: Instruction, result: bool, mods: list[str]) -> bool:
        join = next((w for w in mods if w in ("and", "or", "xor")), "")
        if not join:
            return result
        c = bool(self.get(one.args[3], "pred")) != one.args[3].negated
        return {"and": result and c, "or": result or c, "xor": result != c}[join]

    def op_set(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        if kinds[1].endswith("x2"):
            ones, made, part = {"f16x2": 0x3C00, "bf16x2": 0x3F80}.get(kinds[0], 0xFFFF), 0, kinds[1].removesuffix("x2")
            for at in (0, 16):
                a, b = (self.get(arg, "u32") >> at & 0xFFFF for arg in one.args[1:3])
                made |= (ones if self.with_predicate(one, self.ordered(a, b, part, mods), mods) else 0) << at
            self.put(one.args[0], made, 32)
            return
        result = self.with_predicate(one, self.compared(one, kinds[-1], mods), mods)
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
        if len(kinds) > 1:
            short = len(one.args) - 2
            values = [decode(self.get(arg, kinds[1]), kinds[1]) for arg in one.args[1 : 1 + short]]
            values.append(decode(self.get(one.args[-1], kinds[0]), kinds[0]))
            self.put(one.args[0], rounded(calculate, values, kinds[0], mods), size(kinds[0]))
            return

        def each(part: str, *given: int) -> int:
            values = [decode(value, part) for value in given]
            return rounded(calculate, values, part, mods)

        self.lanes(one, kinds[0], each, len(one.args) - 1)

    def op_fma(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.floats(one, kinds, mods, lambda a, b, c: a * b + c)

    def directed_root(self, one: Instruction, kind: str, mods: list[str]) -> None:
        """The square root with more digits than any rounding looks at, and one below them where it is not exact."""
        x = decode(self.get(one.args[1], kind), kind)
        if isinstance(x, float) or x < 0:
            root: float | Fraction = x if isinstance(x, float) and (x >= 0 or x != x) else math.nan
        else:
            scaled = (x.numerator << 2400) // x.denominator
            found = math.isqrt(scaled)
            exact = found * found == scaled and (x.numerator << 2400) % x.denominator == 0
            root = Fraction(2 * found + (not exact), 2 << 1200)
        self.put(one.args[0], encode(root, kind, next(word for word in mods if word in ("rz", "rm", "rp"))), size(kind))

    def op_rcp(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.floats(one, kinds, mods, lambda a: divided(1.0, a))

    def op_copysign(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        a, b = (self.get(arg, kinds[0]) for arg in one.args[1:])
        sign = signs(kinds[0])
        self.put(one.args[0], a & sign | b & ~sign, size(kinds[0]))

    def op_testp(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        x = decode(self.get(one.args[1], kinds[0]), kinds[0])
        nan = isinstance(x, float) and math.isnan(x)
        infinite = isinstance(x, float) and math.isinf(x)
        least = Fraction(2) ** (-126 if kinds[0] == "f32" else -1022)
        truth = {
            "finite": not nan and not infinite,
            "infinite": infinite,
            "notanumber": nan,
            "number": not nan,
            "normal": x == 0 or (isinstance(x, Fraction) and abs(x) >= least),
            "subnormal": isinstance(x, Fraction) and abs(x) < least,
        }[mods[0]]
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
        if {"rz", "rm", "rp"} & set(mods):
            self.directed_root(one, kinds[0], mods)
            return
        self.approximated(one, kinds[0], math.sqrt)

    def op_rsqrt(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.approximated(one, kinds[0], lambda x: math.copysign(math.inf, x) if x == 0 else 1 / math.sqrt(x))

    def op_sin(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.approximated(one, kinds[0], math.sin)

    def op_cos(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.approximated(one, kinds[0], math.cos)

    def op_cvt(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        short = next((w for w in mods if w in SHORT), "")
        if "pack" in mods:
            self.packed(one, kinds)
        elif "tf32" in mods:
            self.put(one.args[0], tf32(self.get(one.args[1], "f32"), mods), 32)
        elif short:
            self.short(one, kinds, mods, short)
        elif kinds[0].endswith("x2"):
            part = kinds[0].removesuffix("x2")
            high, low = (converted(self.get(arg, "f32"), part, "f32", mods) for arg in one.args[1:])
            self.put(one.args[0], high << 16 | low, 32)
        else:
            value = converted(self.get(one.args[1], kinds[1]), kinds[0], kinds[1], mods)
            wide = self.widths[int(one.args[0].text)] if one.args[0].kind == "place" else size(kinds[0])
            made = number(value, kinds[0]) if kinds[0][0] == "s" else value & ((1 << size(kinds[0])) - 1)
            self.put(one.args[0], made, wide)

    def packed(self, one: Instruction, kinds: list[str]) -> None:
        bits = size(kinds[0])
        high, low = (clamp(number(self.get(arg, "u32"), "s32"), kinds[0]) & ((1 << bits) - 1) for arg in one.args[1:3])
        rest = self.get(one.args[3], "u32") << (2 * bits) if len(one.args) == 4 else 0
        self.put(one.args[0], rest | high << bits | low, 32)

    def short(self, one: Instruction, kinds: list[str], mods: list[str], short: str) -> None:
        name, part = short.removesuffix("x2"), kinds[0].removesuffix("x2")
        bits = 4 if name == "e2m1" else 8

        def made(value: float | Fraction) -> int:
            if name == "ue8m0":
                return power_of_two(value, "rp" if "rp" in mods else "rz")
            return to_short(value, short, "relu" in mods)

        def grown(bits: int) -> int:
            value = from_short(bits, name)
            return encode(0.0 if "relu" in mods and value <= 0 else value, part)

        if kinds == ["f32"]:
            parts = [made(decode(self.get(arg, "f32"), "f32")) for arg in one.args[1:]]
        elif one.modifiers.index(short) < one.modifiers.index(kinds[0]):
            pair = self.get(one.args[1], "u32")
            parts = [made(decode(pair >> at & 0xFFFF, part)) for at in (16, 0)]
        else:
            pair, mask = self.get(one.args[1], "u16"), (1 << bits) - 1
            high, low = (grown(pair >> at & mask) for at in (bits, 0))
            self.put(one.args[0], high << 16 | low, 32)
            return
        self.put(one.args[0], parts[0] << bits | parts[1], 2 * bits)
