"""What device code takes for granted of its blocks: each reading, and the nearest code that must stay unread."""

from __future__ import annotations

import pytest

from migrate.analysis import launch_geometry
from migrate.analysis.constant_values import Values
from migrate.cuda.parsed_file import ParsedFile
from migrate.frontends import cuda
from migrate.model import SourceFile
from migrate.warp.lane_code import facts


def parse(text: str) -> ParsedFile:
    return cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), {b"warpSize", b"__shfl_xor_sync"})


@pytest.mark.parametrize(
    ("lines", "block", "width"),
    [
        ("", "96", 96),
        ("", "dim3(32, 8)", 32),
        ("", "dim3{kRow, 2, 1}", 48),
        ("int threads = 2 * 48;", "threads", 96),
        ("const dim3 block(kRow, 4);", "block", 48),
        ("dim3 block = dim3(16);", "block", 16),
        ("int n = 32; dim3 block(n, 4);", "block", 32),
        ("dim3 block; block.x = 32;", "block", None),
        ("dim3 block(32); block.x = count;", "block", None),
        ("dim3 block(32); block = dim3(64);", "block", None),
        ("int threads = 32; threads *= 2;", "threads", None),
        ("int threads = count;", "threads", None),
        ("", "count", None),
    ],
)
def test_a_block_s_first_dimension_is_read_where_it_is_set_once(lines: str, block: str, width: int | None) -> None:
    host = f"void run(int count) {{ {lines} k<<<count / 4, {block}>>>(); }}"
    parsed = parse(f"constexpr int kRow = 48;\n__global__ void k() {{}}\n{host}\n")
    assert list(launch_geometry.widths(parsed, Values(parsed))) == ([] if width is None else [("k", width)])


def test_a_kernel_reaches_what_its_functions_call() -> None:
    parsed = parse(
        "__device__ int inner() { return 1; }\n__device__ int outer() { return inner(); }\n"
        "__device__ int other() { return 2; }\n__global__ void k(int *a) { *a = outer(); }\n"
    )
    assert launch_geometry.reached(parsed, "k") == {"k", "outer", "inner"}
    assert launch_geometry.reached(parsed, "outer") == {"outer", "inner"}


SHUFFLE = "for (int o = warpSize / 2; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);"


@pytest.mark.parametrize(
    ("device", "host", "whole"),
    [
        ("s[threadIdx.x / warpSize] = v;", "", True),
        ("a[threadIdx.x / warpSize] = v;", "", False),
        ("a[(blockIdx.x * blockDim.x + threadIdx.x) / warpSize] = v;", "", False),
        ("int i = blockIdx.x * blockDim.x + threadIdx.x; s[i / warpSize] = v;", "", False),
        ("int w = threadIdx.x / warpSize; s[blockIdx.x * 4 + w] = v;", "", False),
        ("int w = threadIdx.x / warpSize; s[w] = v; a[40] = blockIdx.x;", "", True),
        ("a[(blockIdx.x * 64 + threadIdx.x) / warpSize] = v;", "int n(Device d) { return d.warpSize; }", True),
        ("a[threadIdx.x / warpSize] = v;", "#ifdef USE_ROCM\nint n = 64;\n#endif", True),
        ("__shared__ int t[32]; if (threadIdx.x < warpSize) t[threadIdx.x] = v;", "", False),
        ("__shared__ int t[64]; if (threadIdx.x < warpSize) t[threadIdx.x] = v;", "", True),
        ("if (threadIdx.x % warpSize == 0) a[n++] = v;", "", False),
        ("if (threadIdx.x % warpSize == 0) atomicAdd(a, v);", "", True),
        ("if (threadIdx.x == 0) a[0] = v;", "", True),
        ("a[threadIdx.x] = v;", "", False),
        ("a[threadIdx.x] = n;", "", True),
        ("if (threadIdx.x == 0) a[0] = v;", "void run(int *a) { k<<<1, 32>>>(a); }", False),
        ("if (threadIdx.x == 0) a[0] = v;", "void run(int *a) { k<<<1, 192>>>(a); }", True),
    ],
)
def test_code_for_the_whole_wave_is_taken_for_32_where_its_blocks_say_so(device: str, host: str, whole: bool) -> None:
    parsed = parse(
        f"__global__ void k(int *a) {{ __shared__ int s[64]; int n = 0, v = 1; {SHUFFLE} {device} }}\n{host}\n"
    )
    (unit,) = facts(parsed).units.values()
    assert unit.whole is whole
