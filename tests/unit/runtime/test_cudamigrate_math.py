"""The header of arithmetic: what its functions compute, against a model in Python, on edge values and random ones.

CUDAMIGRATE_MATH_SAMPLES sets how many random values each function gets.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

HERE = Path(__file__).parent
RUNTIME = HERE.parents[2] / "migrate" / "runtime"
STAND_INS = HERE.parent / "ptx" / "stand_ins"
SAMPLES = int(os.environ.get("CUDAMIGRATE_MATH_SAMPLES", "500"))
EDGES = [0, 1, 2, 0x7F, 0x80, 0x81, 0xFF, 0x7FFF, 0x8000, 0x8001, 0xFFFF, 0x10000, 0x007F8080, 0x7F80FF01, 0x80007FFF,
         0x7FFF8000, 0x80808080, 0x7F7F7F7F, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF]  # fmt: skip
Model = Callable[..., int]


def lanes(word: int, bits: int, signed: bool) -> list[int]:
    """The parts of a word, lowest first."""
    parts = [word >> at & ((1 << bits) - 1) for at in range(0, 32, bits)]
    return [part - (1 << bits) if signed and part >> (bits - 1) else part for part in parts]


def word(parts: list[int], bits: int) -> int:
    return sum((part % (1 << bits)) << (bits * at) for at, part in enumerate(parts))


def clamped(value: int, bits: int, signed: bool) -> int:
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return max(low, min(high, value))


def away(x: int, y: int) -> int:
    """Half of a sum, and half of one away from zero."""
    total = x + y
    return (abs(total) + 1) // 2 * (1 if total >= 0 else -1)


def each(operation: Callable[[int, int], int], bits: int, signed: bool, saturate: bool) -> Model:
    def model(a: int, b: int = 0) -> int:
        made = [operation(x, y) for x, y in zip(lanes(a, bits, signed), lanes(b, bits, signed), strict=True)]
        return word([clamped(value, bits, signed) for value in made] if saturate else made, bits)

    return model


def summed(bits: int, signed: bool) -> Model:
    return lambda a, b: sum(abs(x - y) for x, y in zip(lanes(a, bits, signed), lanes(b, bits, signed), strict=True))


KINDS = (("s32", 32), ("u32", 32), ("s16x2", 16), ("u16x2", 16))
BINARY = {
    "vadd": (lambda x, y: x + y, False, False), "vaddss": (lambda x, y: x + y, True, True),
    "vaddus": (lambda x, y: x + y, False, True), "vsub": (lambda x, y: x - y, False, False),
    "vsubss": (lambda x, y: x - y, True, True), "vsubus": (lambda x, y: x - y, False, True),
    "vabsdiffs": (lambda x, y: abs(x - y), True, False), "vabsdiffu": (lambda x, y: abs(x - y), False, False),
    "vmaxs": (max, True, False), "vmaxu": (max, False, False), "vmins": (min, True, False),
    "vminu": (min, False, False), "vavgs": (away, True, False), "vavgu": (away, False, False),
    "vhaddu": (lambda x, y: (x + y) // 2, False, False),
}  # fmt: skip
UNARY = {
    "vabs": (lambda x, _: abs(x), False), "vabsss": (lambda x, _: abs(x), True),
    "vneg": (lambda x, _: -x, False), "vnegss": (lambda x, _: -x, True),
}  # fmt: skip
ORDERS = {
    "eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "ge": lambda x, y: x >= y, "gt": lambda x, y: x > y,
    "le": lambda x, y: x <= y, "lt": lambda x, y: x < y,
}  # fmt: skip


def simd() -> dict[str, tuple[int, Model]]:
    """Every function on the parts of a word: how many arguments it has, and what it gives."""
    found: dict[str, tuple[int, Model]] = {}
    for count, bits in ((2, 16), (4, 8)):
        for name, (operation, signed, saturate) in BINARY.items():
            found[f"{name}{count}"] = 2, each(operation, bits, signed, saturate)
        for name, (operation, saturate) in UNARY.items():
            found[f"{name}{count}"] = 1, each(operation, bits, True, saturate)
        for name, order in ORDERS.items():
            for sign in ("",) if name in ("eq", "ne") else ("s", "u"):
                for kind, true in (("vcmp", -1), ("vset", 1)):
                    compared = each(lambda x, y, o=order, t=true: t if o(x, y) else 0, bits, sign == "s", False)
                    found[f"{kind}{name}{sign}{count}"] = 2, compared
        found[f"vsads{count}"] = 2, summed(bits, True)
        found[f"vsadu{count}"] = 2, summed(bits, False)
    return found


def picks() -> dict[str, tuple[int, Model]]:
    """The smaller and the larger of two or three, or of a sum and one, as integers of 32 bits and as halves."""
    found: dict[str, tuple[int, Model]] = {}
    for word_of, pick in (("max", max), ("min", min)):
        for kind, bits, signed in (("s32", 32, True), ("u32", 32, False), ("s16x2", 16, True), ("u16x2", 16, False)):

            def model(a: int, b: int, c: int, form: str = "", p=pick, n=bits, s=signed, relu: bool = False) -> int:
                made = []
                for x, y, z in zip(lanes(a, n, s), lanes(b, n, s), lanes(c, n, s), strict=True):
                    total = lanes(word([x + y] + [0] * (32 // n - 1), n), n, s)[0]
                    value = p(total, z) if form == "add" else p(x, y, z) if form == "3" else p(x, y)
                    made.append(max(value, 0) if relu else value)
                return word(made, n)

            for relu in (False, True) if signed else (False,):
                end = f"_{kind}{'_relu' if relu else ''}"
                for form, begin in (("add", f"viadd{word_of}"), ("3", f"vi{word_of}3")):
                    found[begin + end] = 3, lambda a, b, c, f=form, r=relu, m=model: m(a, b, c, f, relu=r)
                if relu:
                    found[f"vi{word_of}{end}"] = 2, lambda a, b, m=model: m(a, b, 0, relu=True)
    return found


def products() -> dict[str, tuple[int, Model]]:
    found: dict[str, tuple[int, Model]] = {}
    for name, first in (("dp2a_lo", 0), ("dp2a_hi", 2)):

        def model(a: int, b: int, c: int, signed: bool, at: int = first) -> int:
            halves, quarters = lanes(a, 16, signed), lanes(b, 8, signed)[at : at + 2]
            return (c + sum(x * y for x, y in zip(halves, quarters, strict=True))) % 2**32

        found[name] = 3, lambda a, b, c, m=model: m(a, b, c, False)
        found[f"{name}:int"] = 3, lambda a, b, c, m=model: m(a, b, c, True)
    return found


def inverse_root(bits: int) -> int:
    """The bits of the float nearest to one over the root of another, by whole numbers alone."""
    power, digits = bits >> 23 & 0xFF, bits & 0x7FFFFF
    if bits & 0x7FFFFFFF == 0:
        return bits | 0x7F800000
    if bits >> 31 or bits > 0x7F800000:
        return 0x7FC00000
    if bits == 0x7F800000:
        return 0
    value = Fraction(digits | (0x800000 if power else 0)) * Fraction(2) ** (max(power, 1) - 150)
    low, high = 1, 0x7F7FFFFF
    while low < high:  # the largest float whose square times the value is at most 1
        middle = (low + high + 1) // 2
        low, high = (middle, high) if exact(middle) ** 2 * value <= 1 else (low, middle - 1)
    halfway = (exact(low) + exact(low + 1)) / 2
    return low + (1 if halfway**2 * value < 1 else 0)


def exact(bits: int) -> Fraction:
    return Fraction(bits & 0x7FFFFF | 0x800000) * Fraction(2) ** ((bits >> 23) - 150)


def average(signed: bool, up: int) -> Model:
    return lambda a, b: (lanes(a, 32, signed)[0] + lanes(b, 32, signed)[0] + up) // 2 % 2**32


FUNCTIONS = {
    **simd(), **picks(), **products(), "umin": (2, min), "umax": (2, max), "rhadd": (2, average(True, 1)),
    "uhadd": (2, average(False, 0)), "urhadd": (2, average(False, 1)),
}  # fmt: skip
PROGRAM = """
#include "cudamigrate_math.h"
#include <cstdio>
#include <vector>
typedef unsigned int u;
template <typename F> void run(const std::vector<u> &in, F f) {
    std::vector<u> out;
    for (size_t at = 0; at < in.size(); at += 3) out.push_back(f(in[at], in[at + 1], in[at + 2]));
    std::fwrite(out.data(), 4, out.size(), stdout);
}
int main() {
    std::vector<u> in; u part[3];
    while (std::fread(part, 4, 3, stdin) == 3) in.insert(in.end(), part, part + 3);
%s
}
"""


def line(name: str, count: int) -> str:
    """A call of the function, with signed arguments where it has an overload for them."""
    plain, _, cast = name.partition(":")
    cast = cast or ("int" if re.search(r"_s32", plain) else "u")
    arguments = ", ".join(f"({cast})v{at}" for at in range(count))
    return f"    run(in, [](u v0, u v1, u v2) {{ (void)v1, (void)v2; return (u)cudamigrate::{plain}({arguments}); }});"


def built(tmp_path: Path, text: str, extra: tuple[str, ...] = ()) -> Path:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no host C++ compiler to run the functions with")
    (tmp_path / "main.cpp").write_text(text)
    flags = ["-std=c++14", "-O1", "-ffp-contract=off", "-Wno-unknown-pragmas", f"-I{STAND_INS}", f"-I{RUNTIME}"]
    flags += ["-D__HIPCC__=1", *extra]
    made = subprocess.run([compiler, *flags, "main.cpp", "-o", "main"], cwd=tmp_path, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr[:3000]
    return tmp_path / "main"


def samples() -> list[list[int]]:
    rng = random.Random(11)
    rows = [[a, b, rng.choice(EDGES)] for a in EDGES for b in EDGES]
    return rows + [[rng.getrandbits(32) for _ in range(3)] for _ in range(SAMPLES)]


def test_functions_on_words_give_the_results_of_cuda(tmp_path: Path) -> None:
    rows = samples()
    data = b"".join(value.to_bytes(4, "little") for row in rows for value in row)
    program = built(tmp_path, PROGRAM % "\n".join(line(name, count) for name, (count, _) in FUNCTIONS.items()))
    output = subprocess.run([program], input=data, capture_output=True, check=True).stdout
    got = [int.from_bytes(output[at : at + 4], "little") for at in range(0, len(output), 4)]
    assert len(got) == len(rows) * len(FUNCTIONS)
    wrong = []
    for number, (name, (count, model)) in enumerate(FUNCTIONS.items()):
        for at, row in enumerate(rows):
            want = model(*row[:count])
            if want != got[number * len(rows) + at]:
                wrong.append(f"{name}{[hex(v) for v in row[:count]]}: {want:#x}, got {got[number * len(rows) + at]:#x}")
                break
    print(f"{len(FUNCTIONS)} functions, {len(rows)} tests each, on a CPU")
    assert wrong == []


def test_of_two_the_first_is_reported(tmp_path: Path) -> None:
    """__vibmax_s32 and its kin: the larger or the smaller, and for each part whether it is the first."""
    kinds = [(word_of, kind, bits) for word_of in ("max", "min") for kind, bits in KINDS]
    text = []
    for word_of, kind, bits in kinds:
        cast, out = ("int" if kind == "s32" else "u"), ("&h" if bits == 32 else "&h, &l")
        call = f"cudamigrate::vib{word_of}_{kind}(({cast})a, ({cast})b, {out})"
        body = f"bool h, l = false; u made = (u){call}; (void)made;"
        for shown in ("made", "h * 2 + l"):
            text.append(f"    run(in, [](u a, u b, u) {{ {body} return (u)({shown}); }});")
    rows = samples()
    data = b"".join(value.to_bytes(4, "little") for row in rows for value in row)
    output = subprocess.run(
        [built(tmp_path, PROGRAM % "\n".join(text))], input=data, capture_output=True, check=True
    ).stdout
    got = [int.from_bytes(output[at : at + 4], "little") for at in range(0, len(output), 4)]
    for number, (word_of, kind, bits) in enumerate(kinds):
        for at, (a, b, _) in enumerate(rows):
            pairs = list(zip(lanes(a, bits, kind[0] == "s"), lanes(b, bits, kind[0] == "s"), strict=True))
            first = [x >= y if word_of == "max" else x <= y for x, y in pairs]
            made = word([x if one else y for (x, y), one in zip(pairs, first, strict=True)], bits)
            second = first[-1] * 2 + (first[0] if bits == 16 else 0)
            place = number * 2 * len(rows) + at
            assert (got[place], got[place + len(rows)]) == (made, second), (kind, hex(a), hex(b))


def test_inverse_roots_are_rounded_once(tmp_path: Path) -> None:
    rng = random.Random(12)
    given = [0, 0x80000000, 1, 2, 0x7FFFFF, 0x800000, 0x3F800000, 0x3F7FFFFF, 0x3F800001, 0x40800000, 0x7F7FFFFF,
             0x7F800000, 0x7FC00000, 0xBF800000]  # fmt: skip
    given += [rng.getrandbits(31) % 0x7F800000 for _ in range(SAMPLES)]
    call = "[](u a, u, u) { return cudamigrate::bits<u>(cudamigrate::frsqrt_rn(cudamigrate::bits<float>(a))); }"
    program = built(tmp_path, PROGRAM % f"    run(in, {call});")
    data = b"".join(value.to_bytes(4, "little") + bytes(8) for value in given)
    output = subprocess.run([program], input=data, capture_output=True, check=True).stdout
    got = [int.from_bytes(output[at : at + 4], "little") for at in range(0, len(output), 4)]
    alike = [0x7FC00000 if bits & 0x7FFFFFFF > 0x7F800000 else bits for bits in got]
    assert [hex(x) for x, made in zip(given, alike, strict=True) if made != inverse_root(x)] == []


@pytest.mark.rocm
@pytest.mark.parametrize("arch", ["gfx90a", "gfx1030"])
def test_functions_compile_for_amd(arch: str, tmp_path: Path) -> None:
    calls = [re.sub(r"^.*return \(u\)|; \}\);$", "", line(name, count)) for name, (count, _) in FUNCTIONS.items()]
    body = "\n".join(f"    v[{at}] = (u){call};" for at, call in enumerate(calls))
    text = ['#include "cudamigrate_math.h"', '#include "cudamigrate_bf16.h"', "typedef unsigned int u;"]
    root = "    v[0] = cudamigrate::bits<u>(cudamigrate::frsqrt_rn(v0));"
    text += [f"__global__ void k(u *v, u v0, u v1, u v2) {{\n{body}\n{root}\n}}"]
    (tmp_path / "sheet.hip").write_text("\n".join(text))
    command = [
        "hipcc",
        f"--offload-arch={arch}",
        "-std=c++14",
        "-Wall",
        "-Wextra",
        "-Werror",
        f"-I{RUNTIME}",
        "-c",
        "sheet.hip",
    ]
    environment = {**os.environ, "HIP_PLATFORM": "amd"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:3000]


@pytest.mark.rocm
def test_roots_and_quotients_are_the_same_whatever_the_precision_asked_for(tmp_path: Path) -> None:
    text = ['#include "cudamigrate_ptx.h"']
    calls = {"root": "sqrt_rn(*v)", "quotient": "div_rn(*v, v[1])", "inverse": "rcp_rn(*v)"}
    text += [
        f'extern "C" __global__ void {name}(float *v) {{ *v = cudamigrate::{call}; }}' for name, call in calls.items()
    ]
    text += ['extern "C" __global__ void plain(float *v) { *v = sqrtf(*v); }']
    (tmp_path / "roots.hip").write_text("\n".join(text))
    options = ["--offload-arch=gfx90a", f"-I{RUNTIME}", "-O2", "-S", "--cuda-device-only", "-o", "-", "roots.hip"]
    made = []
    for more in ([], ["-fno-hip-fp32-correctly-rounded-divide-sqrt"]):
        environment = {**os.environ, "HIP_PLATFORM": "amd"}
        done = subprocess.run(["hipcc", *options, *more], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[:3000]
        kernels = re.findall(r"^(\w+):.*?; @\1$(.*?)s_endpgm", done.stdout, re.MULTILINE | re.DOTALL)
        made.append(dict(kernels))
    assert [name for name in made[0] if made[0][name] != made[1][name]] == ["plain"]
    assert made[0].keys() == {*calls, "plain"}
