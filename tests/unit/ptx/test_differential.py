"""Translations do what the instructions do: on a CPU, against an interpreter of PTX, on edge values and random ones.

Run with `-s` to see the table. CUDAMIGRATE_PTX_SAMPLES sets how many random values each form gets; with more than the
default the program is optimised too, which shows undefined behaviour and takes three times as long to compile.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from ptx.isa import Machine
from ptx.isa_numbers import decode, is_nan, signed
from ptx.translated import BITS, CTYPES, Case, cases, translated

from cudamigrate.ptx import table

HERE = Path(__file__).parent
RUNTIME = HERE.parents[2] / "migrate" / "runtime"
USUAL = 40
SAMPLES = int(os.environ.get("CUDAMIGRATE_PTX_SAMPLES", str(USUAL)))
CALCULATE = ("integer.toml", "video.toml", "float.toml", "convert.toml", "rounding.toml")
SKIPPED = {"cvta"}
"""What does not calculate."""
TOLERANCE = {"ex2": 4, "lg2": 4, "sin": 4, "cos": 4, "tanh": 4, "rsqrt": 2, "fma.bf16": 1, "fma.relu.bf16": 1}
"""Units of the last place that an approximate form may differ by on a CPU."""
EDGES32 = [0, 1, 2, 3, 7, 8, 15, 16, 24, 31, 32, 33, 63, 64, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000,
           0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0x3F800000, 0xBF800000, 0x00800000, 0x7F7FFFFF,
           0x7F800000, 0xFF800000, 0x7FC00000, 0x3F000000, 0x3FC00000, 0x40200000, 0x4F000000, 0xCF000000, 0x4F800000,
           0x5F000000, 0x43000000, 0x42FE0000, 0x477FE000, 0x477FF000, 0x33000000, 0x33800000, 0x43E00000, 0x7C007C00,
           0x3C00BC00, 0x7BFF0001, 0x3F80BF80, 0x7F80FF80, 0x7E007E00, 0x000116C2, 0x800116C2, 0x80008000, 0x00008000,
           0x007FFFFF, 0x807FFFFF, 0xFFC12345, 0x7FC0FFC1, 0x7E01FE02, 0x7FFFFFFF, 0x00010001, 0x83FF83FF]  # fmt: skip
EDGES64 = [0x3FF0000000000000, 0xBFF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0x41DFFFFFFFC00000,
           0xC1E0000000000000, 0x43E0000000000000, 0xFFFFFFFFFFFFFFFF, 1 << 63, (1 << 63) - 1, 1 << 32]  # fmt: skip


def every_case() -> list[tuple[str, str, Case]]:
    """All forms of the tables that calculate: the row's name, how exact it is, and the statement."""
    found, seen = [], set()
    for rows in table.load().rows.values():
        for row in rows:
            if row.origin not in CALCULATE or row.name in SKIPPED or row.rule:
                continue
            for case in cases(row):
                if case not in seen and not (row.name == "mov" and "%%" in case.template):
                    seen.add(case)
                    found.append((row.name, "approximate" if row.approximate else "exact", case))
    return found


def values(case: Case, rng: random.Random) -> list[list[int]]:
    """Operands as bits: edges met with each other at random, small numbers, any bits, two alike with the top bit."""
    rows = []
    for number in range(SAMPLES + 60):
        row = []
        for at, one in enumerate(case.letters):
            bits = BITS[one]
            edges = EDGES32 + (EDGES64 if bits == 64 else [])
            pick = rng.randrange(4) if number < SAMPLES else 0
            made = rng.choice(edges) if pick == 0 else rng.randrange(70) if pick == 1 else rng.getrandbits(bits)
            if pick == 3 and one in "fd" and bits == 32:
                made = (rng.randrange(100, 160) << 23) | rng.getrandbits(23) | rng.getrandbits(1) << 31
            if pick == 3 and one == "d":
                made = (rng.randrange(990, 1100) << 52) | rng.getrandbits(52) | rng.getrandbits(1) << 63
            row.append(0 if at < case.results else made & ((1 << bits) - 1))
        if number % 6 == 5 and len(row) > 2 and case.letters[1] == case.letters[2]:
            row[1] = row[2] = rng.getrandbits(BITS[case.letters[1]]) | 1 << (BITS[case.letters[1]] - 1)
        if case.template.startswith(("div.u", "div.s", "rem")) and avoid(case, row):
            continue
        if re.match(r"(?:max|min)\.(?:abs\.)?f", case.template):
            row = [quiet(value, one) for value, one in zip(row, case.letters, strict=True)]
        if case.template.startswith("fns"):
            row[2] &= 31
        rows.append(row)
    return rows


