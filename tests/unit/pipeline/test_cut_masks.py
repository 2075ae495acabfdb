"""Votes of HIP's that are cut to 32 bits are found in what is HIP already, and nowhere where votes are converted."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

VOTE = "__global__ void k(int *q) {\n  unsigned m = __activemask();\n  q[threadIdx.x] = __popc(m);\n}\n"
KEPT = VOTE.replace("unsigned m", "auto m").replace("__popc", "__popcll")
BRANCH = "#ifdef __HIP_PLATFORM_AMD__\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n"


@pytest.mark.parametrize(
    ("files", "found"),
    [
        pytest.param({"a.hip": "#include <hip/hip_runtime.h>\n" + VOTE}, ["warp/cut-mask"], id="hip"),
        pytest.param({"a.cu": "#include <hip/hip_runtime.h>\n" + VOTE, "Makefile": "all:\n\thipcc a.cu\n"},
                     ["warp/cut-mask"], id="built for hip"),
        pytest.param({"a.cu": BRANCH + VOTE, "Makefile": "hip:\n\thipcc a.cu\ncuda:\n\tnvcc a.cu\n"},
                     ["warp/cut-mask"], id="for both"),
        pytest.param({"a.cu": "#include <cuda_runtime.h>\n" + VOTE},
                     ["warp/active-mask", "warp/mask-popcount"], id="converted"),
        pytest.param({"a.hip": "#include <hip/hip_runtime.h>\n" + KEPT}, [], id="kept"),
    ],
)  # fmt: skip
def test_a_mask_is_reported_where_nothing_converts_its_vote(
    tmp_path: Path, files: dict[str, str], found: list[str]
) -> None:
    written(tmp_path, files)
    report = pipeline.scan(tmp_path, Config(jobs=1, cache=False))
    assert sorted(one.rule for one in report.findings if one.group == "warp") == found


HEADER = """#pragma once
#include <hip/hip_runtime.h>
__device__ inline void record(unsigned mask, unsigned *to) { *to = mask; }
__device__ inline void count(unsigned long long mask, unsigned *to) { *to = __popcll(mask); }
__device__ inline unsigned long long all_of(bool p) { return __ballot(p); }
__device__ inline unsigned half_of(bool p) { return (unsigned)(__ballot(p) >> (__lane_id() & 32)); }
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        pytest.param("auto m = __ballot(p); record(m, q);", 1, id="a parameter of 32 bits"),
        pytest.param("auto m = __ballot(p); count(m, q);", 0, id="a parameter of 64 bits"),
        pytest.param("unsigned m = all_of(p); q[1] = m;", 1, id="a result of 64 bits"),
        pytest.param("auto m = all_of(p); q[1] = __popcll(m);", 0, id="kept"),
        pytest.param("unsigned m = half_of(p); q[1] = m;", 0, id="a result of 32 bits"),
        pytest.param("record(all_of(p) & 0xffffffff, q);", 0, id="a half that is asked for"),
    ],
)
def test_masks_are_followed_to_functions_of_other_files(tmp_path: Path, body: str, found: int) -> None:
    kernel = f"__global__ void k(unsigned *q) {{ bool p = __any(q[0]); {body} }}\n"
    written(tmp_path, {"a.hip": '#include <hip/hip_runtime.h>\n#include "votes.h"\n' + kernel, "votes.h": HEADER})
    report = pipeline.scan(tmp_path, Config(jobs=1, cache=False))
    assert [one.rule for one in report.findings if one.group == "warp"] == ["warp/cut-mask"] * found


@pytest.mark.parametrize(
    ("size", "word", "found"),
    [("(wave())", "unsigned", 1), ("(wave())", "unsigned long long", 0), ("32", "unsigned", 0)],
)
def test_a_shift_by_what_is_taken_modulo_the_wave_of_another_file_is_found(
    tmp_path: Path, size: str, word: str, found: int
) -> None:
    shim = (
        "#ifdef __HIP_PLATFORM_AMD__\n#include <hip/hip_runtime.h>\n"
        "static constexpr int wave() {\n#ifdef __GFX9__\n  return 64;\n#else\n  return 32;\n#endif\n}\n"
        f"#define WARPSIZE {size}\n#else\n#define WARPSIZE 32\n#endif\n"
    )
    one = "1ull" if "long" in word else "0x1"
    kernel = (
        f"__global__ void set({word} *bits, const int *in) {{\n  const int value = in[threadIdx.x];\n"
        f"  atomicOr(bits + value / WARPSIZE, ({one} << (value % WARPSIZE)));\n}}\n"
    )
    build = "hip:\n\thipcc a.cu\ncuda:\n\tnvcc a.cu\n"
    code = f'{BRANCH}#include "shim.h"\n{kernel}'
    written(tmp_path, {"a.cu": code, "shim.h": shim, "Makefile": build})
    report = pipeline.scan(tmp_path, Config(jobs=1, cache=False))
    assert [one.rule for one in report.findings].count("warp/wide-shift") == found
