"""Atomic operations leave and return what PTX says: one thread on a CPU, on edge values of every type.

That they are atomic, and the order they ask for, is HIP's part and not seen here.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from ptx.isa import Machine
from ptx.isa_numbers import is_nan, number
from ptx.test_differential import EDGES32, EDGES64, HERE, RUNTIME
from ptx.translated import BITS, CTYPES, Case, memory_cases, translated

from cudamigrate.ptx.parser import parse

PROGRAM = """
#include "cudamigrate_ptx.h"
#include <cstdio>
template <typename T> static void set(T &v, unsigned long long raw) { std::memcpy(&v, &raw, sizeof v); }
template <typename T> static void show(const T &v) {
    unsigned long long raw = 0; std::memcpy(&raw, &v, sizeof v); std::printf("%llx ", raw);
}
"""
HALVES = [0x0000, 0x8000, 0x0001, 0x8001, 0x03FF, 0x0400, 0x3C00, 0xBC00, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00,
          0xFE01, 0x7F80, 0xFF80, 0x7FC0, 0x0080, 0x007F, 0x3F80, 0x7F7F]  # fmt: skip
BEFORE = 0xA5C3_96E1_5A3C_691E
"""What lies around the number that is changed."""


def every_case() -> Iterator[Case]:
    """Atomic operations through generic and global addresses, those on one half of a word and on vectors too."""
    for case in memory_cases():
        if case.template.startswith(("atom", "red")) and ".shared" not in case.template:
            yield case
    for kind in ("f16", "bf16"):
        yield Case(f"atom.global.add.noftz.{kind} %0, [%1], %2;", "hlh")
        yield Case(f"red.global.add.noftz.{kind} [%0], %1;", "lh", 0)
    yield Case("atom.global.cas.b16 %0, [%1], %2, %3;", "hlhh")
    yield Case("atom.global.dec.u32 %0, [%1], %2;", "rlr")
    yield Case("red.global.inc.u32 [%0], %1;", "lr", 0)
    yield Case("atom.global.v2.f32.add {%0, %1}, [%2], {%3, %4};", "fflff", 2)
    yield Case("red.global.v4.f32.add [%0], {%1, %2, %3, %4};", "lffff", 0)
    yield Case("atom.global.v2.f16x2.add.noftz {%0, %1}, [%2], {%3, %4};", "rrlrr", 2)


def _values(kind: str, count: int, rng: random.Random) -> list[int]:
    bits = int(re.findall(r"\d+", kind)[0]) * (2 if kind.endswith("x2") else 1)
    edges = EDGES64 if bits == 64 else HALVES if bits == 16 else EDGES32
    if kind.endswith("x2"):
        return [rng.choice(HALVES) | rng.choice(HALVES) << 16 for _ in range(count)]
    return [rng.choice(edges) if rng.random() < 0.8 else rng.getrandbits(bits) for _ in range(count)]


def _kind(case: Case) -> str:
    return re.findall(r"\.((?:bf16|f16|[usbf]\d+)(?:x2)?)(?=[. ])", case.template)[-1]


def after(operation: str, kind: str, old: int, given: list[int]) -> int:
    """What lies there afterwards: by the interpreter of instructions, and by the ISA's words for the rest."""
    bits = int(re.findall(r"\d+", kind)[0]) * (2 if kind.endswith("x2") else 1)
    top, first = (1 << bits) - 1, given[0]
    if operation == "cas":
        return given[1] if old == first else old
    simple = {"and": old & first, "or": old | first, "xor": old ^ first, "exch": first}
    if operation in simple:
        return simple[operation]
    if operation == "inc":
        return 0 if old >= first else old + 1
    if operation == "dec":
        return first if old == 0 or old > first else old - 1
    if operation in ("min", "max") and not kind.endswith("x2"):
        return (min if operation == "min" else max)(old, first, key=lambda one: number(one, kind))
    if operation == "add" and kind[0] in "us":
        return (old + first) & top
    rounding = "" if operation in ("min", "max") else ".rn"
    return Machine(f"{operation}{rounding}.{kind} %0, %1, %2;", [bits] * 3).run([0, old, first])[0]


def alike(want: int, got: int, kind: str, operation: str) -> bool:
    """Whether two results are the same; NaN that a sum makes are alike."""
    part, bits = kind.removesuffix("x2"), int(re.findall(r"\d+", kind)[0])
    if want == got:
        return True
    if operation != "add" or kind[0] not in "fb":
        return False
    parts = [(want >> at & ((1 << bits) - 1), got >> at & ((1 << bits) - 1)) for at in (0, bits)]
    return all(one == other or (is_nan(one, part) and is_nan(other, part)) for one, other in parts)