def quiet(value: int, one: str) -> int:
    """A signalling NaN made quiet: the maximum of the host's library does not take it for a missing number."""
    kind, bit = ("f32", 22) if one == "f" else ("f64", 51)
    return value | 1 << bit if is_nan(value, kind) else value


def avoid(case: Case, row: list[int]) -> bool:
    """Division by zero, and of the least number by -1, mean nothing in either language."""
    bits = BITS[case.letters[2]]
    return row[2] == 0 or (signed(row[2], bits) == -1 and signed(row[1], bits) == -(1 << (bits - 1)))


def function(name: str, case: Case, body: str, sign: int) -> str:
    """The translation as a function of bytes; operands are unsigned, signed, or by turns."""
    types = [CTYPES[one][at % 2 if sign == 2 else sign] for at, one in enumerate(case.letters)]
    reads = "".join(f"    {kind} v{at}; get(in, v{at});\n" for at, kind in enumerate(types))
    writes = "".join(f"    put(out, v{at});\n" for at in range(case.results))
    return f"static void {name}(const char *&in, char *&out) {{\n{reads}    {body}\n{writes}}}\n"


PROGRAM = """
#include "cudamigrate_ptx.h"
#include <cstdio>
#include <vector>
template <typename T> void get(const char *&in, T &v) { std::memcpy(&v, in, sizeof v); in += sizeof v; }
template <typename T> void put(char *&out, T v) { std::memcpy(out, &v, sizeof v); out += sizeof v; }
"""
MAIN = """
static std::vector<char> all(FILE *file) {
    std::vector<char> data; char part[65536]; size_t got;
    while ((got = std::fread(part, 1, sizeof part, file)) > 0) data.insert(data.end(), part, part + got);
    return data;
}
int main() {
    const std::vector<char> given = all(stdin);
    std::vector<char> made(given.size() + 64);
    const char *in = given.data(); char *out = made.data();
    for (const Work &one : work) for (int at = 0; at < one.count; ++at) one.call(in, out);
    std::fwrite(made.data(), 1, static_cast<size_t>(out - made.data()), stdout);
}
"""


