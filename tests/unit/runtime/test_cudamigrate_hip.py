"""The runtime header: what its helpers compute, and that compilers take every overload without a warning.

What its warp functions compute is shown in `test_warp_functions.py`.
"""

from __future__ import annotations

import importlib.util
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

HEADER = Path(__file__).parents[3] / "migrate" / "runtime" / "cudamigrate_hip.h"
STAND_INS = Path(__file__).parents[1] / "ptx" / "stand_ins"
SHEET = Path(__file__).parent / "sheet.hip"
STRICT = ["-Wall", "-Wextra", "-Werror", f"-I{HEADER.parent}"]
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
    (tmp_path / "main.cpp").write_text(PROGRAM)
    flags = ["-std=c++14", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover", f"-isystem{STAND_INS}"]
    command = [compiler, *STRICT, *flags, "-D__HIPCC__=1", "main.cpp", "-o", "main"]
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


@pytest.mark.parametrize("standard", ["c++11", "c++20"])
def test_every_overload_is_standard(standard: str) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no host C++ compiler")
    command = [compiler, *STRICT, "-pedantic", f"-std={standard}", f"-isystem{STAND_INS}", "-fsyntax-only", "-x", "c++"]
    done = subprocess.run([*command, "-D__HIPCC__=1", str(SHEET)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.rocm
@pytest.mark.parametrize(("arch", "standard"), [("gfx90a", "c++11"), ("gfx1030", "c++17")])
def test_every_overload_compiles_for_amd(arch: str, standard: str, tmp_path: Path) -> None:
    command = ["hipcc", "-x", "hip", f"--offload-arch={arch}", f"-std={standard}", *STRICT]
    done = _hipcc([*command, "-c", str(SHEET), "-o", str(tmp_path / "sheet.o")])
    assert done.returncode == 0, done.stderr


BLAS = {
    "hip/library_types.h": "enum hipDataType { HIP_R_32F, HIP_R_64F, HIP_R_16F, HIP_C_32F, HIP_C_64F, HIP_R_32I };\n",
    "hipblas/hipblas.h": "enum hipblasComputeType_t { HIPBLAS_COMPUTE_16F, HIPBLAS_COMPUTE_32F = 2,"
    " HIPBLAS_COMPUTE_64F = 7, HIPBLAS_COMPUTE_32I = 9 };\n",
}
"""What a header of ours takes from hipBLAS, which the HIP that tests are built with is without."""


@pytest.mark.rocm
@pytest.mark.parametrize("header", sorted(HEADER.parent.glob("*.h")), ids=lambda path: path.stem)
def test_the_host_s_compiler_reads_every_header(header: Path, tmp_path: Path) -> None:
    source = tmp_path / "host.cpp"
    source.write_text(f'#include "{header.name}"\n#include <hip/hip_runtime_api.h>\nhipError_t done = hipSuccess;\n')
    for name, text in BLAS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    folders = [f"-I{HEADER.parent}", f"-I{tmp_path}"]
    command = ["g++", "-D__HIP_PLATFORM_AMD__=1", "-fsyntax-only", "-w", *folders, str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("header", sorted(HEADER.parent.glob("*.h")), ids=lambda path: path.stem)
def test_a_compiler_that_knows_nothing_of_hip_reads_none_of_its_headers(header: Path, tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no host C++ compiler")
    source = tmp_path / "host.cpp"
    source.write_text(f'#include "{header.name}"\nint threads() {{ return 32; }}\n')
    command = [compiler, *STRICT, "-M", str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    of_calls = header.name == "cudamigrate_blas.h"  # it declares what the host calls, and has no other use
    assert of_calls or (done.returncode == 0 and "hip/" not in done.stdout), done.stderr


@pytest.mark.rocm
def test_votes_cost_nothing_on_wavefronts_of_32(tmp_path: Path) -> None:
    source = tmp_path / "votes.hip"
    code = []
    for ballot, lane in [("cudamigrate::ballot", "cudamigrate::lane_id"), ("(unsigned int)__ballot", "__lane_id")]:
        source.write_text(
            '#include "cudamigrate_hip.h"\n'
            f"__global__ void k(unsigned int *a) {{ a[{lane}()] = {ballot}((int)a[threadIdx.x]); }}\n"
        )
        command = ["hipcc", "-x", "hip", "--offload-arch=gfx1030", "-O2", f"-I{HEADER.parent}", "-w"]
        done = _hipcc([*command, "--cuda-device-only", "-S", str(source), "-o", str(tmp_path / "votes.s")])
        assert done.returncode == 0, done.stderr
        code.append((tmp_path / "votes.s").read_text())
    assert "v_cmp" in code[0]
    assert code[0] == code[1]


def _hipcc(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "HIP_PLATFORM": "amd"})


def _newer_hip() -> str | None:
    """The HIP headers that travel with Triton: newer than those of most distributions, and fewer."""
    found = importlib.util.find_spec("triton")
    folders = (found.submodule_search_locations if found else None) or []
    return next((f"{folder}/backends/amd/include" for folder in folders if Path(folder).is_dir()), None)


@pytest.mark.parametrize("side", [["--cuda-host-only"], ["--cuda-device-only", "--offload-arch=gfx942"]])
def test_every_overload_type_checks_with_newer_hip(side: list[str]) -> None:
    clang = pytest.importorskip("clang.cindex", reason="no wheel of libclang is installed")
    own = Path(clang.__file__).parent.rglob("__clang_hip_runtime_wrapper.h")
    headers = _newer_hip()
    if headers is None or not any(own):
        pytest.skip("needs libclang with clang's own headers, as in libclang-ng, and the HIP headers in triton")
    words = ["-x", "hip", "-std=c++17", "-nogpulib", "-nogpuinc", "-D__HIP_PLATFORM_AMD__=1", "-isystem", headers]
    words += ["-include", "__clang_hip_runtime_wrapper.h", "-include", "hip/hip_runtime.h", "-DNO_SMALL_FLOATS"]
    tree = clang.Index.create().parse(str(SHEET), args=[*words, *STRICT, *side])
    assert [str(entry) for entry in tree.diagnostics] == []
