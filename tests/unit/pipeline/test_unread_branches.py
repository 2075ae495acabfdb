"""What is slower on AMD, or does not compile for it, is not said of code that AMD does not compile."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

ADD = "    atomicAdd(p, v);\n"
LOOP = (
    "    unsigned long long *at = (unsigned long long *)p, old = *at, seen;\n    do {\n        seen = old;\n"
    "        old = atomicCAS(at, seen, __double_as_longlong(v + __longlong_as_double(seen)));\n"
    "    } while (seen != old);\n"
)


@pytest.mark.parametrize(
    ("body", "reported"),
    [
        (f"#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600\n{ADD}#else\n{LOOP}#endif\n", False),
        (f"#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600\n{LOOP}#else\n{ADD}#endif\n", True),
        (f"#if __CUDA_ARCH__ >= 600 && WIDE\n{ADD}#endif\n{ADD}", True),
        (ADD, True),
    ],
)
def test_slow_atomics_in_a_branch(tmp_path: Path, body: str, reported: bool) -> None:
    written(tmp_path, {"a.cu": f"#include <cuda_runtime.h>\n__device__ void add(double *p, double v) {{\n{body}}}\n"})
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert any(one.rule == "memory/float-atomic" for one in found) is reported


NEW = '    asm("bar.arrive 1, 2;");\n'
OLD = "    __syncthreads();\n"


@pytest.mark.parametrize(
    ("body", "reported"),
    [
        (f"#if __CUDA_ARCH__ >= 700\n{NEW}#else\n{OLD}#endif\n", False),
        (f"#if __CUDA_ARCH__ < 700\n{OLD}#else\n{NEW}#endif\n", False),
        (f"#if __CUDA_ARCH__ >= 800\n{NEW}#elif __CUDA_ARCH__ >= 700\n{NEW}#else\n{OLD}#endif\n", False),
        (f"#if __CUDA_ARCH__ >= 800\n{NEW}#elif WIDE\n{NEW}#else\n{OLD}#endif\n", True),
        (f"#if __CUDA_ARCH__ >= 700\n{NEW}#endif\n", True),  # nobody does it
        (f"#if __CUDA_ARCH__ >= 700\n{NEW}#else\n__trap();\n#endif\n", True),
        (f"#if __CUDA_ARCH__ >= 700\n{OLD}#else\n{NEW}#endif\n", True),
        (f"#if __CUDA_ARCH__ >= 700 || WIDE\n{NEW}#else\n{OLD}#endif\n", True),
        (f"#if __CUDA_ARCH__ >= 700\n    a[1] = 1;\n#else\n{OLD}#endif\n{NEW}", True),
    ],
)
def test_what_does_not_compile_in_a_branch(tmp_path: Path, body: str, reported: bool) -> None:
    written(tmp_path, {"a.cu": f"#include <cuda_runtime.h>\n__global__ void k(int *a) {{\n{body}}}\n"})
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert any(one.group == "ptx" for one in found) is reported


FUNNEL = '    asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(n));\n'
SHIFTS = "    n = n < 32 ? n : 32;\n    r = (b << n) | (a >> 32 - n);\n"


@pytest.mark.parametrize(("number", "new", "reported"), [(320, FUNNEL, False), (320, "    r = fast(a, b, n);\n", True)])
def test_what_an_opened_test_leaves_out_has_nothing_left_to_do(
    tmp_path: Path, number: int, new: str, reported: bool
) -> None:
    body = f"  unsigned r;\n#if __CUDA_ARCH__ >= {number}\n{new}#else\n{SHIFTS}#endif\n  return r;\n"
    head = "#include <cuda_runtime.h>\n__device__ unsigned left(unsigned a, unsigned b, unsigned n) {\n"
    written(tmp_path, {"a.cu": f"{head}{body}}}\n"})
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert any(one.rule == "warp/wide-shift" for one in found) is reported


_ADD = "__device__ double atomicAdd(double *p, double v) {\n    return v;\n}\n"


@pytest.mark.parametrize(
    ("more", "reported"), [("", False), ("__device__ double other(double v) { return v; }\n", True)]
)
def test_a_branch_for_old_gpus_that_a_fix_leaves_out_is_not_reported(tmp_path: Path, more: str, reported: bool) -> None:
    written(tmp_path, {"a.cu": f"#include <cuda_runtime.h>\n#if __CUDA_ARCH__ < 600\n{_ADD}{more}#endif\n"})
    found = {one.rule: one.fix for one in pipeline.scan(tmp_path, Config(jobs=1, cache=False)).findings}
    assert found.get("memory/own-atomic") is not None and ("build/oldest-branch" in found) is reported


BY_NAME = (
    "#include <cuda_runtime.h>\n__constant__ float t;\nvoid f(const float *x) {{\n#if {}\n"
    '  cudaMemcpyToSymbol(t, x, 4);\n#else\n  cudaMemcpyToSymbol("t", x, 4);\n#endif\n}}\n'
)


@pytest.mark.parametrize(
    ("condition", "reported"),
    [("CUDART_VERSION >= 5000", False), ("CUDART_VERSION >= 5000 && OURS", True), ("OURS", True)],
)
def test_what_a_converted_test_of_a_release_leaves_out(tmp_path: Path, condition: str, reported: bool) -> None:
    written(tmp_path, {"a.cu": BY_NAME.format(condition)})
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert any(one.rule == "memory/symbol-by-name" for one in found) is reported
