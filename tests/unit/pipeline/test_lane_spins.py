"""Loops that take a lock, where only other files tell how many lanes are in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config

LOCK = """#include "parts.cuh"
__global__ void k(int *lock, float *a) {
    int tid = threadIdx.x;
    a[part_of(tid)] = 1;
    %s
    if (tid == 0) { while (atomicCAS(lock, 0, 1) != 0); }
    __syncthreads();
    a[0] += 1;
    if (tid == 0) atomicExch(lock, 0);
}
void run(int *lock, float *a) { k<<<8, 128>>>(lock, a); }
"""
AGAIN = 'asm volatile("mov.u32 %0, %tid.x;" : "=r"(tid) :);'


@pytest.mark.parametrize(
    ("parts", "between", "found"),
    [
        ("__device__ inline int part_of(int at) { return at / 8; }", "", 0),
        ("__device__ inline int part_of(int at) { return at / 8; }", AGAIN, 0),
        ("__device__ inline int part_of(int at) { return at / 8; }", AGAIN.replace("tid.x", "ctaid.x"), 1),
        ("__device__ inline int part_of(int &at) { return at /= 8; }", "", 1),
        ("__device__ inline int other(int at) { return at / 8; }", "", 1),
    ],
)
def test_what_other_files_take_says_which_lanes_spin(tmp_path: Path, parts: str, between: str, found: int) -> None:
    (tmp_path / "parts.cuh").write_text(parts + "\n")
    (tmp_path / "k.cu").write_text(LOCK.replace("%s", between))
    rules = [one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings]
    assert rules.count("warp/lane-spin") == found
