"""The runtime header: what its helpers compute, and that AMD's compiler takes it without a warning."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

HEADER = Path(__file__).parents[3] / "migrate" / "runtime" / "cudamigrate_hip.h"
STAND_IN = """
#define __device__
struct char4 { signed char x, y, z, w; };
struct uchar4 { unsigned char x, y, z, w; };
"""
PROGRAM = """
#include <cstdio>
#include <cstring>
#include "cudamigrate_hip.h"
int main() {
    unsigned a, b, c;
    while (std::scanf("%u %u %u", &a, &b, &c) == 3) {
        char4 sa, sb; uchar4 ua, ub;
        std::memcpy(&sa, &a, 4); std::memcpy(&sb, &b, 4); std::memcpy(&ua, &a, 4); std::memcpy(&ub, &b, 4);
        std::printf("%u %u %u %u\\n", (unsigned)cudamigrate::dp4a((int)a, (int)b, (int)c), cudamigrate::dp4a(a, b, c),
                    (unsigned)cudamigrate::dp4a(sa, sb, (int)c), cudamigrate::dp4a(ua, ub, c));
        float f = 1.5f;
        cudamigrate::store_cached(&f, 2);
        if (cudamigrate::load_cached(&f) != 2.0f) return 1;
    }
}
"""


def dot(a: int, b: int, c: int, signed: bool) -> int:
    """CUDA's definition: four products of bytes and the third argument, modulo 2**32."""
    total = c
    for at in range(4):
        pair = [(word >> 8 * at) & 0xFF for word in (a, b)]
        if signed:
            pair = [byte - 256 if byte > 127 else byte for byte in pair]
        total += pair[0] * pair[1]
    return total % 2**32


def test_dot_products_are_those_of_cuda(tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no host C++ compiler to run the helpers with")
    (tmp_path / "hip").mkdir()
    (tmp_path / "hip" / "hip_runtime.h").write_text(STAND_IN)
    (tmp_path / "main.cpp").write_text(PROGRAM)
    flags = ["-std=c++14", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined", "-fno-sanitize-recover"]
    command = [compiler, *flags, f"-I{tmp_path}", f"-I{HEADER.parent}", "main.cpp", "-o", "main"]
    built = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    numbers = random.Random(7)
    edges = [0, 1, 0x7F7F7F7F, 0x80808080, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF]
    rows = [(a, b, c) for a in edges for b in edges for c in edges]
    rows += [(numbers.getrandbits(32), numbers.getrandbits(32), numbers.getrandbits(32)) for _ in range(10_000)]
    given = "\n".join(" ".join(map(str, row)) for row in rows)
    done = subprocess.run([str(tmp_path / "main")], input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    got = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    assert got == [(dot(*row, True), dot(*row, False), dot(*row, True), dot(*row, False)) for row in rows]


@pytest.mark.rocm
@pytest.mark.parametrize("arch", ["gfx90a", "gfx1030"])
def test_header_compiles_for_amd_without_warnings(arch: str, tmp_path: Path) -> None:
    source = tmp_path / "a.hip"
    source.write_text(
        f'#include "{HEADER}"\n'
        "__global__ void k(int *a, float4 *v) {\n"
        "    a[0] = cudamigrate::dp4a(a[1], a[2], a[3]);\n"
        "    cudamigrate::store_cached(v, cudamigrate::load_cached(v + 1));\n"
        "    if (a[0] == 7) cudamigrate::trap();\n"
        "}\n"
    )
    command = ["hipcc", "-x", "hip", f"--offload-arch={arch}", "-Wall", "-Wextra", "-Werror", "-c", str(source)]
    done = subprocess.run(
        [*command, "-o", str(tmp_path / "a.o")],
        capture_output=True,
        text=True,
        env={**os.environ, "HIP_PLATFORM": "amd"},
    )
    assert done.returncode == 0, done.stderr
