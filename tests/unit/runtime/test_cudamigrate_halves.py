"""Halves and bfloat16 numbers: what the functions of our headers compute, against exact arithmetic in Python.

CUDAMIGRATE_MATH_SAMPLES sets how many random values each function gets.
"""

from __future__ import annotations

import math
import os
import random
import shutil
import struct
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

HERE = Path(__file__).parent
RUNTIME = HERE.parents[2] / "migrate" / "runtime"
STAND_INS = HERE.parent / "ptx" / "stand_ins"
SAMPLES = int(os.environ.get("CUDAMIGRATE_MATH_SAMPLES", "500"))
EDGES = [0, 1, 0x3FF, 0x400, 0x3C00, 0x3C01, 0x7BFF, 0x7C00, 0x7E00, 0x7C01, 0x3F80, 0x3F81, 0x4F00, 0x5F00, 0x42FE,
         0x7F7F, 0x7F80, 0x7FC0, 0x3800, 0x007F, 0x0080, 0x4700, 0x5A40, 0x57F0]  # fmt: skip
EDGES = EDGES + [edge | 0x8000 for edge in EDGES]
WIDE = [0, 1, 127, 128, 255, 256, 257, 258, 259, 0x7FFF, 0x8000, 0xFFFF, 0x1FF0, 0x1FF8, 0x101, 0x1018000, 0x1018001,
        (1 << 31) - 1, 1 << 31, (1 << 32) - 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 0xFF7FFFFFFFFFFFFF]  # fmt: skip


@dataclass(frozen=True)
class Format:
    """A format of 16 bits: how many of them are digits, and the power that belongs to the lowest exponent."""

    digits: int

    @property
    def lowest(self) -> int:
        return 2 - (1 << (14 - self.digits))

    def value(self, bits: int) -> Fraction | float:
        power, rest = bits >> self.digits & ((1 << (15 - self.digits)) - 1), bits & ((1 << self.digits) - 1)
        sign = -1 if bits >> 15 else 1
        if power == (1 << (15 - self.digits)) - 1:
            return math.nan if rest else sign * math.inf
        whole = rest + ((1 << self.digits) if power else 0)
        return Fraction(sign * whole) * Fraction(2) ** (max(power, 1) - 1 + self.lowest - self.digits)

    def rounded(self, value: Fraction, mode: str, zero: int = 0) -> int:
        """The bits of an exact value, rounded n, z, d or u; `zero` those of a zero."""
        if value == 0:
            return zero
        sign, size = (0x8000 if value < 0 else 0), abs(value)
        power = max(math.floor(math.log2(size.numerator) - math.log2(size.denominator)), self.lowest)
        while size >= Fraction(2) ** (power + 1):
            power += 1
        while power > self.lowest and size < Fraction(2) ** power:
            power -= 1
        units = size / Fraction(2) ** (power - self.digits)
        kept, rest = int(units), units - int(units)
        up = (mode == "u" and not sign) or (mode == "d" and sign)
        if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and kept & 1) if mode == "n" else rest and up:
            kept += 1
        made = ((power - self.lowest) << self.digits) + kept
        top = ((1 << (15 - self.digits)) - 1) << self.digits
        if made >= top:
            made = top if mode == "n" or up else top - 1
        return sign | made


HALF, BRAIN = Format(10), Format(7)
NAN = -1


def arithmetic(kind: Format, symbol: str) -> Callable[..., int]:
    def model(a: int, b: int) -> int:
        x, y = kind.value(a), kind.value(b)
        if isinstance(x, float) or isinstance(y, float):
            with_floats = {
                "+": lambda: float(x) + float(y),
                "-": lambda: float(x) - float(y),
                "*": lambda: float(x) * y,
            }
            made = with_floats[symbol]() if not (symbol == "*" and 0 in (x, y)) else math.nan
            return NAN if made != made else kind.rounded(Fraction(0), "n", 0xFC00 if made < 0 else 0x7C00) if (
                kind is HALF) else (0xFF80 if made < 0 else 0x7F80)  # fmt: skip
        exact = x + y if symbol == "+" else x - y if symbol == "-" else x * y
        if symbol == "*":
            zero = (a ^ b) & 0x8000
        else:
            second = b ^ (0x8000 if symbol == "-" else 0)
            zero = a & second & 0x8000 if x == 0 and y == 0 else 0
        return kind.rounded(exact, "n", zero)

    return model


def key(kind: Format, bits: int) -> int:
    """Numbers in order, -0 below 0."""
    return -(bits & 0x7FFF) - 1 if bits >> 15 else bits