def pack(case: Case, row: list[int], first: int, last: int) -> bytes:
    return b"".join(row[at].to_bytes(BITS[case.letters[at]] // 8, "little") for at in range(first, last))


def differs(name: str, case: Case, want: int, got: int, at: int) -> bool:
    """Whether a result is wrong: NaN are alike but where PTX has one of its own, approximate forms have a tolerance.

    Zeros of `max` for single numbers are of any sign on a CPU.
    """
    if want == got:
        return False
    opcode = case.template.split(" ")[0]
    parts = [("f32", 32)] if case.letters[at] == "f" else [("f64", 64)] if case.letters[at] == "d" else []
    target = opcode.rstrip(";").split(".")[-2].removesuffix("x2") if name == "cvt" else ""
    for kind, bits in ((target, 16),) if target in ("f16", "bf16") else (("bf16", 16), ("f16", 16)):
        if kind in opcode.replace("bf16", "bf16" if kind == "bf16" else "") and not parts:
            parts = [(kind, bits)] * (BITS[case.letters[at]] // bits)
    if not parts and ".f32x2" in opcode:
        parts = [("f32", 32), ("f32", 32)]
    if not parts:
        return True
    keys = [key for key in TOLERANCE if all(word in opcode for word in key.split("."))]
    near = max((TOLERANCE[key] for key in keys), default=0)
    for kind, bits in parts:
        one, other = want & ((1 << bits) - 1), got & ((1 << bits) - 1)
        want, got = want >> bits, got >> bits
        own = _has_own_nan(name, opcode)
        if one == other or (is_nan(one, kind) and is_nan(other, kind) and not own):
            continue
        if decode(one, kind) == decode(other, kind) and ((name in ("max", "min") and not own) or ".sat" in opcode):
            continue
        if abs(signed(one, bits) - signed(other, bits)) > near:
            return True
    return False


def _has_own_nan(name: str, opcode: str) -> bool:
    """Whether a NaN, and a zero of two, is the one that the ISA names: `.NaN`, packed numbers, `.relu`."""
    if "xorsign" in opcode or "approx" in opcode or name not in ("max", "min", "cvt"):
        return False
    return "relu" in opcode if name == "cvt" else "NaN" in opcode or "16" in opcode


@pytest.mark.exhaustive
def test_translations_give_the_results_of_the_instructions(tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no host C++ compiler to run the translations with")
    found, rng = every_case(), random.Random(3)
    rows = [values(case, rng) for _, _, case in found]
    output = run_all(compiler, [case for _, _, case in found], rows, tmp_path)
    wrong, tried = list[str](), defaultdict[tuple[str, str], list[int]](lambda: [0, 0])
    at = 0
    for (name, exact, case), given in zip(found, rows, strict=True):
        failed, at = compare(name, case, given, output, at)
        wrong += failed[:1]
        tried[name, exact][0] += 1
        tried[name, exact][1] += len(given)
    for (name, exact), (forms, count) in sorted(tried.items()):
        print(f"{name:10} {exact:12} {forms:4} forms {count:8} tests, on a CPU")
    assert not wrong, f"{len(wrong)} of {len(found)}:\n" + "\n".join(wrong[:60])


def run_all(compiler: str, cases: list[Case], rows: list[list[list[int]]], folder: Path) -> bytes:
    """The results of every translation, for a third of its values each way that signs can be written."""
    text, data, work = [PROGRAM], list[bytes](), []
    for number, (case, given) in enumerate(zip(cases, rows, strict=True)):
        third = len(given) // 3
        found, body = translated(case.asm)
        assert found is not None and found.edits, (case.asm, found)
        for sign, part in enumerate((given[:third], given[third : 2 * third], given[2 * third :])):
            text.append(function(f"f{number}_{sign}", case, body, sign))
            work.append(f"{{f{number}_{sign}, {len(part)}}}")
            data += [pack(case, row, 0, len(row)) for row in part]
    text.append("struct Work { void (*call)(const char *&, char *&); int count; };\n")
    text.append(f"static const Work work[] = {{{', '.join(work)}}};\n{MAIN}")
    (folder / "main.cpp").write_text("\n".join(text))
    level = "-O1" if SAMPLES > USUAL else "-O0"
    flags = ["-std=c++17", level, "-ffp-contract=off", "-w", f"-I{HERE / 'stand_ins'}", f"-I{RUNTIME}", "-D__HIPCC__=1"]
    built = subprocess.run([compiler, *flags, "main.cpp", "-o", "main"], cwd=folder, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[:3000]
    return subprocess.run([folder / "main"], input=b"".join(data), capture_output=True, check=True).stdout


def compare(name: str, case: Case, given: list[list[int]], output: bytes, at: int) -> tuple[list[str], int]:
    """What is wrong among the results of a translation that begin at a place of the output, and where they end."""
    machine = Machine(case.template.replace("%%", "%"), [BITS[one] for one in case.letters])
    wrong = []
    for row in given:
        want = machine.run(row)
        for result in range(case.results):
            size = BITS[case.letters[result]] // 8
            got = int.from_bytes(output[at : at + size], "little")
            at += size
            if differs(name, case, want[result], got, result):
                shown = [f"{value:#x}" for value in row]
                wrong.append(f"{case.asm} {shown}: {want[result]:#x} expected, got {got:#x}")
    return wrong, at
