"""What device code takes for granted of its blocks: each reading, and the nearest code that must stay unread."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import launch_geometry
from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.warp.lane_code import facts


def parse(text: str) -> ParsedFile:
    return cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset((b"warpSize", b"__shfl_xor_sync")))


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


SHUFFLE = "for (int o = warpSize / 2; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);"
PORT = "#ifdef USE_ROCM\nv = 2;\n#endif\n"
WIDE = "void run(int *a) { k<<<1, 128>>>(a); }"


@pytest.mark.parametrize(
    ("device", "host", "whole"),
    [
        (f"{PORT} a[threadIdx.x / warpSize] = v;", "", True),
        (f"{PORT} a[threadIdx.x / 32] = v;", "", False),
        (f"{PORT} if (threadIdx.x == 0) a[0] = v;", "void run(int *a) { k<<<1, 32>>>(a); }", False),
        (f"{PORT} __shared__ int t[32]; if (threadIdx.x < warpSize) t[threadIdx.x] = v;", "", False),
        (f"{PORT} __shared__ int t[64]; if (threadIdx.x < warpSize) t[threadIdx.x] = v;", "", True),
        ("a[threadIdx.x / warpSize] = v;", WIDE, False),
        ("a[threadIdx.x / warpSize] = v;", f"{WIDE}\nint n(Device d) {{ return d.warpSize; }}", False),
        ("a[threadIdx.x / warpSize] = v;", f"{WIDE}\n#ifdef USE_ROCM\nint n = 64;\n#endif", False),
        ("if (threadIdx.x % warpSize == 0) a[n++] = v;", WIDE, False),
        ("if (threadIdx.x % warpSize == 0) atomicAdd(a, v);", "", False),
        ("if (threadIdx.x % warpSize == 0) atomicAdd(a, v);", WIDE, True),
        ("a[threadIdx.x] = v;", WIDE, False),
    ],
)
def test_code_for_the_wave_keeps_it_where_it_is_ported_and_its_blocks_allow(
    device: str, host: str, whole: bool
) -> None:
    parsed = parse(
        f"__global__ void k(int *a) {{ __shared__ int s[64]; int n = 0, v = 1; {SHUFFLE}\n{device} }}\n{host}\n"
    )
    (unit,) = facts(parsed).units.values()
    assert unit.whole is whole
