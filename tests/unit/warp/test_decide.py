"""Three states of a function's warps, each with the fact behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config

STEP = "for (int o = {}; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);"
TOTAL = """
__global__ void total(const int *in, int *out) {{
    int v = in[threadIdx.x];
    {}
    if (threadIdx.x % {} == 0) atomicAdd(out, v);
}}
void run(const int *in, int *out) {{ total<<<8, {}>>>(in, out); }}
"""


@pytest.mark.parametrize(
    ("text", "wave", "why"),
    [
        (TOTAL.format(STEP.format("warpSize / 2"), "warpSize", 128), "proved", "the same for 32 and 64 lanes"),
        (TOTAL.format(STEP.format("warpSize / 2"), "warpSize", 96), "narrowed", "blocks of 96 threads"),
        (TOTAL.format(STEP.format("16"), "32", 96), "narrowed", "blocks of 96 threads"),
        (TOTAL.format(STEP.format("kWarpSize / 2"), "kWarpSize", 128), "open", "`kWarpSize` of other files"),
        (
            "#ifdef USE_ROCM\n#define kW 64\n#else\n#define kW 32\n#endif\n"
            "#define kWarpSize kW\n" + TOTAL.format(STEP.format("warpSize / 2") + " v += kW;", "warpSize", 128),
            "open",
            "written for AMD too",
        ),
        (TOTAL.format("if (threadIdx.x < 32) __syncthreads(); v += __shfl_sync(~0u, v, 0);", "32", 96), "narrowed", ""),
    ],
)
def test_each_function_has_a_state_and_its_reason(text: str, wave: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(text)
    (file,) = pipeline.scan(tmp_path, Config(jobs=1)).files
    (found,) = [one for one in file.lane_functions if one.name == "total"]
    assert found.wave == wave and why in found.why


def test_a_constant_that_another_file_defines_closes_the_question(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(TOTAL.format(STEP.format("kWarpSize / 2"), "kWarpSize", 96))
    (tmp_path / "size.cuh").write_text("constexpr int kWarpSize = 32;\n")
    files = pipeline.scan(tmp_path, Config(jobs=1)).files
    assert {one.name: one.wave for file in files for one in file.lane_functions} == {"total": "narrowed"}
