"""HIP's reduction over a tile is right where all blocks of the kernels that come to it have one dimension."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import scanned

CODE = """\
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
constexpr int kThreads = 96;
template <class Tile> __device__ int most(Tile t, int v) {{ return cg::reduce(t, v, cg::greater<int>()); }}
template <int N> __global__ void run(int *o) {{
    auto b = cg::this_thread_block();
    o[threadIdx.x] = o[0] ? most(cg::tiled_partition<8>(b), 1) : most(cg::tiled_partition<16>(b), 1);
}}
void go(int *o, int n, dim3 given) {{ {} }}
"""


@pytest.mark.parametrize(
    ("launches", "reported"),
    [
        ("run<1><<<20, 96>>>(o);", False),
        ("run<1><<<dim3(2, 2), kThreads>>>(o); run<2><<<20, n * 32>>>(o);", False),
        ("dim3 b(n); run<1><<<20, b>>>(o);", False),
        ("run<1><<<20, dim3(n, 1, 1)>>>(o);", False),
        ("cudaLaunchCooperativeKernel((void *)run<1>, dim3(n), dim3(96), 0, 0, 0);", False),
        ("cudaLaunchKernel(run<1>, dim3(n), dim3(8, 8), 0, 0, 0);", True),
        ("cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, run<1>, 96, 0); run<1><<<20, 96>>>(o);", False),
        ("", True),
        ("run<1><<<20, given>>>(o);", True),
        ("run<1><<<20, dim3(16, 6)>>>(o);", True),
        ("run<1><<<20, dim3(32, 1, 4)>>>(o);", True),
        ("run<1><<<20, 96>>>(o); run<2><<<20, dim3(16, n)>>>(o);", True),
        ("dim3 b(n); b.y = 4; run<1><<<20, b>>>(o);", True),
        ("run<1><<<20, 96>>>(o); start(run<2>, o);", True),
    ],
)
def test_a_reduction_is_right_in_blocks_of_one_dimension(tmp_path: Path, launches: str, reported: bool) -> None:
    found = scanned(tmp_path, {"a.cu": CODE.format(launches)}).findings
    assert any(one.rule == "cooperative-groups/group-reduce" for one in found) is reported


def test_a_kernel_that_another_file_names_may_be_launched_in_any_block(tmp_path: Path) -> None:
    code, other = CODE.format("run<1><<<20, 96>>>(o);"), "void more(int *o) { run<2><<<1, dim3(8, 8)>>>(o); }\n"
    found = scanned(tmp_path, {"a.cu": code, "b.cu": other}).findings
    assert any(one.rule == "cooperative-groups/group-reduce" for one in found)


def test_a_makefile_names_a_program_and_no_kernel(tmp_path: Path) -> None:
    made = "all: run\nrun: a.cu\n\tnvcc -o run a.cu\n"
    found = scanned(tmp_path, {"a.cu": CODE.format("run<1><<<20, 96>>>(o);"), "Makefile": made}).findings
    assert not any(one.rule == "cooperative-groups/group-reduce" for one in found)


def test_reductions_of_active_threads_are_converted_with_their_groups(tmp_path: Path) -> None:
    active = "__global__ void of_active(int *o) { auto g = cg::coalesced_threads(); o[0] = most(g, 1); }\n"
    code = CODE.format("run<1><<<20, 96>>>(o); of_active<<<1, 32>>>(o);").replace("void go", active + "void go")
    found = scanned(tmp_path, {"a.cu": code}).findings
    assert any(one.rule == "cooperative-groups/group-reduce" for one in found)


TILE = """\
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void run(int *o) {{
    cg::thread_block_tile<32> t = cg::tiled_partition<32>(cg::this_thread_block());
    o[0] = cg::reduce(t, o[threadIdx.x], cg::plus<int>());
}}
void go(int *o) {{ run<<<20, {}>>>(o); }}
"""


@pytest.mark.parametrize(("block", "outcome"), [("96", "fine"), ("dim3(16, 6)", "wrong-result")])
def test_a_tile_is_reduced_in_cudas_order_in_either_block(tmp_path: Path, block: str, outcome: str) -> None:
    found = scanned(tmp_path, {"a.cu": TILE.format(block)}).findings
    tile = next(one for one in found if one.rule == "cooperative-groups/tile-reduce")
    assert tile.outcome == outcome and tile.fix is not None
