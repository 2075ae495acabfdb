"""Functions whose warp-level code is in members of groups, or in what they call."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model.lane_facts import LaneFunction

SUM = """
template <typename T> __device__ T lane_sum(T v) {
    for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
    return v;
}
"""
WRAPPED = """#include "sums.cuh"
template <typename T> __device__ T wrapped(T v) { return lane_sum(v); }
__global__ void rows(const float *in, float *out, int n) {
    int column = threadIdx.x % n, row = threadIdx.x / n;
    float all = wrapped(in[row * n + column]);
    if (column == 0) out[row] = all;
}
__global__ void copy(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void flat(const float *in, float *out) { out[threadIdx.x] = wrapped(in[threadIdx.x]); }
"""
VIEW = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
struct View {
    int *slots;
    template <typename Group> __device__ int find(Group const &group, int key) {
        unsigned hits = group.ballot(slots[group.thread_rank()] == key);
        return group.shfl(slots[group.thread_rank()], __ffs(hits) - 1);
    }
};
"""
LOOKUP = """#include "view.cuh"
template <int N, typename V> __global__ void lookup(V view, int *keys, int *out) {
    auto group = %s;
    out[threadIdx.x] = view.find(group, keys[threadIdx.x / N]);
}
"""
SPAN = "cg::tiled_partition<N>(cg::this_thread_block())"


def states(folder: Path, **files: str) -> dict[str, LaneFunction]:
    for name, text in files.items():
        (folder / f"{name}.cuh").write_text(text)
    report = pipeline.scan(folder, Config(jobs=1))
    return {one.name: one for file in report.files for one in file.lane_functions}


def test_a_function_that_parts_threads_has_the_state_of_what_it_comes_to(tmp_path: Path) -> None:
    found = states(tmp_path, sums=SUM, rows=WRAPPED)
    assert {name: one.wave for name, one in found.items()} == {"lane_sum": "narrowed", "rows": "narrowed"}
    assert [(step.path, step.line) for step in found["rows"].trace] == [
        ("rows.cuh", 4),
        ("rows.cuh", 5),
        ("rows.cuh", 2),
    ]


def test_a_function_is_open_where_what_it_comes_to_is(tmp_path: Path) -> None:
    left = SUM.replace("__shfl_down_sync(0xffffffff, v, o)", "__shfl_down_sync(cg::coalesced_threads().size(), v, o)")
    found = states(tmp_path, sums=left, rows=WRAPPED)
    assert {name: one.wave for name, one in found.items()} == {"lane_sum": "open", "rows": "open"}
    assert found["rows"].why == "it comes to `lane_sum`, which is open, at sums.cuh:2"


@pytest.mark.parametrize(
    ("group", "wave", "why"),
    [
        (SPAN, "narrowed", "tiles"),
        ("cg::coalesced_threads()", "open", "spans the wave"),
    ],
)
def test_a_group_says_between_which_threads_values_go(tmp_path: Path, group: str, wave: str, why: str) -> None:
    found = states(tmp_path, view=VIEW, lookup=LOOKUP % group)
    assert {name: one.wave for name, one in found.items()} == {"find": wave, "lookup": wave}
    assert why in found["find"].why


def test_a_group_that_no_caller_shows_is_open(tmp_path: Path) -> None:
    found = states(tmp_path, view=VIEW)
    assert found["find"].wave == "open" and "not seen" in found["find"].why


def test_a_block_and_other_objects_are_no_groups_of_lanes(tmp_path: Path) -> None:
    text = (
        "#include <cooperative_groups.h>\nstruct Flags { __device__ bool any(int n) { return n; } };\n"
        "__global__ void k(int *a, Flags flags) { auto all = cooperative_groups::this_thread_block();\n"
        "  if (flags.any(a[0])) all.sync();\n  a[all.thread_rank()] = 1; }\n"
    )
    assert states(tmp_path, k=text) == {}


LOCKS = """#pragma once
__device__ void acquire(unsigned *lock) {
    bool held = true;
    while (held) {
        if (threadIdx.x % {of} == 1) held = (atomicOr(lock, 1u) & 1u) != 0;
        held = __shfl_sync(0xffffffff, held, 1);
    }
    __threadfence();
}
"""
KEEP = """#include "locks.cuh"
__device__ unsigned sum(unsigned *lock, unsigned v) {
    acquire(lock);
    v = __shfl_xor_sync(0xffffffff, v, 3);
    atomicAnd(lock, ~1u);
    return v;
}
__global__ void k(unsigned *lock, unsigned *to) {
    unsigned lane = threadIdx.x & 31, got = sum(lock, to[threadIdx.x]);
    to[threadIdx.x] = __shfl_sync(0xffffffff, got, lane ^ 1);
}
"""


@pytest.mark.parametrize(("of", "waves"), [("32", "open"), ("64", "narrowed")])
def test_functions_that_come_to_a_loop_that_can_hang_are_open(tmp_path: Path, of: str, waves: str) -> None:
    found = states(tmp_path, locks=LOCKS.replace("{of}", of), keep=KEEP)
    assert {name: one.wave for name, one in found.items() if name != "acquire"} == {"sum": waves, "k": waves}
    assert ("can hang" in found["k"].why) == (waves == "open")


def test_a_function_with_code_of_its_own_is_not_open_for_another_reason(tmp_path: Path) -> None:
    odd = """#include <cooperative_groups.h>
__device__ int odd(int v) { auto g = cooperative_groups::coalesced_threads(); return g.shfl(v, 0); }
"""
    own = "__global__ void k(int *a) { int l = threadIdx.x & 31; a[l] = __shfl_sync(~0u, odd(a[l]), l ^ 1); }"
    found = states(tmp_path, odd=odd, own=f'#include "odd.cuh"\n{own}\n')
    assert {name: one.wave for name, one in found.items()} == {"odd": "open", "k": "narrowed"}
