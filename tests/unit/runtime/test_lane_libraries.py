"""What PyTorch gives kernels for warps, and kernels that are text: converted, they mean 32 lanes on any wave."""

from __future__ import annotations

from pathlib import Path

import pytest
from runtime.emulated import RUNTIME, built, ran

from cudamigrate.pipeline.rule_tests import find_in_text

SOURCE = """
#include <ATen/cuda/DeviceUtils.cuh>
#include <c10/macros/Macros.h>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void rows(const int *x, int *y) {
    const int lane = threadIdx.x % C10_WARP_SIZE, row = threadIdx.x / C10_WARP_SIZE;
    int v = x[threadIdx.x], w = v;
    for (int o = C10_WARP_SIZE / 2; o > 0; o >>= 1) v += WARP_SHFL_DOWN(v, o);
    const unsigned votes = WARP_BALLOT(w > 4);
    const int first = WARP_SHFL(w, 0) + WARP_SHFL_UP(w, 1) + WARP_SHFL_XOR(w, 3, 4);
    if (lane == 0) y[row] = v * 1000 + __popc(votes) * 10 + first;
}

int main() {
    int x[128], y[4], *dx, *dy;
    for (int i = 0; i < 128; ++i) x[i] = i * 7 % 10;
    cudaMalloc(&dx, sizeof(x));
    cudaMalloc(&dy, sizeof(y));
    cudaMemcpy(dx, x, sizeof(x), cudaMemcpyHostToDevice);
    rows<<<1, 128>>>(dx, dy);
    cudaMemcpy(y, dy, sizeof(y), cudaMemcpyDeviceToHost);
    for (int v : y) std::printf("%d ", v);
}
"""
HEADERS = {
    "ATen/hip/DeviceUtils.cuh": """
#pragma once
template <typename T> __device__ T WARP_SHFL(T v, int l, int width = warpSize) { return __shfl(v, l, width); }
template <typename T> __device__ T WARP_SHFL_UP(T v, int d, int width = warpSize) { return __shfl_up(v, d, width); }
template <typename T> __device__ T WARP_SHFL_DOWN(T v, int d, int width = warpSize) { return __shfl_down(v, d, width); }
template <typename T> __device__ T WARP_SHFL_XOR(T v, int m, int width = warpSize) { return __shfl_xor(v, m, width); }
inline __device__ unsigned long long WARP_BALLOT(int p) { return __ballot(p); }
""",
    "c10/macros/Macros.h": "#pragma once\n#define C10_WARP_SIZE warpSize\n",
}
"""As PyTorch's headers mean them on ROCm: across the wave of the GPU."""


def expected() -> list[int]:
    """What each warp of 32 threads comes to."""
    rows = [[i * 7 % 10 for i in range(row * 32, row * 32 + 32)] for row in range(4)]
    return [sum(row) * 1000 + sum(v > 4 for v in row) * 10 + 2 * row[0] + row[3] for row in rows]


def _printed(compiler: str, folder: Path, text: str, wave: int) -> list[int]:
    for name, header in HEADERS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(header)
    program = built(compiler, text, folder / "program", f"-I{folder}", f"-I{RUNTIME}")
    return [int(word) for word in ran(program, wave).stdout.split()]


@pytest.mark.parametrize("wave", [32, 64])
def test_pytorchs_lanes_are_32_on_any_wave(wave: int, compiler: str, tmp_path: Path) -> None:
    after = find_in_text(SOURCE).after
    assert _printed(compiler, tmp_path, after, wave) == expected()


def test_left_as_they_are_they_go_across_the_wave(compiler: str, tmp_path: Path) -> None:
    after = find_in_text(SOURCE).after.replace(", 32)", ")").replace("% 32", "% C10_WARP_SIZE")
    assert _printed(compiler, tmp_path, after, 64) != expected()


TEXT = """
extern "C" __global__ void rows(const int *x, int *y) {
    int i = threadIdx.x, v = x[i];
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    unsigned more = __ballot_sync(0xFFFFFFFFu, x[i] > 4);
    bool some = __any_sync(~0u, x[i] == 9 && i > 96), every = __all_sync(0xffffffff, x[i] < 9 || i > 64);
    if ((threadIdx.x & 31) == 0) y[i >> 5] = v * 1000 + __popc(more) * 10 + some + 2 * every;
}
"""


@pytest.mark.parametrize("wave", [32, 64])
def test_a_kernel_in_a_raw_string_needs_no_header(wave: int, compiler: str, tmp_path: Path) -> None:
    after = find_in_text(f'static const char *kSource = R"cuda({TEXT})cuda";\n').after
    kernel = after.partition('R"cuda(')[2].partition(')cuda"')[0]
    assert "cudamigrate" not in kernel and "_sync" not in kernel
    main = find_in_text(SOURCE).after
    program = f"#include <cstdio>\n#include <hip/hip_runtime.h>\n{kernel}\n{main[main.index('int main()') :]}"
    rows = [[i * 7 % 10 for i in range(row * 32, row * 32 + 32)] for row in range(4)]
    sums = [sum(row) * 1000 + sum(v > 4 for v in row) * 10 for row in rows]
    wanted = [value + extra for value, extra in zip(sums, (0, 0, 2, 3), strict=True)]
    assert _printed(compiler, tmp_path, program, wave) == wanted


@pytest.mark.parametrize(
    "call", ["__ballot_sync(mask, p)", "__ballot_sync(0xff, p)", "__match_any_sync(0xffffffff, p)"]
)
def test_other_votes_in_a_string_are_left_and_reported(call: str) -> None:
    text = f'static const char *k = R"cuda(__global__ void k(int *a, int p, unsigned mask) {{ *a = {call}; }})cuda";\n'
    found = find_in_text(text)
    assert call in found.after
    assert [finding.fix for finding in found.findings if finding.rule.startswith("warp/")] == [None]


def test_a_file_that_is_a_string_gets_no_header_and_keeps_its_branch_for_older_compilers() -> None:
    kernel = """__global__ void rows(int *x, int n) {
#if __CUDACC_VER_MAJOR__ >= 9
    x[n] = __shfl_sync(__activemask(), x[n], 1, n);
#else
    x[n] = __shfl(x[n], 1, n);
#endif
}
"""
    text = f'R"===({kernel})==="\n'
    found = find_in_text(text)
    assert found.after == text
    (call,) = (finding for finding in found.findings if finding.rule == "warp/sync-shuffle")
    assert call.resolution == "manual" and "compiled at run time" in call.trace[-1].text
    assert "|| defined(__HIPCC__)" in find_in_text(kernel).after
