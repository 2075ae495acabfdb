"""The warp functions of the runtime header, held to CUDA's definitions on emulated wavefronts of 32 and 64 lanes.

`emulation/` has a stand-in for HIP whose lanes are fibers, a model of CUDA, and the program that compares the two with
all lanes active, some ended, in branches, and under several masks at once.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from runtime.emulated import RUNTIME, program

HEADER = RUNTIME / "cudamigrate_hip.h"
NOT_OF_WARPS = {"load_cached", "store_cached", "trap", "dp4a"}
ENOUGH = 10_000
"""Calls compared for each function and width of wavefront."""

WRONG = {
    "votes of both halves": ("__lane_id() & 32u; }", "0u; }", "ballot"),
    "ended lanes as if they were there": (
        "unsigned int same = mask & activemask();",
        "unsigned int same = mask;",
        "match",
    ),
    "all lanes of the mask, ended or not": (
        "return ballot_sync(mask, predicate == 0) == 0u;",
        "return ballot_sync(mask, predicate) == mask;",
        "all_sync",
    ),
    "a lane mask beyond the warp": (
        "bits = static_cast<unsigned int>(detail::reach(width) - 1);",
        "bits = 0xffffffffu;",
        "shfl_xor",
    ),
    "a shuffle that some lanes skip": (
        "= __shfl(value, from, 32);",
        "= next < 0 ? value : __shfl(value, from, 32);",
        "reduce",
    ),
    "lanes that do not meet": ("    static_cast<void>(__ballot(1));\n", "", "syncwarp"),
}


def _program(compiler: str, wavefront: list[str], header: str, folder: Path) -> str:
    return program(compiler, wavefront, "warp_functions", (HEADER.name, header), folder, "-Werror")


def test_warp_functions_mean_what_cuda_says(compiler: str, wavefront: list[str], tmp_path: Path) -> None:
    header = HEADER.read_text()
    done = subprocess.run([_program(compiler, wavefront, header, tmp_path)], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stdout
    rows = re.findall(r"^(\w+) +(\d+) +(\d+)$", done.stdout, re.MULTILINE)
    compared = {name: (int(narrow), int(wide)) for name, narrow, wide in rows}
    public = re.sub(r"namespace detail \{.*?\}  // namespace detail", "", header, flags=re.DOTALL)
    assert set(compared) == set(re.findall(r"__device__ inline [\w :<>]*?(\w+)\(", public)) - NOT_OF_WARPS
    assert min(min(calls) for calls in compared.values()) >= ENOUGH


@pytest.mark.parametrize("mistake", WRONG)
def test_emulation_sees(mistake: str, compiler: str, wavefront: list[str], tmp_path: Path) -> None:
    right, wrong, functions = WRONG[mistake]
    header = HEADER.read_text()
    assert header.count(right) == 1
    program = _program(compiler, wavefront, header.replace(right, wrong), tmp_path)
    done = subprocess.run([program, functions], capture_output=True, text=True)
    assert done.returncode == 1, done.stdout
    assert f"WRONG {functions}" in done.stdout


@pytest.mark.parametrize("mistake", ["", "NaN as they come"])
def test_reductions_of_floats_follow_the_isa_over_special_values(
    mistake: str, compiler: str, wavefront: list[str], tmp_path: Path
) -> None:
    header = (RUNTIME / "cudamigrate_ptx.h").read_text()
    right = "return found != found ? bits<float>(0x7fffffffu) : found;"
    assert header.count(right) == 1
    text = header.replace(right, "return found;") if mistake else header
    made = program(compiler, wavefront, "float_reductions", ("cudamigrate_ptx.h", text), tmp_path)
    done = subprocess.run([made, "300"], capture_output=True, text=True)
    assert (done.returncode, "WRONG" in done.stdout) == (int(bool(mistake)), bool(mistake)), done.stdout
