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


SIZES = "#pragma once\n#ifdef USE_ROCM\n#define WARP_SIZE {}\n#else\n#define WARP_SIZE 32\n#endif\n"
SUM = """\
__global__ void sums(const float *in, float *out) {
    __shared__ float part[256 / WARP_SIZE];
    float v = in[threadIdx.x];
    for (int m = 16; m > 0; m >>= 1) v += __shfl_down_sync(0xffffffff, v, m);
    if (threadIdx.x % WARP_SIZE == 0) part[threadIdx.x / WARP_SIZE] = v;
    __syncthreads();
    if (threadIdx.x < 256 / WARP_SIZE) out[threadIdx.x] = part[threadIdx.x];
}
"""
BOTH = '#include "sizes.h"\n#include "sum.cuh"\n'
OWN = "#ifdef USE_ROCM\nint half() { return WARP_SIZE / 2; }\n#endif\n"


@pytest.mark.parametrize("value", ["warpSize", "64"])
def test_lanes_that_only_code_for_both_vendors_counts_by_are_32_for_hip(tmp_path: Path, value: str) -> None:
    report = pipeline.scan(
        written(tmp_path, {"sizes.h": SIZES.format(value), "sum.cuh": SUM, "k.cu": BOTH}), Config(jobs=1)
    )
    (found,) = [one for one in report.findings if one.rule == "warp/two-sizes"]
    assert found.fix is not None
    (edit,) = found.fix.edits
    assert SIZES.format(value).encode()[edit.span.start : edit.span.end] == value.encode()
    assert (edit.replacement, found.path) == (b"32", "sizes.h")
    assert any(one.rule == "warp/hardcoded-size" and one.outcome == "fine" for one in report.findings)


@pytest.mark.parametrize(
    ("sizes", "kernel"),
    [
        pytest.param(SIZES.format("warpSize"), SUM + OWN, id="HIP's own code counts by it"),
        pytest.param(SIZES.format("warpSize") + "inline int all() { return WARP_SIZE; }\n", SUM, id="its own file"),
        pytest.param(SIZES.format("64"), SUM + SIZES.format("64")[13:], id="defined twice"),
        pytest.param(SIZES.format("64").replace("WARP_SIZE", "ROW"), SUM.replace("WARP_SIZE", "ROW"), id="row"),
    ],
)
def test_a_constant_that_may_be_64_stays_and_nothing_calls_it_32(tmp_path: Path, sizes: str, kernel: str) -> None:
    report = pipeline.scan(written(tmp_path, {"sizes.h": sizes, "sum.cuh": kernel, "k.cu": BOTH}), Config(jobs=1))
    found = [one for one in report.findings if one.rule == "warp/two-sizes"]
    assert [(one.support, one.fix) for one in found] == [("manual", None)]
    assert not [one for one in report.findings if one.rule == "warp/hardcoded-size" and one.outcome == "fine"]
