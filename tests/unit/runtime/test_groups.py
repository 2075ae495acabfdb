"""The header for cooperative groups: what it computes on emulated wavefronts, and that compilers take all of it.

`emulation/group_functions.cpp` knows groups as lists of threads, and compares. Values that are joined as text show the
order in which they are combined.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
from pathlib import Path

import pytest
from runtime.emulated import RUNTIME, program

from cudamigrate.shipped_data import stand_ins

pytestmark = pytest.mark.exhaustive

HEADER = RUNTIME / "cudamigrate_groups.h"
DECLARATIONS = stand_ins("declarations")
SHEET = Path(__file__).parent / "groups.hip"
STRICT = ["-Wall", "-Wextra", "-Werror", f"-I{RUNTIME}"]
MEMBERS_OF_CLASSES = {"lanes", "num_threads", "coalesced_threads", "labeled_partition", "binary_partition"}
"""Compared through what else is made of them: a wrong group gives a wrong rank."""
ENOUGH = 2_500
"""Results compared for each function and width of wavefront."""

_EMPTY = "    static_cast<void>(group);"
_WAIT = "__device__ inline void wait(const Group &group) {\n"
WRONG = {
    "a tile of the other half": ("<< (lane_id() & ~(Size - 1u))", "<< 0u", "reduce"),
    "values in another order": (
        "apart = Size / 2u; apart > 0u; apart /= 2u",
        "apart = 1u; apart < Size; apart *= 2u",
        "reduce",
    ),
    "the lower value first": ("value = combine(value, theirs);", "value = combine(theirs, value);", "inclusive_scan"),
    "threads that have exited": (" == size) return", " <= size) return", "reduce"),
    "a result for the last thread only": (
        "return detail::read_lane(scanned, static_cast<unsigned int>(detail::last_lane(lanes)) & 31u);",
        "return scanned;",
        "reduce",
    ),
    "runs that overlap": (
        "previous = previous < 0 ? previous : before;",
        "static_cast<void>(before);",
        "inclusive_scan",
    ),
    "an exclusive scan that is inclusive": ("return previous < 0 ? T() : before;", "return all;", "exclusive_scan"),
    "a mask that is not moved together": ("if (mask == 0xffffffffu) return bits;", "return bits;", "ballot"),
    "the wrong side of a partition": ("return predicate ? coalesced", "return !predicate ? coalesced", "size"),
    "partitions in any order": ("firsts & (first - 1u)", "firsts & first", "meta_group_rank"),
    "a shuffle by lane": ("rank % num_threads()) + 1) & 31u", "rank % num_threads()) + 1) * 0u + rank % 32u", "shfl"),
    "another thread of a tile": (
        "shfl_xor_sync(0u, value, static_cast<int>(lanes), static_cast<int>(Size))",
        "shfl_sync(0u, value, static_cast<int>(lanes), static_cast<int>(Size))",
        "shfl_xor",
    ),
    "the last bytes of a copy": ("done = bytes - bytes % 4;", "done = bytes;", "memcpy_async"),
    "a copy that nobody waits for": (_WAIT + "    group.sync();", _WAIT + _EMPTY, "wait"),
    "calls by every thread": ("if (group.thread_rank() == 0) call(values...);", "call(values...);", "invoke_one"),
    "pads that are not zero": ("i + zeros < size", "i + zeros <= size", "pipeline_memcpy_async"),
}


def _program(compiler: str, wavefront: list[str], header: str, folder: Path, *more: str) -> str:
    return program(compiler, wavefront, "group_functions", (HEADER.name, header), folder, *more)


def _without(function: str) -> list[str]:
    """What of the program is left out where one function alone is asked for."""
    left = {"reduce": "REDUCTIONS", "_scan": "SCANS"}
    return [f"-DWITHOUT_{part}" for end, part in left.items() if not function.endswith(end)]


def test_group_functions_mean_what_cuda_says(compiler: str, wavefront: list[str], tmp_path: Path) -> None:
    header = HEADER.read_text()
    done = subprocess.run([_program(compiler, wavefront, header, tmp_path)], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stdout
    rows = re.findall(r"^(\w+) +(\d+) +(\d+)$", done.stdout, re.MULTILINE)
    compared = {name: (int(narrow), int(wide)) for name, narrow, wide in rows}
    public = re.sub(r"namespace detail \{.*?\}  // namespace detail|private:.*?\n\};", "", header, flags=re.DOTALL)
    functions = set(re.findall(r"__device__ (?:inline )?[\w ]*?(\w+)\(", public)) - {"operator", "coalesced_group"}
    assert set(compared) == functions - MEMBERS_OF_CLASSES
    assert min(min(calls) for calls in compared.values()) >= ENOUGH


@pytest.mark.parametrize("mistake", WRONG)
def test_emulation_sees(mistake: str, compiler: str, wavefront: list[str], tmp_path: Path) -> None:
    right, wrong, function = WRONG[mistake]
    header = HEADER.read_text()
    assert header.count(right) == 1
    program = _program(compiler, wavefront, header.replace(right, wrong), tmp_path, *_without(function))
    done = subprocess.run([program, function], capture_output=True, text=True)
    assert done.returncode == 1, done.stdout
    assert f"WRONG {function}" in done.stdout


@pytest.mark.rocm
@pytest.mark.parametrize(
    ("arch", "standard", "more"), [("gfx90a", "c++14", ()), ("gfx1030", "c++20", ("--cuda-device-only",))]
)
def test_every_function_compiles_for_amd(arch: str, standard: str, more: tuple[str, ...], tmp_path: Path) -> None:
    """Host and device, then the device alone for another architecture; optimised a little, which takes least."""
    words = ["-x", "hip", f"--offload-arch={arch}", f"-std={standard}", "-O1", *STRICT, *more, "-c", str(SHEET)]
    command = ["hipcc", *words]
    environment = {**os.environ, "HIP_PLATFORM": "amd"}
    done = subprocess.run([*command, "-o", str(tmp_path / "o")], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("standard", ["c++14", "c++20"])
@pytest.mark.parametrize(
    "side",
    [
        ["--cuda-host-only"],
        ["--cuda-device-only", "--offload-arch=gfx942"],
        ["--cuda-device-only", "--offload-arch=gfx1100"],
    ],
    ids=["host", "gfx942", "gfx1100"],
)
def test_every_function_type_checks_with_newer_hip(side: list[str], standard: str) -> None:
    clang = pytest.importorskip("clang.cindex", reason="no wheel of libclang is installed")
    own = Path(clang.__file__).parent.rglob("__clang_hip_runtime_wrapper.h")
    found = importlib.util.find_spec("triton")
    folders = (found.submodule_search_locations if found else None) or []
    headers = next((f"{folder}/backends/amd/include" for folder in folders if Path(folder).is_dir()), None)
    if headers is None or not any(own):
        pytest.skip("needs libclang with clang's own headers, as in libclang-ng, and the HIP headers in triton")
    words = ["-x", "hip", f"-std={standard}", "-nogpulib", "-nogpuinc", "-D__HIP_PLATFORM_AMD__=1"]
    words += ["-isystem", headers, "-isystem", str(DECLARATIONS)]
    words += ["-include", "__clang_hip_runtime_wrapper.h", "-include", "hip/hip_runtime.h"]
    tree = clang.Index.create().parse(str(SHEET), args=[*words, *STRICT, *side])
    assert [str(entry) for entry in tree.diagnostics] == []
