"""A lock that a function takes and lets go of, and a loop that ends by it: clang moves the release behind the loop."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

DECLARED = """\
struct Bins { int* lock; float* sum; int* full;
    __device__ bool put(int b, float x) {
        if (atomicCAS(lock + b, 0, 1)) return false;
        __threadfence(); sum[b] += x; __threadfence(); atomicExch(lock + b, 0); return true; }
    __device__ bool take(int b) { return atomicCAS(full + b, 1, 0) == 1; } };
"""
SUNK = {
    "asked": ("while (!b.put(n, 1)) { }", "ask for it then."),
    "flag": ("bool ok = false; while (!ok) { ok = b.put(n, 1); }", "keeps it inside."),
    "asked at the end": ("bool ok; do { ok = b.put(n, 1); } while (!ok);", "keeps it inside."),
    "left": ("while (true) { if (b.put(n, 1)) break; }", "wave_barrier()`."),
    "returned": ("for (;;) { if (b.put(n, 1)) { o[threadIdx.x] = 1; return; } }", "wave_barrier()`."),
}
KEPT = {
    "held": "bool ok = false; while (!ok) { ok = b.put(n, 1); __syncwarp(); }",
    "goes on": "int i = threadIdx.x; while (i < n) { if (b.put(i, 1)) i += blockDim.x; }",
    "one lane": "if (threadIdx.x == 0) while (!b.put(n, 1)) { }",
    "taken alone": "while (!b.take(n)) { }",
}


def kernel(code: str) -> str:
    return f"{DECLARED}__global__ void k(Bins b, float* o, int n) {{ {code} }}\n"


@pytest.mark.parametrize("name", SUNK)
def test_a_release_in_a_function_is_told(name: str) -> None:
    code, cure = SUNK[name]
    found = [one for one in find_in_text(kernel(code), "a.cu", None).findings if one.rule == "warp/sunk-release"]
    assert [one.message.startswith("clang moves the release of `lock+b`") for one in found] == [True]
    assert found[0].message.endswith(cure)


@pytest.mark.parametrize("name", KEPT)
def test_what_stays_in_the_turn_is_not(name: str) -> None:
    assert "warp/sunk-release" not in {one.rule for one in find_in_text(kernel(KEPT[name]), "a.cu", None).findings}


@pytest.mark.parametrize(
    ("name", "fixed"), [("asked", False), ("flag", True), ("asked at the end", True), ("left", False)]
)
def test_a_barrier_is_written_only_where_all_lanes_come_to_it(name: str, fixed: bool) -> None:
    """The one in a body comes too late for what the condition does before it."""
    found = find_in_text(kernel(SUNK[name][0]), "a.cu", None).findings
    (one,) = (one for one in found if one.rule == "warp/sunk-release")
    assert (one.fix is not None) == fixed
