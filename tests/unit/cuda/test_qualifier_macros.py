"""Macros that stand for `__device__` and `__global__`, of a file and of headers."""

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.cuda import opened_namespaces
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

SCAN = """#include "defs.h"
__device__ inline float scan(float v, int lane) {
    float u = __shfl_up_sync(~0u, v, 1, 32);
    return lane >= 1 ? v + u : v;
}
"""
USER = '#include "scan.cuh"\nkernel_fn void k(float *a) { int lane = TIDX & (warpSize - 1); *a = scan(*a, lane); }\n'


@pytest.mark.parametrize(
    ("define", "head", "scope"),
    [
        ("#define DEV_FN __device__ inline", "DEV_FN int f(int a)", "device"),
        ("#define kernel_fn __global__", "template <class T>\nkernel_fn void f(T a)", "device"),
        ("#define HD __host__ __device__", "static HD int f(int a)", "host"),
        ("#define device __device__", "int f(int device)", "host"),
        ("#define DEV_FN inline", "DEV_FN int f(int a)", "host"),
        ("#define DEV_FN(x) __device__ x", "DEV_FN int f(int a)", "host"),
        ("#define MAKE __device__ int g() { return 1; }", "MAKE int f(int a)", "host"),
        ("// #define DEV_FN __device__", "DEV_FN int f(int a)", "host"),
    ],
)
def test_a_header_s_macro_says_where_a_function_runs(define: str, head: str, scope: str) -> None:
    marks = [opened_namespaces.MARK + one for one in opened_namespaces.declared(f"{define}\n".encode())]
    parsed = cuda.parse(SourceFile("a.cu", f"{head} {{ return 1; }}\n".encode(), "cuda"), frozenset(), marks)
    assert [one.scope for one in parsed.functions] == [scope]


@pytest.mark.parametrize(("defined", "rules"), [("__global__", {"warp/unproved-size"}), ("static", set())])
def test_a_lane_counted_in_such_a_kernel_is_of_32(tmp_path: Path, defined: str, rules: set[str]) -> None:
    defs = f"#pragma once\n#define kernel_fn {defined}\n#define TIDX threadIdx.x\n"
    tree = written(tmp_path, {"defs.h": defs, "scan.cuh": SCAN, "k.cu": USER})
    report = pipeline.scan(tree, Config(jobs=1, cache=False))
    assert {one.rule for one in report.findings if one.path == "k.cu" and one.rule.startswith("warp/")} == rules
