"""Sizes of the wave for functions of PyTorch that work on it: nothing is written there."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "#include <c10/macros/Macros.h>\n#include <ATen/native/cuda/block_reduce.cuh>\n"
REDUCED = """\
__global__ void totals(float *out, const float *in) {{
    __shared__ float part[C10_WARP_SIZE];
    float sum = {reduce}(in[threadIdx.x], part);
    if (threadIdx.x == 0) *out = sum;
}}
"""
LAUNCH = """\
void run(float *out, const float *in, int n) {
    int threads = (n + C10_WARP_SIZE - 1) / C10_WARP_SIZE * C10_WARP_SIZE;
    totals<<<1, threads>>>(out, in);
}
"""
ALONE = """\
__global__ void rows(float *out) {
    int lane = threadIdx.x % C10_WARP_SIZE;
    out[threadIdx.x] = WARP_SHFL_DOWN(out[lane], 1);
}
"""
HELPER = """\
static int rounded(int n) { return (n + C10_WARP_SIZE - 1) / C10_WARP_SIZE * C10_WARP_SIZE; }
"""
BY_HELPER = "void run(float *out, const float *in, int n) { totals<<<1, rounded(n)>>>(out, in); }\n"
BY_PROPERTY = """\
void run(float *out, const float *in) {
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    totals<<<1, 4 * prop.warpSize>>>(out, in);
}
"""
OWN = "template <typename T> __device__ T BlockReduceSum(T v, T *part) { return v + __shfl_xor_sync(~0u, v, 1); }\n"
ATEN = REDUCED.format(reduce="at::native::cuda_utils::BlockReduceSum<float>")
BARE = REDUCED.format(reduce="BlockReduceSum")
CUB = REDUCED.format(reduce="cub::BlockReduce<float, 256>")


def rewritten(text: str) -> int:
    """How many sizes of the wave are taken for 32."""
    sizes = ("warp/pytorch-size", "warp/queried-size")
    return sum(one.rule in sizes for one in find_in_text(text).findings)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param(HEAD + ATEN + LAUNCH, 0, id="the kernel and its launch"),
        pytest.param(HEAD + BARE + LAUNCH, 0, id="by the header alone"),
        pytest.param(HEAD + ATEN + LAUNCH + ALONE, 1, id="a kernel beside them"),
        pytest.param(HEAD + ATEN + HELPER + BY_HELPER, 0, id="a helper rounds up"),
        pytest.param(HEAD + ATEN + BY_PROPERTY, 0, id="by the device's properties"),
        pytest.param(HEAD + CUB + LAUNCH, 3, id="another library's class"),
        pytest.param(HEAD + OWN + BARE + LAUNCH, 3, id="a function of its own"),
        pytest.param(HEAD.splitlines()[0] + "\n" + BARE + LAUNCH, 3, id="a name without its header"),
    ],
)
def test_sizes_for_reductions_of_pytorch_stay(text: str, count: int) -> None:
    assert rewritten(text) == count


@pytest.mark.parametrize("comment", ["// at::native::cuda_utils::BlockReduceSum(v)", "// unlike totals"])
def test_a_comment_calls_nothing(comment: str) -> None:
    alone = ALONE.replace("int lane", f"{comment}\n    int lane")
    assert rewritten(HEAD + ATEN + alone) == 1


def test_a_lambda_is_of_the_function_around_it() -> None:
    inside = LAUNCH.replace("    int threads", "    auto go = [&] {\n    int threads").replace(
        "in);\n", "in); };\n    go();\n"
    )
    assert rewritten(HEAD + ATEN + inside) == 0


def test_lanes_of_cuda_beside_sizes_for_pytorch_are_left() -> None:
    mixed = ATEN.replace("if (threadIdx", "sum += __shfl_down_sync(~0u, sum, C10_WARP_SIZE / 2);\n    if (threadIdx")
    found = {one.rule: one for one in find_in_text(HEAD + mixed).findings}
    assert found["warp/unconverted-lanes"].fix is None
    assert "`C10_WARP_SIZE` for functions of PyTorch" in found["warp/unconverted-lanes"].message


@pytest.mark.parametrize(("size", "count"), [("C10_WARP_SIZE", 0), ("32", 1)])
def test_shuffles_across_the_wave_go_with_its_size(size: str, count: int) -> None:
    text = HEAD + ATEN.replace("C10_WARP_SIZE", size).replace("if (", "sum += WARP_SHFL_XOR(sum, 1);\n    if (")
    assert sum(one.rule == "warp/pytorch-shuffle" for one in find_in_text(text).findings) == count


@pytest.mark.parametrize(("kernel", "count"), [(ATEN, 0), (ATEN.replace("totals", "others"), 3)])
def test_a_launch_in_another_file(tmp_path: Path, kernel: str, count: int) -> None:
    declared = "#include <c10/macros/Macros.h>\n__global__ void totals(float *out, const float *in);\n"
    files = {"kernel.cu": HEAD + kernel, "launch.cu": declared + LAUNCH}
    report = pipeline.scan(written(tmp_path, files), Config(jobs=1))
    assert sum(one.rule == "warp/pytorch-size" for one in report.findings) == count
