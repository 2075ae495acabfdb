"""Integer instructions of PTX on bits."""

from __future__ import annotations

from collections.abc import Callable

from ptx.isa_numbers import clamp, divided, extreme_of, number, signs, size

from cudamigrate.ptx.parser import Arg, Instruction


class Integers:
    """Arithmetic and bits; `get`, `put` and what concerns floats belong to the machine."""

    carry: int

    def get(self, arg: Arg, kind: str) -> int:
        raise NotImplementedError

    def put(self, arg: Arg, value: int, bits: int) -> None:
        raise NotImplementedError

    def floats(self, one: Instruction, kinds: list[str], mods: list[str], calculate: Callable[..., object]) -> None:
        raise NotImplementedError

    def lanes(self, one: Instruction, kind: str, each: Callable[..., int], count: int) -> None:
        raise NotImplementedError

    def op_fma(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        raise NotImplementedError

    def numbers(self, one: Instruction, kind: str, args: tuple[Arg, ...] | None = None) -> list[int]:
        return [number(self.get(arg, kind), kind) for arg in (one.args[1:] if args is None else args)]

    def add_like(self, one: Instruction, kinds: list[str], mods: list[str], sign: int) -> None:
        kind = kinds[0]
        if kind[0] in "fb":
            self.floats(one, kinds, mods, lambda a, b: a + sign * b)
            return
        a, b = self.numbers(one, kind)
        if kind.endswith("x2"):
            self.lanes(one, kind, lambda part, x, y: (x + y) & 0xFFFF, 2)
            return
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
        if "sat" in mods:
            self.put(one.args[0], clamp((a * b >> bits) + number(c, kind), kind), wide)
            return
        total = self.half(a * b, kind, mods) + c + (self.carry if one.name == "madc" else 0)
        if "cc" in mods:
            self.carry = total >> bits
        self.put(one.args[0], total & ((1 << wide) - 1), wide)

    op_madc = op_mad

    def op_mul24(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        a, b = (number(self.get(arg, "u32"), kinds[0][0] + "24") for arg in one.args[1:3])
        self.put(one.args[0], a * b >> 16 if "hi" in mods else a * b, 32)

    def op_mad24(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        a, b = (number(self.get(arg, "u32"), kinds[0][0] + "24") for arg in one.args[1:3])
        product, c = a * b >> 16 if "hi" in mods else a * b, number(self.get(one.args[3], "u32"), kinds[0])
        self.put(one.args[0], clamp(product + c, kinds[0]) if "sat" in mods else product + c, 32)

    def op_sad(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        a, b, c = self.numbers(one, kinds[0])
        self.put(one.args[0], abs(a - b) + c, size(kinds[0]))

    def op_div(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        if kinds[0][0] == "f":
            self.floats(one, kinds, mods, divided)
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
            self.put(one.args[0], value & ~signs(kind), size(kind))

    def op_neg(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        kind = kinds[0]
        value = self.get(one.args[1], kind)
        self.put(one.args[0], -number(value, kind) if kind[0] == "s" else value ^ signs(kind), size(kind))

    def extreme(self, one: Instruction, kinds: list[str], mods: list[str], pick: Callable[[list[int]], int]) -> None:
        kind = kinds[0]
        if kind.endswith("16x2") and kind[0] in "us":

            def part_of(part: str, *given: int) -> int:
                made = pick([number(value, part) for value in given])
                return (max(made, 0) if "relu" in mods else made) & 0xFFFF

            self.lanes(one, kind, part_of, 2)
        elif kind[0] in "us":
            made_ = pick(self.numbers(one, kind))
            self.put(one.args[0], max(made_, 0) if "relu" in mods else made_, size(kind))
        else:
            larger = pick([0, 1]) == 1
            keep, sizes, bare = "NaN" in mods, "xorsign" in mods, "abs" in mods and "xorsign" not in mods

            def each(part: str, *given: int) -> int:
                given = tuple(value & ~(1 << (size(part) - 1)) for value in given) if bare else given
                made = extreme_of(part, given[0], given[1], larger, keep, sizes)
                return made if len(given) == 2 else extreme_of(part, made, given[2], larger, keep)

            self.lanes(one, kind, each, len(one.args) - 1)

    def op_min(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.extreme(one, kinds, mods, min)

    def op_max(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        self.extreme(one, kinds, mods, max)

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
        at, length = self.get(one.args[1], "u32"), self.get(one.args[2], "u32")
        at, length = (at & 31, length & 31) if "wrap" in mods else (min(at, 32), min(length, 32))
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
        self.put(one.args[0], int(self.get(one.args[1], kinds[0]) == 0), size(kinds[0]))

    def op_lop3(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        a, b, c, table = (self.get(arg, "u32") for arg in one.args[1:5])
        made = 0
        for at in range(32):
            made |= (table >> ((a >> at & 1) << 2 | (b >> at & 1) << 1 | (c >> at & 1)) & 1) << at
        if not mods:
            self.put(one.args[0], made, 32)
            return
        given, other = made != 0, bool(self.get(one.args[5], "pred")) != one.args[5].negated
        truth = {"or": given or other, "and": given and other, "xor": given != other}[mods[0]]
        self.put(one.args[0].items[0], made, 32)
        self.put(one.args[0].items[1], int(truth), 1)

    def op_szext(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        count = self.get(one.args[2], "u32")
        count = count & 31 if "wrap" in mods else min(count, 32)
        kept = self.get(one.args[1], "u32") & ((1 << count) - 1)
        self.put(one.args[0], number(kept, f"{kinds[0][0]}{count}") if count else 0, 32)

    def op_prmt(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        a, b, chosen = (self.get(arg, "u32") for arg in one.args[1:])
        octets = (a | b << 32).to_bytes(8, "little")
        if mods:
            first = chosen & 3
            orders = {
                "f4e": (first, first + 1, first + 2, first + 3),
                "b4e": (first, (first + 7) % 8, (first + 6) % 8, (first + 5) % 8),
                "rc8": (first,) * 4,
                "ecl": tuple(max(first, at) for at in range(4)),
                "ecr": tuple(min(first, at) for at in range(4)),
                "rc16": (0, 1, 0, 1) if first in (0, 2) else (2, 3, 2, 3),
            }
            self.put(one.args[0], sum(octets[at] << (8 * place) for place, at in enumerate(orders[mods[0]])), 32)
            return
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

    def part(self, arg: Arg, kind: str) -> int:
        """A word, or the byte or half of it that is named."""
        bits = {"b": 8, "h": 16}.get(arg.part[:1], 32)
        return number(self.get(arg, "u32") >> (bits * int(arg.part[1:] or 0)), f"{kind[0]}{bits}")

    def scalar_video(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        name, (target, first, second, *rest) = one.name[1:], one.args
        kinds = ["u32", *kinds] if name == "set" else kinds
        x, y = self.part(first, kinds[1]), self.part(second, kinds[2])
        if name == "set":
            truth = {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[mods[0]]
            self.joined(int(truth), target, rest, "u32", mods)
            return
        if name == "mad":
            kind = "s32" if "s" in (kinds[1][0], kinds[2][0]) else "u32"
            scale = next((int(w[3:]) for w in mods if w.startswith("shr")), 0)
            product = -x * y if first.minus != second.minus else x * y
            third = number(self.get(rest[0], "u32"), kind)
            total = (product + (-third if rest[0].minus else third)) >> scale
            self.put(target, clamp(total, kind) if "sat" in mods else total, 32)
            return
        by = y & 31 if "wrap" in mods else min(y & 0xFFFFFFFF, 32)
        made = {"add": x + y, "sub": x - y, "min": min(x, y), "max": max(x, y), "absdiff": abs(x - y),
                "shl": x << by, "shr": x >> by}[name]  # fmt: skip
        self.joined(made, target, rest, kinds[0], mods)

    def joined(self, made: int, target: Arg, rest: list[Arg], kind: str, mods: list[str]) -> None:
        """The second operation of a scalar video instruction, or its merge."""
        bits = {"b": 8, "h": 16}.get(target.part[:1], 32)
        made = clamp(made, f"{kind[0]}{bits}") if "sat" in mods else made
        if target.part:
            mask, at = (1 << bits) - 1, bits * int(target.part[1:])
            made = self.get(rest[0], "u32") & ~(mask << at) | (made & mask) << at
        elif rest:
            c = number(self.get(rest[0], "u32"), kind)
            made = made + c if "add" in mods else min(made, c) if "min" in mods else max(made, c)
        self.put(target, made, 32)

    def video(self, one: Instruction, kinds: list[str], mods: list[str]) -> None:
        if not one.name[-1].isdigit():
            self.scalar_video(one, kinds, mods)
            return
        name, count = one.name[1:-1], int(one.name[-1])
        kinds = [kinds[0], *kinds] if name == "set" else kinds
        bits, kind = 32 // count, f"{kinds[0][0]}{32 // count}"
        a, b, c = (self.get(arg, "u32") for arg in one.args[1:])
        made, total = 0, c
        for at in range(0, 32, bits):
            x, y = number(a >> at, f"{kinds[1][0]}{bits}"), number(b >> at, f"{kinds[2][0]}{bits}")
            average = (x + y + (x + y >= 0)) >> 1
            truth = {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}
            compared = next((int(truth[word]) for word in mods if word in truth), 0)
            one_ = {"add": x + y, "sub": x - y, "min": min(x, y), "max": max(x, y), "absdiff": abs(x - y),
                    "avrg": average, "set": compared}[name]  # fmt: skip
            one_ = clamp(one_, kind) if "sat" in mods else one_
            part = one_ & ((1 << bits) - 1)
            made |= part << at
            total += one_ if name in ("add", "sub") else part
        self.put(one.args[0], total if "add" in mods else made, 32)
