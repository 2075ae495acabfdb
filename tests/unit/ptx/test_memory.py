"""Loads and stores move the right bytes: on a CPU, plain and volatile ones, in all widths and as vectors."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from ptx.translated import BITS, CTYPES, Case, memory_cases, translated

HERE = Path(__file__).parent
RUNTIME = HERE.parents[2] / "migrate" / "runtime"
PROGRAM = """
#include "cudamigrate_ptx.h"
#include <cstdio>
template <typename T> void show(T v) {
    unsigned char raw[sizeof v]; std::memcpy(raw, &v, sizeof v);
    for (unsigned char one : raw) std::printf("%02x", one);
    std::printf(" ");
}
static void fill(unsigned char *data) {
    for (int at = 0; at < 64; ++at) data[at] = static_cast<unsigned char>(at * 37 + 129);
}
"""
BYTES = bytes((at * 37 + 129) % 256 for at in range(64))


def plain() -> list[Case]:
    """Accesses through generic and global addresses that ask for no order."""
    pattern = re.compile(r"(?:ld|st)\.(?:volatile\.)?(?:global\.)?(?:v\d\.)?[usbf]\d+ ")
    return [case for case in memory_cases() if pattern.match(case.template) and "l" in _address(case)]


def _address(case: Case) -> str:
    """The letter of the operand that holds the address."""
    first = case.template.startswith("st") and "{" not in case.template
    return case.letters[0 if first else -1]


def shape(case: Case) -> tuple[int, int, bool]:
    """How many values of how many bytes an access moves, and whether they are signed."""
    name = case.template.split(" ")[0]
    count = re.search(r"\.v(\d)\.", name)
    kind = name.rpartition(".")[2]
    return int(count[1]) if count else 1, int(kind[1:]) // 8, kind[0] == "s"


def function(number: int, case: Case, values: list[int]) -> str:
    """Runs the translation on 64 bytes, and shows its results or the bytes it leaves behind."""
    _, text = translated(case.asm)
    lines = ["alignas(16) unsigned char data[64]; fill(data);"]
    place = 0 if case.template.startswith("st") and "{" not in case.template else len(case.letters) - 1
    for at, letter in enumerate(case.letters):
        if at == place:
            lines.append(f"unsigned long v{at} = (unsigned long)data;")
        else:
            kind = CTYPES[letter][number % 2]
            raw = "unsigned int" if letter == "f" else "unsigned long" if letter == "d" else kind
            lines.append(f"{kind} v{at} = taken<{kind}>(static_cast<{raw}>({values[at]}ull));")
    lines.append(text)
    if case.results:
        lines += [f"show(v{at});" for at in range(case.results)]
    else:
        lines.append("for (unsigned char one : data) show(one);")
    return f"static void f{number}() {{\n" + "\n".join(lines) + '\nstd::printf("\\n");\n}\n'


def expected(case: Case, values: list[int]) -> str:
    count, size, signed = shape(case)
    if case.results:
        start = 8 if "+8" in case.template else 0
        parts = [BYTES[start + at * size : start + (at + 1) * size] for at in range(count)]
        wide = [BITS[letter] // 8 for letter in case.letters[:count]]
        return " ".join(
            int.from_bytes(part, "little", signed=signed).to_bytes(bits, "little", signed=signed).hex()
            for part, bits in zip(parts, wide, strict=True)
        )
    first = 0 if "{" in case.template else 1
    stored = b"".join((values[first + at] % (1 << 8 * size)).to_bytes(size, "little") for at in range(count))
    left = stored + BYTES[len(stored) :]
    return " ".join(f"{one:02x}" for one in left)


def test_loads_and_stores_move_the_right_bytes(tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no host C++ compiler to run the translations with")
    rng, found = random.Random(5), plain()
    assert len(found) > 60
    values = [[rng.getrandbits(BITS[letter]) for letter in case.letters] for case in found]
    text = [PROGRAM, *(function(number, case, values[number]) for number, case in enumerate(found))]
    text.append("int main() {" + " ".join(f"f{number}();" for number in range(len(found))) + "}")
    (tmp_path / "main.cpp").write_text("\n".join(text))
    flags = [
        "-std=c++17",
        "-O1",
        "-fno-strict-aliasing",
        "-w",
        f"-I{HERE / 'stand_ins'}",
        f"-I{RUNTIME}",
        "-D__HIPCC__=1",
    ]
    built = subprocess.run([compiler, *flags, "main.cpp", "-o", "main"], cwd=tmp_path, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[:3000]
    lines = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout.splitlines()
    wrong = [
        f"{case.asm}: {expected(case, given)} expected, got {line}"
        for case, given, line in zip(found, values, lines, strict=True)
        if line.strip() != expected(case, given)
    ]
    assert not wrong, "\n".join(wrong[:20])
