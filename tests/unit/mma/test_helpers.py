"""Helpers of the runtime headers become the instruction that the GPU has for them: checked in the machine code."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from runtime.emulated import RUNTIME

HERE = Path(__file__).parent
WANTED = {
    "permuted_by_a_constant": ("v_perm_b32",),
    "permuted": ("v_perm_b32",),
    "field_of_a_constant": ("v_bfe_u32",),
    "signed_field_of_a_constant": ("v_bfe_i32",),
    "inserted": ("v_bfi_b32",),
    "shifted_left": ("v_alignbit_b32",),
    "shifted_right": ("v_alignbit_b32",),
    "clamped_right": ("v_alignbit_b32",),
    "least_of_three": ("v_min3_i32",),
    "most_of_three": ("v_max3_u32",),
    "pair_sum": ("v_pk_add_u16",),
    "pair_max": ("v_pk_max_i16",),
    "pair_min": ("v_pk_min_u16",),
    "halves_sum": ("v_pk_add_f16",),
    "logic": ("v_bfi_b32",),
    "neighbour": ("quad_perm:[1,0,3,2]",),
    "eighth": ("row_ror:8",),
    "half_way": ("ds_swizzle_b32",),
    "sum_of_a_warp": ("row_ror:8", "quad_perm:[2,3,0,1]", "quad_perm:[1,0,3,2]", "ds_swizzle_b32"),
}
"""By the kernels of helpers.hip, what stands in their code; that for lanes needs no exchange by address beside it."""


@pytest.mark.rocm
@pytest.mark.parametrize("arch", ["gfx90a", "gfx940", "gfx1030", "gfx1100"])
def test_a_helper_is_the_instruction_that_there_is(arch: str, tmp_path: Path) -> None:
    """gfx940 is what the compiler of ROCm 5.2 calls the kind of gfx942."""
    made = tmp_path / "helpers.s"
    words = ["-x", "hip", f"--offload-arch={arch}", "-std=c++14", "-O2", "--cuda-device-only", "-nogpulib", "-S"]
    words += ["-Wall", "-Wextra", "-Wno-unused-command-line-argument", f"-I{RUNTIME}", str(HERE / "helpers.hip")]
    environment = {**os.environ, "HIP_PLATFORM": "amd"}
    done = subprocess.run(["hipcc", *words, "-o", str(made)], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    kernels = dict(re.findall(r"^_Z\d+([a-z_]+?)Pjjjj:(.*?)^\.Lfunc_end", made.read_text(), re.MULTILINE | re.DOTALL))
    assert set(WANTED) <= set(kernels)
    lacking = {(name, one) for name, every in WANTED.items() for one in every if one not in kernels[name]}
    assert lacking == set()
    assert [name for name in ("neighbour", "eighth", "half_way") if "bpermute" in kernels[name]] == []