def function(index: int, case: Case, old: list[int], given: list[int], offset: int) -> str:
    """Runs the translation on some bytes, and shows its results and those bytes."""
    _, text = translated(case.asm)
    size, values = int(re.findall(r"\d+", _kind(case))[0]) // 8 * (2 if _kind(case).endswith("x2") else 1), iter(given)
    lines = ["alignas(16) unsigned long long data[4];", f"for (auto &one : data) one = {BEFORE:#x}ull;"]
    lines.append(f"unsigned char *place = (unsigned char *)data + 8 + {offset};")
    lines += [
        f"{{ unsigned long long raw = {one:#x}ull; std::memcpy(place + {at * size}, &raw, {size}); }}"
        for at, one in enumerate(old)
    ]
    for at, letter in enumerate(case.letters):
        if letter == "l" and at == _place(case):
            lines.append(f"unsigned long v{at} = (unsigned long)place;")
        else:
            raw = 0 if at < case.results else next(values)
            lines.append(f"{CTYPES[letter][index % 2]} v{at}; set(v{at}, {raw:#x}ull);")
    shown = [f"show(v{at});" for at in range(case.results)]
    lines += [text, *shown, "for (auto one : data) show(one);"]
    return f"static void f{index}() {{\n" + "\n".join(lines) + '\nstd::printf("\\n");\n}\n'


def _place(case: Case) -> int:
    """The number of the operand with the address."""
    match = re.search(r"\[%(\d)\]", case.template)
    assert match is not None
    return int(match[1])


def expected(case: Case, old: list[int], given: list[int], offset: int, line: str) -> bool:
    """Whether a line of the program is what the instruction gives and leaves."""
    kind, words = _kind(case), case.template.split(" ")[0].split(".")
    operation = next(one for one in words if one in OPERATIONS)
    size = int(re.findall(r"\d+", kind)[0]) // 8 * (2 if kind.endswith("x2") else 1)
    got = [int(one, 16) for one in line.split()]
    if got[: case.results] != old[: case.results]:
        return False
    data = b"".join(one.to_bytes(8, "little") for one in got[case.results :])
    around = BEFORE.to_bytes(8, "little") * 4
    first, last = 8 + offset, 8 + offset + size * len(old)
    groups = [given] if len(old) == 1 else [[one] for one in given]
    left = [int.from_bytes(data[first + at * size : first + (at + 1) * size], "little") for at in range(len(old))]
    changed = zip(left, old, groups, strict=True)
    right = all(alike(after(operation, kind, was, with_), now, kind, operation) for now, was, with_ in changed)
    return right and data[:first] == around[:first] and data[last:] == around[last:]


OPERATIONS = frozenset(["add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"])


def test_atomic_operations_leave_and_return_the_right_numbers(tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no host C++ compiler to run the translations with")
    rng, runs = random.Random(9), list[tuple[Case, list[int], list[int], int]]()
    for case in every_case():
        found, _ = translated(case.asm)
        assert found is not None and found.edits, (case.asm, found)
        kind, count = _kind(case), int((re.findall(r"v(\d)\.", case.template) or ["1"])[0])
        sources = len(case.letters) - case.results - 1
        for _ in range(40 if kind in ("b16", "f16", "bf16") else 6):
            old, given = _values(kind, count, rng), _values(kind, sources, rng)
            given = [old[0], given[1]] if "cas" in case.template and rng.random() < 0.5 else given
            runs.append((case, old, given, rng.choice((0, 2)) if BITS[case.letters[-1]] == 16 else 0))
    assert len({one.template for one, *_ in runs}) > 150 and all(parse(one.template).instructions for one, *_ in runs)
    text = [PROGRAM, *(function(number, *one) for number, one in enumerate(runs))]
    text.append("int main() {" + " ".join(f"f{number}();" for number in range(len(runs))) + "}")
    (tmp_path / "main.cpp").write_text("\n".join(text))
    flags = [
        "-std=c++17",
        "-O0",
        "-fno-strict-aliasing",
        "-w",
        f"-I{HERE / 'stand_ins'}",
        f"-I{RUNTIME}",
        "-D__HIPCC__=1",
    ]
    built = subprocess.run([compiler, *flags, "main.cpp", "-o", "main"], cwd=tmp_path, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[:3000]
    lines = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout.splitlines()
    pairs = zip(runs, lines, strict=True)
    wrong = [f"{run[0].asm} {run[1:]}: {line}" for run, line in pairs if not expected(*run, line)]
    assert not wrong, f"{len(wrong)} of {len(runs)}:\n" + "\n".join(wrong[:20])
