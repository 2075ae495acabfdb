"""A constant that is 64 for HIP and 32 for CUDA, in a repository that has no port."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

ROW = "#pragma once\n#ifdef __HIP_PLATFORM_AMD__\nconstexpr int kRow = {};\n#else\nconstexpr int kRow = 32;\n#endif\n"
KERNEL = """\
#include "row.h"
__device__ float total(float v) {
    for (int m = 16; m > 0; m >>= 1) v += __shfl_xor_sync(0xffffffff, v, m);
    return v;
}
__global__ void rows(const float *in, float *out, int n) {
    float s = 0;
    for (int i = threadIdx.x; i < n; i += kRow) s += in[blockIdx.x * n + i];
    out[blockIdx.x] = total(s);
}
"""


@pytest.mark.parametrize(
    ("row", "kernel", "found"),
    [
        pytest.param(ROW.format(64), KERNEL, [("row.h", 3)], id="strides by it, sums over 32"),
        pytest.param(ROW.format(32), KERNEL, [], id="one size for both"),
        pytest.param(ROW.format(64), KERNEL.replace("kRow", "blockDim.x"), [], id="nothing uses it"),
    ],
)
def test_a_constant_of_two_sizes_is_reported(
    tmp_path: Path, row: str, kernel: str, found: list[tuple[str, int]]
) -> None:
    report = pipeline.scan(written(tmp_path, {"row.h": row, "k.cu": kernel}), Config(jobs=1))
    told = [(one.path, one.position.line) for one in report.findings if one.rule == "warp/two-sizes"]
    assert told == found
    assert report.port is None
