"""Lanes that wait for memory by functions of other files are reported; so is a lock whose loop prints."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import scanned

WAITS = ("memory/block-spin", "warp/lane-spin", "warp/waits-for-own-wave", "warp/waits-for-turn")
PEEK = """#pragma once
namespace io {
__device__ inline unsigned peek(const unsigned *p) { unsigned v; LOAD return v; }
__device__ inline void pause(unsigned n) { __nanosleep(10 * n); }
__device__ inline void mark(unsigned n) { atomicAdd(&marks, n); }
}
"""
PTX = 'asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p));'
KERNEL = """#include "peek.cuh"
__global__ void k(unsigned *slots, unsigned *to) {
  unsigned n = 0, v = 0;
  BODY
}
"""
WAIT = "while ((v = io::peek(&slots[to[0]])) == 0xffffffffu) { io::pause(n++); }"


def waits(tmp_path: Path, body: str, load: str = PTX, before: str = "") -> list[str]:
    files = {"peek.cuh": before + PEEK.replace("LOAD", load), "k.cu": KERNEL.replace("BODY", body)}
    return [one.rule for one in scanned(tmp_path, files).findings if one.rule in WAITS]


@pytest.mark.parametrize(
    ("body", "load"),
    [
        (WAIT, PTX),
        (WAIT, "v = *(const volatile unsigned *)p;"),
        (WAIT, "v = __ldcg(p);"),
        ("do { v = io::peek(slots); io::pause(++n); } while (v == 0u); to[0] = v;", PTX),
    ],
)
def test_a_wait_by_functions_of_another_file_is_found(tmp_path: Path, body: str, load: str) -> None:
    assert waits(tmp_path, body, load) == ["memory/block-spin"]


@pytest.mark.parametrize(
    ("body", "load"),
    [
        ("if (threadIdx.x == 0) { " + WAIT + " }", PTX),  # one lane alone: fences are the other file's to show
        ("while (io::peek(&slots[n]) == 0u) { n += 1; io::pause(1); } to[0] = n;", PTX),  # looks at the next place
        ("while (n < 4) { n += io::peek(slots + n) & 1; io::pause(n); } to[0] = n;", PTX),
        ("for (n = 0; n < 8; ++n) { to[n] = io::peek(slots + n); io::pause(n); }", PTX),
        (WAIT, "v = 3u;"),  # no load at all
        (WAIT.replace("io::pause", "io::mark"), PTX),  # a turn changes memory
    ],
)
def test_what_gets_on_by_itself_is_none(tmp_path: Path, body: str, load: str) -> None:
    assert waits(tmp_path, body, load, "__device__ unsigned marks;\n") == []


@pytest.mark.parametrize(
    ("does", "found"),
    [
        ('if (++n > 1000) { printf("%u %p\\n", to[0], slots); __trap(); }', ["warp/lane-spin"]),
        ("if (++n > 1000) { release(slots, to[0]); }", []),  # what is not seen may let go of the lock
    ],
)
def test_a_lock_is_waited_for_whatever_is_printed(tmp_path: Path, does: str, found: list[str]) -> None:
    assert waits(tmp_path, f"while (atomicCAS(slots + to[0], 0u, 1u) != 0u) {{ {does} }}") == found


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ("Slot<int>::none, Slot<int>::none", ["memory/block-spin"]),  # a read
        ("Slot<int>::none, Slot<int>::full", ["warp/lane-spin"]),
    ],
)
def test_an_exchange_for_what_is_there_is_a_read(tmp_path: Path, values: str, found: list[str]) -> None:
    kind = "template <class T> struct Slot { static constexpr unsigned none = 7, full = 9; };\n"
    loop = f"while (atomicCAS(slots, {values}) == Slot<int>::none) __nanosleep(9);"
    assert waits(tmp_path, loop, before=kind) == found


GATED = """\
__device__ int full;
__global__ void k(int *o) {
#if __CUDA_ARCH__ OP 700
  FIRST
#else
  SECOND
#endif
}
"""
OLD = "if (__any_sync(~0u, o[threadIdx.x])) { while (atomicAdd(&full, 0) == 0) { } }"
NEW = "o[0] = __ballot_sync(~0u, o[1]);"


@pytest.mark.parametrize(
    ("op", "first", "second", "is_found"),
    [("<", OLD, NEW, False), (">=", NEW, OLD, False), ("<", NEW, OLD, True), (">=", OLD, NEW, True)],
)
def test_a_wait_in_code_for_old_gpus_alone_is_none(
    tmp_path: Path, op: str, first: str, second: str, is_found: bool
) -> None:
    code = GATED.replace("OP", op).replace("FIRST", first).replace("SECOND", second)
    found = [one.rule for one in scanned(tmp_path, {"k.cu": code}).findings if one.rule == "warp/waits-for-own-wave"]
    assert bool(found) == is_found
