"""A loop that waits has one finding, with the advice that mends it."""

from __future__ import annotations

from pathlib import Path

from porttrees import scanned

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult
from cudamigrate.pipeline.waits_once import without_repeated_waits

WAITS = ("memory/block-spin", "warp/lane-spin", "warp/waits-for-own-wave", "warp/waits-for-turn")
FLAGS = """\
__global__ void k(int *o, int n) {
    __shared__ volatile int full;
    if (threadIdx.x / 32 == 0) {
        while (full != 0) { }
        o[0] = n; full = 1;
    } else {
        while (full != 1) { }
        n = o[0]; full = 0;
    }
}
"""
LOCK = """\
__device__ int mutex;
struct Guard {
    bool boss;
    __device__ Guard() : boss((threadIdx.x & 31) == 0) { if (boss) { while (atomicCAS(&mutex, 0, 1) != 0) ; } }
    __device__ ~Guard() { if (boss) atomicExch(&mutex, 0); }
};
__global__ void k(int *o) { Guard g; o[0] += 1; }
"""
BACK = """\
__device__ int state[64];
__global__ void k(int *o) {
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (threadIdx.x % 32 == 31) {
        if (w) { while (atomicAdd(&state[w - 1], 0) == 0) ; }
        atomicExch(&state[w], 1);
    }
}
"""
BLOCKS = """\
__global__ void k(volatile int *flag, int *o) {
    if (threadIdx.x == 0) { while (flag[blockIdx.x + 1] == 0) ; }
    __syncthreads();
    o[blockIdx.x] = 1;
}
"""


def said(folder: Path, code: str) -> list[tuple[int, str, str]]:
    found = scanned(folder, {"a.cu": code}).findings
    return [(one.position.line, one.rule, one.message) for one in found if one.rule in WAITS]


def test_flags_between_warps_are_told_once_each_and_a_barrier_mends_them(tmp_path: Path) -> None:
    found = said(tmp_path, FLAGS)
    assert [(line, rule) for line, rule, _ in found] == [(4, "warp/lane-spin"), (7, "warp/lane-spin")]
    assert all(message.endswith("Let a barrier take the place of the wait.") for *_, message in found)


def test_a_lock_is_asked_for_by_one_lane_of_the_block(tmp_path: Path) -> None:
    ((_, rule, message),) = said(tmp_path, LOCK)
    assert rule == "warp/lane-spin" and "Let one lane ask for its block." in message and "launch no more" not in message


def test_a_wait_for_other_blocks_keeps_what_it_needs(tmp_path: Path) -> None:
    ((_, rule, message),) = said(tmp_path, BACK)
    assert rule == "warp/lane-spin" and "else let full wavefronts of 64 lanes wait for each other" in message
    assert "Where other blocks end the wait, put fences on both sides" in message


def test_a_wait_that_one_rule_knows_stays_as_it_is(tmp_path: Path) -> None:
    ((_, rule, message),) = said(tmp_path, BLOCKS)
    assert rule == "memory/block-spin" and "too." not in message


def test_what_a_wait_needs_is_a_fact_of_its_finding_and_not_read_from_its_message(tmp_path: Path) -> None:
    report = scanned(tmp_path, {"a.cu": BLOCKS})
    wait = next(one for one in report.findings if one.rule == "memory/block-spin")
    assert wait.fact("needs") and wait.fact("fences") and wait.fact("waits for") is None
    turn = replace(wait, rule="warp/waits-for-turn", message="Turns.", facts=())
    lock = replace(wait, rule="warp/lane-spin", message="A lock.", facts=(("waits for", "a lock"),))
    other = replace(wait, message="In other words.")
    for first, needed in ((turn, wait.fact("needs")), (lock, wait.fact("fences"))):
        result = FileResult("a.cu", "cuda", lines=1, size=1, cuda=True, findings=(first, other))
        (found,) = without_repeated_waits([result])[0].findings
        assert found.message == f"{first.message} Where other blocks end the wait, {needed} too."
    same = FileResult("a.cu", "cuda", lines=1, size=1, cuda=True, findings=(turn, replace(other, facts=())))
    assert [one.message for one in without_repeated_waits([same])[0].findings] == ["Turns."]
