"""What depends on the order of warps in the original is not held against a conversion; names of memory in a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.emulation import build, run
from cudamigrate.emulation.records import _buffer
from cudamigrate.model.execution import RunVerdict

PROGRAM = """\
#include <{header}>
__global__ void deal(int *next, int *turns, int *made) {{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, drawn = 0;
    for (;;) {{
        int one = 0;
        if (lane == 0) one = atomicAdd(next, 1);
        one = {shuffle};
        if (one >= 40) break;
        if (lane == 0) made[one] = one * {factor};
        ++drawn;
    }}
    if (lane == 0) turns[warp] = drawn;
}}
int main() {{
    int *next, *turns, *made;
    {api}MallocManaged(&next, 4); {api}MallocManaged(&turns, 16); {api}MallocManaged(&made, 160);
    *next = 0;
    deal<<<1, 128>>>(next, turns, made);
    return {api}DeviceSynchronize();
}}
"""
CUDA = {"header": "cuda_runtime.h", "api": "cuda", "shuffle": "__shfl_sync(0xffffffff, one, 0)", "factor": "2"}
HIP = {**CUDA, "header": "hip/hip_runtime.h", "api": "hip", "shuffle": "__shfl(one, 0, 32)"}


def judged(root: Path, **changed: str) -> RunVerdict:
    """The verdict on the program, converted with these changes."""
    if build.compiler() is None:
        pytest.skip(build.INSTALL)
    for name, words in (("before/deal.cu", CUDA), ("after/deal.hip", {**HIP, **changed})):
        (root / name).parent.mkdir()
        (root / name).write_text(PROGRAM.format(**words))
    (verdict,) = run.run(root / "after", root / "before", run.Options()).verdicts
    return verdict


def test_who_draws_which_number_is_not_compared(tmp_path: Path) -> None:
    verdict = judged(tmp_path)
    assert verdict.word == "same", verdict.reason
    assert any(note.startswith("turns is not compared") for note in verdict.notes)
    assert not any(note.startswith("made") for note in verdict.notes)


def test_what_each_number_gives_is_compared_and_named(tmp_path: Path) -> None:
    verdict = judged(tmp_path, factor="3")
    assert verdict.word == "differs"
    assert "made[1] after deal is 3, the original's 2" in verdict.reason


def test_a_call_that_mixes_two_groups_still_differs(tmp_path: Path) -> None:
    assert judged(tmp_path, shuffle="__shfl(one, 0)").word == "differs"


LINE = (
    "  int *h = (int *)malloc(n); cudaMalloc(&a, n); CHECK(hipHostMalloc((void **)&b, n)); cudaMalloc<float>(&c, n);\n"
)


@pytest.mark.parametrize(
    ("line", "number", "beside", "name"),
    [
        (LINE, 0, 3, "a"),
        (LINE, 1, 3, "b"),
        (LINE, 2, 3, "c"),
        (LINE, 0, 2, "memory of line 1"),
        ("  float *a = (float *)malloc(n); cudaMalloc(&d, n);\n", 0, 1, "d"),
        ("  cudaMalloc(&d, n);\n", 1, 2, "d"),
        ("  own_alloc(&d, n);\n", 0, 1, "d"),
        ("  make(&d, n);\n", 0, 1, "memory of line 1"),
    ],
)
def test_memory_is_called_as_the_call_that_asks_for_it_says(
    line: str, number: int, beside: int, name: str, tmp_path: Path
) -> None:
    (tmp_path / "a.cu").write_text(line)
    assert _buffer(("a.cu", 1), {"a.cu": tmp_path / "a.cu"}, number, beside) == name
