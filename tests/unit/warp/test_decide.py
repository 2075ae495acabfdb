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


UNSEEN = {
    "steps": "for (int o = N / 2; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);",
    "lanes": "int lane = threadIdx.x % N; v = __shfl_down_sync(~0u, v, 1); if (lane == 0) a[threadIdx.x / N] = v;",
    "half": "const int half = N / 2; v = __shfl_sync(~0u, v, 3, half);",
    "width": "v = __shfl_sync(~0u, v, 0, N);",
    "held": "__shared__ volatile float s[64]; int t = threadIdx.x;"
    " if (N >= 32) { if (t < 16) s[t] += s[t + 16]; if (t < 16) s[t] += s[t + 8]; }",
    "votes": "unsigned m = __ballot_sync(~0u, v > 0); if (threadIdx.x % N == 0) a[threadIdx.x / N] = __popc(m);",
}
"""Uses of a constant whose definition is not seen."""


@pytest.mark.parametrize("use", UNSEEN)
def test_the_name_of_an_unseen_constant_permits_nothing(use: str, tmp_path: Path) -> None:
    """Called after the warp it makes the function open; all that is found and edited is the same under any name."""
    seen = []
    for name in ("WARP_SIZE", "Q"):
        body = UNSEEN[use].replace("N", name)
        folder = tmp_path / name
        folder.mkdir()
        (folder / "k.cu").write_text(f"__global__ void k(float *a) {{ float v = a[threadIdx.x]; {body} a[0] = v; }}\n")
        report = pipeline.scan(folder, Config(jobs=1))
        harmful = [one for one in report.findings if one.outcome in ("wrong-result", "compile-error")]
        seen.append([(one.rule, [edit.replacement for edit in one.fix.edits] if one.fix else None) for one in harmful])
        seen[-1] = [(rule, texts and [t.replace(name.encode(), b"N") for t in texts]) for rule, texts in seen[-1]]
        waves = [unit.wave for file in report.files for unit in file.lane_functions]
        assert waves == (["open"] if name == "WARP_SIZE" else ["narrowed"])
    assert seen[0] == seen[1]


@pytest.mark.parametrize(("header", "wave"), [("cutlass/cutlass.h", "narrowed"), ("mine/cutlass.h", "open")])
def test_a_constant_of_a_library_is_known_where_its_header_is_included(header: str, wave: str, tmp_path: Path) -> None:
    code = "__global__ void k(float *a) { if (threadIdx.x % cutlass::NumThreadsPerWarp == 0) { __syncwarp(); } }\n"
    (tmp_path / "k.cu").write_text(f"#include <{header}>\n{code}")
    found = [unit.wave for file in pipeline.scan(tmp_path, Config(jobs=1)).files for unit in file.lane_functions]
    assert found == [wave]
