"""The warp size that Python asks a GPU for is reported where code of the repository counts 32 lanes."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import scanned

ASKS = """\
import torch, sums
lanes = torch.cuda.get_device_properties(0).warp_size
def run(x):
    return sums.run(x, lanes)
"""
SUMS = """\
__global__ void sums(const float *x, float *y) {
    float v = x[threadIdx.x];
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
    if (threadIdx.x == 0) *y = v;
}
"""
COPIES = "__global__ void copies(const float *x, float *y) { y[threadIdx.x] = x[threadIdx.x]; }\n"
TEXT = f"import cupy\nkernel = cupy.RawKernel(r'''{SUMS}''', 'sums')\n"
WAVES = """\
#include <hip/hip_runtime.h>
__global__ void sums(float *x) {
    float v = x[threadIdx.x];
    for (int o = warpSize / 2; o; o >>= 1) v += __shfl_down(v, o);
    if (threadIdx.x % warpSize == 0) *x = v;
}
"""


@pytest.mark.parametrize(
    ("files", "reported"),
    [
        pytest.param({"sums.cu": SUMS}, True, id="a file of kernels"),
        pytest.param({"text.py": TEXT}, True, id="a kernel in a text"),
        pytest.param({"sums.cu": COPIES}, False, id="kernels without warps"),
        pytest.param({}, False, id="no kernels"),
        pytest.param({"sums.hip": WAVES, "more.cu": COPIES}, False, id="kernels for any wave"),
        pytest.param({"sums.hip": WAVES, "sums.cu": SUMS}, True, id="kernels of both kinds"),
    ],
)
def test_a_size_that_is_asked_for(files: dict[str, str], reported: bool, tmp_path: Path) -> None:
    found = scanned(tmp_path, {"run.py": ASKS, **files}).findings
    assert any(one.rule == "python/queried-warp-size" for one in found) is reported
