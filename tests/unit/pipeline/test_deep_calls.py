"""Chains of calls that are longer than the interpreter's stack: through a library's templates, from file to file."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline import deep_calls, run, scan


def depth(left: int) -> int:
    return 1 + depth(left - 1) if left else 0


def test_work_may_go_deeper_than_the_limit() -> None:
    limit = sys.getrecursionlimit()
    assert deep_calls.run(lambda: depth(5 * limit)) == 5 * limit
    assert sys.getrecursionlimit() == limit
    with pytest.raises(RecursionError):
        deep_calls.run(lambda: depth(2 * deep_calls.FRAMES))
    with pytest.raises(ZeroDivisionError):
        deep_calls.run(lambda: 1 // 0)
    assert sys.getrecursionlimit() == limit


def test_work_is_done_where_no_thread_can_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", refused)
    assert deep_calls.run(lambda: depth(10)) == 10


def test_a_barrier_behind_two_hundred_functions_in_ten_files_is_found(tmp_path: Path) -> None:
    many, each = 200, 20
    for part in range(many // each):
        first = part * each
        lines = ["#pragma once", f'#include "part{part + 1}.cuh"' if first + each < many else ""]
        for at in reversed(range(first, first + each)):
            last = "if (threadIdx.x < 5) { o.wait(); }"
            lines.append(f"template <typename T> __device__ void step{at}(T &o) {{")
            lines.append(f"  {last if at + 1 == many else f'step{at + 1}(o);'}\n}}")
        (tmp_path / f"part{part}.cuh").write_text("\n".join(lines) + "\n", encoding="utf-8")
    box = "struct Box { __device__ void wait() { __syncthreads(); } };\n__global__ void k() { Box b; step0(b); }\n"
    (tmp_path / "main.cu").write_text(f'#include "part0.cuh"\n{box}', encoding="utf-8")
    report = scan(tmp_path, Config(jobs=1))
    assert [one.path for one in report.findings if one.rule == "launch/barrier-in-branch"] == ["part9.cuh"]


def test_values_are_followed_through_more_functions_of_a_file_than_the_stack_holds(tmp_path: Path) -> None:
    steps = "".join(
        f"__device__ float mul{at}(float a) {{ float2 c; c.x = mul{at - 1}(a); float b = c.x; return b + 1; }}\n"
        for at in range(1, 40)
    )
    text = (
        f"__device__ float mul0(float a) {{ return a * 2; }}\n{steps}__global__ void k(float *p) {{\n"
        "  float v = mul39(*p);\n  if (v > 0) { __syncthreads(); *p = __shfl_down_sync(0xffffffffu, v, 1); }\n}\n"
    )
    (tmp_path / "k.cu").write_text(text, encoding="utf-8")
    whole = scan(tmp_path, Config(jobs=1, cache=False))
    limit, here = sys.getrecursionlimit(), len(inspect.stack(0))
    sys.setrecursionlimit(here + 250)
    try:
        short = scan(tmp_path, Config(jobs=1, cache=False))
    finally:
        sys.setrecursionlimit(limit)
    assert short.findings == whole.findings
    assert (len(whole.findings) > 1, short.skipped) == (True, ())


def test_graphs_are_let_go_once_all_files_were_judged(tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / f"k{number}.cu").write_text(f"__device__ int f{number}(int v) {{ return v; }}\n")
    _, results = run.read(tmp_path, Config(jobs=1, cache=False))
    assert [one.path for one in results] == ["k0.cu", "k1.cu"]
    assert all(one.graph is None for one in results)