def extreme(kind: Format, pick: Callable[..., int], nan: bool) -> Callable[..., int]:
    def model(a: int, b: int) -> int:
        unknown = [kind.value(bits) != kind.value(bits) for bits in (a, b)]
        if any(unknown):
            return NAN if nan or all(unknown) else b if unknown[0] else a
        return pick(a, b, key=lambda bits: key(kind, bits))

    return model


def compared(kind: Format, holds: Callable[..., bool], unordered: bool) -> Callable[..., int]:
    def model(a: int, b: int) -> int:
        x, y = kind.value(a), kind.value(b)
        return 0xFFFF if (unordered if x != x or y != y else holds(x, y)) else 0

    return model


def masked(model: Callable[..., int], bits: int) -> Callable[..., int]:
    return lambda a, b: model(a, b) & bits


def relu(a: int, b: int, c: int) -> int:
    x, y, z = (HALF.value(bits) for bits in (a, b, c))
    if any(isinstance(value, float) for value in (x, y, z)):
        return NAN if any(value != value for value in (x, y, z)) else -2  # infinities are left to the arithmetic
    exact = x * y + z
    return 0 if exact <= 0 else HALF.rounded(exact, "n")


ORDERS = {"eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "lt": lambda x, y: x < y, "le": lambda x, y: x <= y,
          "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y}  # fmt: skip
CALLS: dict[str, tuple[Format, int, Callable[..., int]]] = {}
for _kind, _type in ((HALF, "H"), (BRAIN, "B")):
    for _name, _symbol in (("hadd", "+"), ("hsub", "-"), ("hmul", "*")):
        CALLS[f"{_name}_rn<{_type}>"] = _kind, 2, arithmetic(_kind, _symbol)
        CALLS[f"{_name}2_rn<{_type}2>"] = _kind, 2, arithmetic(_kind, _symbol)
    for _name, _pick in (("hmax2", max), ("hmin2", min)):
        CALLS[f"{_name}<{_type}2>"] = _kind, 2, extreme(_kind, _pick, False)
        CALLS[f"{_name}_nan<{_type}2>"] = _kind, 2, extreme(_kind, _pick, True)
    for _name, _holds in ORDERS.items():
        CALLS[f"h{_name}2_mask<{_type}2>"] = _kind, 2, compared(_kind, _holds, False)
        CALLS[f"h{_name}u2_mask<{_type}2>"] = _kind, 2, compared(_kind, _holds, True)
        CALLS[f"hb{_name}u2<{_type}2>"] = _kind, 2, masked(compared(_kind, _holds, True), 1)
    _unequal = compared(_kind, ORDERS["ne"], False)
    CALLS[f"hne2<{_type}2>"] = _kind, 2, masked(_unequal, 0x3C00 if _kind is HALF else 0x3F80)
CALLS["hfma_relu<H>"] = HALF, 3, relu
CALLS["hfma2_relu<H2>"] = HALF, 3, relu

PROGRAM = """
#include "cudamigrate_math.h"
#include "cudamigrate_bf16.h"
#include <cstdio>
#include <vector>
typedef unsigned int u; typedef unsigned short us; typedef unsigned long long ull;
typedef __half H; typedef __half2 H2;
struct B { us v; }; struct B2 { B x, y; };
inline __half __hneg(__half x) { return {us(x.bits ^ 0x8000)}; }
template <typename T, typename N> T as(N v) {
    T t{}; std::memcpy(&t, &v, sizeof t < sizeof v ? sizeof t : sizeof v); return t;
}
template <typename In, typename F> void run(const std::vector<In> &in, F f) {
    std::vector<ull> out;
    for (size_t at = 0; at + 2 < in.size(); at += 3) out.push_back(f(in[at], in[at + 1], in[at + 2]));
    std::fwrite(out.data(), 8, out.size(), stdout);
}
int main() {
    std::vector<ull> in; ull part[3];
    while (std::fread(part, 8, 3, stdin) == 3) in.insert(in.end(), part, part + 3);
%s
}
"""


def results(tmp_path: Path, lines: Sequence[str], rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """What each line gives for each row of three words of 64 bits."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no host C++ compiler to run the functions with")
    (tmp_path / "main.cpp").write_text(PROGRAM % "\n".join(lines))
    flags = ["-std=c++14", "-O1", "-ffp-contract=off", "-Wno-unknown-pragmas", f"-I{STAND_INS}", f"-I{RUNTIME}"]
    flags.append("-D__HIPCC__=1")
    made = subprocess.run([compiler, *flags, "main.cpp", "-o", "main"], cwd=tmp_path, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr[:3000]
    data = b"".join(value.to_bytes(8, "little") for row in rows for value in row)
    output = subprocess.run([tmp_path / "main"], input=data, capture_output=True, check=True).stdout
    words = [int.from_bytes(output[at : at + 8], "little") for at in range(0, len(output), 8)]
    return [words[at : at + len(rows)] for at in range(0, len(words), len(rows))]


def test_functions_of_halves_and_of_bfloat16_are_exact(tmp_path: Path) -> None:
    rng, lines = random.Random(5), []
    rows = [[a, b, rng.choice(EDGES)] for a in EDGES for b in EDGES]
    rows += [[rng.getrandbits(16) for _ in range(3)] for _ in range(SAMPLES)]
    for name, (_, count, _) in CALLS.items():
        plain, _, kind = name.rstrip(">").partition("<")
        words = [f"v{at} | v{at} << 16" if kind.endswith("2") else f"v{at}" for at in range(count)]
        call = f"cudamigrate::{plain}({', '.join(f'as<{kind}>(u({word}))' for word in words)})"
        lines.append(f"    run(in, [](ull v0, ull v1, ull v2) {{ (void)v2; return ull(as<u>({call})); }});")
    wrong = []
    for (name, (kind, count, model)), got in zip(CALLS.items(), results(tmp_path, lines, rows), strict=True):
        for row, word in zip(rows, got, strict=True):
            want, halves = model(*row[:count]), [word & 0xFFFF, word >> 16 & 0xFFFF]
            for half in halves if "2" in name.partition("<")[0] and not name.startswith("hb") else halves[:1]:
                value = kind.value(half)
                if want != -2 and (value == value if want == NAN else half != want):
                    wrong.append(f"{name}{[hex(v) for v in row[:count]]}: {want:#x}, got {half:#x}")
    print(f"{len(CALLS)} functions, {len(rows)} tests each, on a CPU")
    assert wrong == [], f"{len(wrong)}: " + "\n".join(wrong[:20])


def from_float(mode: str) -> Callable[[int], int]:
    def model(bits: int) -> int:
        value = struct.unpack("<f", (bits & 0xFFFFFFFF).to_bytes(4, "little"))[0]
        if value != value:
            return NAN
        if math.isinf(value):
            return 0xFF80 if value < 0 else 0x7F80
        return BRAIN.rounded(Fraction(value), mode, bits >> 16 & 0x8000)

    return model


def from_integer(bits: int, signed: bool, mode: str) -> Callable[[int], int]:
    def model(given: int) -> int:
        value = given & ((1 << bits) - 1)
        return BRAIN.rounded(Fraction(value - (1 << bits) if signed and value >> (bits - 1) else value), mode)

    return model


def test_floats_and_integers_become_bfloat16_rounded_once(tmp_path: Path) -> None:
    rng, lines, models = random.Random(6), [], list[tuple[str, Callable[[int], int]]]()
    rows = [[value, 0, 0] for edge in WIDE for value in (edge, edge << 7 & (1 << 64) - 1, -edge & (1 << 64) - 1)]
    rows += [[edge << 16 | low, 0, 0] for edge in EDGES for low in (0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF)]
    rows += [[rng.getrandbits(64) >> rng.randrange(64), 0, 0] for _ in range(SAMPLES)]

    for mode in "nzdu":
        if mode != "n":
            models.append((f"float2bfloat16_r{mode}<B>(as<float>(u(v)))", from_float(mode)))
        for name, kind, bits in (("short", "short", 16), ("int", "int", 32), ("ll", "long long", 64)):
            models.append((f"{name}2bfloat16_r{mode}<B>(({kind})v)", from_integer(bits, True, mode)))
            models.append((f"u{name}2bfloat16_r{mode}<B>((unsigned {kind})v)", from_integer(bits, False, mode)))
    lines = [f"    run(in, [](ull v, ull, ull) {{ return ull(as<us>(cudamigrate::{call})); }});" for call, _ in models]
    wrong = []
    for (call, model), got in zip(models, results(tmp_path, lines, rows), strict=True):
        for row, made in zip(rows, got, strict=True):
            want, value = model(row[0]), BRAIN.value(made)
            if value == value if want == NAN else made != want:
                wrong.append(f"{call} of {row[0]:#x}: {want:#x}, got {made:#x}")
    assert wrong == [], f"{len(wrong)}: " + "\n".join(wrong[:20])


def test_bfloat16_becomes_an_integer_as_in_cuda(tmp_path: Path) -> None:
    rng = random.Random(8)
    rows = [[edge, 0, 0] for edge in EDGES] + [[rng.getrandbits(16), 0, 0] for _ in range(SAMPLES)]
    kinds = {"char": 8, "short": 16, "int": 32, "ll": 64}
    models, turns = list[tuple[str, int, bool, str]](), {"n": round, "z": math.trunc, "d": math.floor, "u": math.ceil}
    for name, bits in kinds.items():
        for mode in "nzdu":
            models += [(f"bfloat162{name}_r{mode}", bits, True, mode), (f"bfloat162u{name}_r{mode}", bits, False, mode)]
    lines = [
        f"    run(in, [](ull v, ull, ull) {{ return (ull)(cudamigrate::{name}(as<B>(us(v)))); }});"
        for name, *_ in models
    ]
    wrong = []
    for (name, bits, signed, mode), got in zip(models, results(tmp_path, lines, rows), strict=True):
        low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
        for row, made in zip(rows, got, strict=True):
            value = BRAIN.value(row[0])
            if value != value:
                want = 1 << 63 if bits == 64 else 0
            elif isinstance(value, float):
                want = low if value < 0 else high
            else:
                want = max(low, min(high, turns[mode](value)))
            if made != want % (1 << 64):
                wrong.append(f"{name} of {row[0]:#x}: {want:#x}, got {made:#x}")
    assert wrong == [], f"{len(wrong)}: " + "\n".join(wrong[:20])


DOUBLES = (1 + 2**-11, 1 + 2**-11 + 2**-40, 1 + 2**-11 - 2**-40, 65519.99999999999, 65520.0, 2049 + 2**-30, 2**-25,
           -(2**-24) - 2**-60, 5e-324, 1e300, math.inf, math.nan)  # fmt: skip


def test_double_becomes_a_half_rounded_once(tmp_path: Path) -> None:
    rng = random.Random(9)
    near = [struct.unpack("<Q", struct.pack("<d", value))[0] for value in DOUBLES]
    rows = [[bits, 0, 0] for bits in near] + [[rng.getrandbits(64), 0, 0] for _ in range(SAMPLES)]
    rows += [[rng.randrange(985, 1045) << 52 | rng.getrandbits(52), 0, 0] for _ in range(SAMPLES)]
    line = "    run(in, [](ull v, ull, ull) { return ull(as<us>(cudamigrate::double2half(as<double>(v)))); });"
    for row, made in zip(rows, results(tmp_path, [line], rows)[0], strict=True):
        given = struct.unpack("<d", row[0].to_bytes(8, "little"))[0]
        if given != given:
            assert HALF.value(made) != HALF.value(made)
        elif math.isinf(given):
            assert made == (0xFC00 if given < 0 else 0x7C00)
        else:
            assert made == HALF.rounded(Fraction(given), "n", row[0] >> 48 & 0x8000), hex(row[0])


def test_halves_become_bytes_as_in_cuda(tmp_path: Path) -> None:
    rows = [[bits, 0, 0] for bits in range(0, 1 << 16, 7)]
    names = ["half2char_rz", "half2uchar_rz"]
    lines = [
        f"    run(in, [](ull v, ull, ull) {{ return (ull)cudamigrate::{name}(as<H>(us(v))); }});" for name in names
    ]
    for low, high, got in zip((-128, 0), (127, 255), results(tmp_path, lines, rows), strict=True):
        for row, made in zip(rows, got, strict=True):
            value = HALF.value(row[0])
            want = 0 if value != value else max(low, min(high, math.trunc(value) if abs(value) < math.inf else value))
            assert made == int(want) % (1 << 64), hex(row[0])


def test_a_complex_product_is_added_in_four_steps(tmp_path: Path) -> None:
    rng = random.Random(10)

    def small() -> int:
        return rng.getrandbits(1) << 15 | rng.randrange(8, 20) << 10 | rng.getrandbits(10)

    rows = [[small() | small() << 16 for _ in range(3)] for _ in range(SAMPLES)]
    words = ", ".join(f"as<H2>(u({name}))" for name in "abc")
    line = f"    run(in, [](ull a, ull b, ull c) {{ return ull(as<u>(cudamigrate::hcmadd({words}))); }});"

    def fused(a: int, b: int, c: int) -> int:
        return HALF.rounded(Fraction(HALF.value(a)) * Fraction(HALF.value(b)) + Fraction(HALF.value(c)), "n")

    for row, made in zip(rows, results(tmp_path, [line], rows)[0], strict=True):
        (ax, ay), (bx, by), (cx, cy) = ((word & 0xFFFF, word >> 16) for word in row)
        want = [fused(ay ^ 0x8000, by, fused(ax, bx, cx)), fused(ay, bx, fused(ax, by, cy))]
        assert [made & 0xFFFF, made >> 16] == want, [hex(word) for word in row]
