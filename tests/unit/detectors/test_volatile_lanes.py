"""Steps of lanes that a macro takes, which is given the distance."""

from __future__ import annotations

import pytest

from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

ADD = "#define ADD(n) if (tid < (n)) s[tid] += s[tid + (n)]\n"
ROW = "ADD(32); ADD(16); ADD(8); ADD(4);"


def found(text: str) -> list[str]:
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    return [hit.rule for hit in engine.hits("volatile_lanes", parsed)]


def sums(body: str, macro: str = ADD, declared: str = "extern __shared__ float s[]; int tid = threadIdx.x;") -> str:
    return f"{macro}__global__ void k(float *o, int n) {{ {declared} {body} o[threadIdx.x] = s[0]; }}"


TAKEN = {
    "a row": sums(ROW),
    "a row by halves of the block": sums("ADD(64); ADD(32); ADD(16); ADD(8);"),
    "doubles": sums("ADD(1); ADD(2); ADD(4); ADD(8); ADD(16);"),
    "conditions of the block": sums("if (n >= 64) { ADD(32); } if (n >= 32) { ADD(16); } if (n >= 16) { ADD(8); }"),
    "a difference": sums(ROW, "#define ADD(n) s[tid] = max(s[tid], s[tid ^ n]);\n"),
    "two statements": sums(ROW, "#define ADD(n) { float v = s[tid + n]; s[tid] += v; }\n"),
    "several lines": sums(ROW, "#define ADD(n) \\\n  if (tid < n) { \\\n    s[tid] += s[tid + n]; \\\n  }\n"),
    "what it is given": sums(
        "ADD(s, tid, 16); ADD(s, tid, 8); ADD(s, tid, 4);", "#define ADD(a, t, n) (a)[(t)] += (a)[(t) + (n)];\n"
    ),
    "a pointer": sums(ROW, declared="extern __shared__ float all[]; float *s = all; int tid = threadIdx.x;"),
    "two through volatile": sums(
        "ADD(16); ADD(8);", declared="volatile __shared__ float s[64]; int tid = threadIdx.x;"
    ),
}
HELD = {
    "a barrier in the macro": sums(ROW, ADD.rstrip() + "; __syncthreads()\n"),
    "barriers between": sums("ADD(32); __syncthreads(); ADD(16); __syncthreads(); ADD(8); __syncthreads(); ADD(4);"),
    "memory of a thread": sums(ROW, declared="float s[64]; int tid = threadIdx.x % 8;"),
    "no lane's place": sums(ROW, "#define ADD(n) s[row] += s[row + n];\n", "extern __shared__ float s[]; int row = n;"),
    "other distances": sums("ADD(3); ADD(5); ADD(16);"),
    "no row": sums("ADD(16); ADD(8);"),
    "one in each function": sums("ADD(16);")
    + "".join(
        f"__global__ void k{n}(float *o) {{ extern __shared__ float s[]; int tid = threadIdx.x; ADD({n}); }}"
        for n in (8, 4)
    ),
    "what the host does": f"{ADD}void k(float *s, int tid) {{ {ROW} }}",
    "no own place": sums(ROW, "#define ADD(n) o[tid] += s[tid + n];\n"),
}


@pytest.mark.parametrize("name", TAKEN)
def test_steps_that_a_macro_takes_without_a_barrier_are_found(name: str) -> None:
    assert found(TAKEN[name]) == ["warp/unheld-lanes"]


@pytest.mark.parametrize("name", HELD)
def test_what_is_held_or_no_step_is_not(name: str) -> None:
    assert found(HELD[name]) == []
