"""Requests for shared memory whose amount is made of macros of headers and parameters of templates."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import reported

CODE = """\
#include "sizes.h"
template <typename T>
__global__ void k(T *x) { extern __shared__ int tile[]; x[0] = tile[0]; }
template <typename T>
void run(T *x) {
    int bytes = DEPTH * THREADS * sizeof(int) + DEPTH * THREADS * sizeof(T);
    cudaFuncSetAttribute(k<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    k<T><<<1, THREADS, bytes>>>(x);
}
template void run<float>(float *x);
"""
SIZES = "#define WARP 32\n#define THREADS (4 * WARP)\n#define DEPTH 8\n"


def requests(folder: Path, code: str, sizes: str = SIZES, name: str = "a.cu") -> int:
    findings = reported(folder, {name: code, "sizes.h": sizes}).findings
    return sum(one.rule == "memory/shared-memory-request" for one in findings)


def test_a_request_that_is_small_for_each_type_is_no_finding(tmp_path: Path) -> None:
    assert requests(tmp_path, CODE + "template void run<double>(double *x);\n") == 0


@pytest.mark.parametrize(
    ("code", "sizes"),
    [
        (CODE, SIZES.replace("8", "128")),  # more than a block has
        (CODE, f"#ifndef DEPTH\n{SIZES}#endif\n"),  # the build may say another number
        (CODE, SIZES.replace("#define DEPTH 8", "extern int DEPTH;")),
        (CODE + "template void run<Wide>(Wide *x);\n", SIZES),
        (CODE + "void other(double2 *x) { run(x); }\n", SIZES),
        (CODE.replace("template void run<float>(float *x);", ""), SIZES),
    ],
)
def test_one_that_may_be_more_stays(tmp_path: Path, code: str, sizes: str) -> None:
    assert requests(tmp_path, code, sizes) == 1


def test_a_header_may_be_instantiated_elsewhere(tmp_path: Path) -> None:
    assert requests(tmp_path, CODE, name="a.cuh") == 1


def test_a_source_that_another_one_includes_may_be_instantiated_there(tmp_path: Path) -> None:
    other = '#include "a.cu"\nvoid other(double2 *x) { run(x); }\n'
    findings = reported(tmp_path, {"a.cu": CODE, "sizes.h": SIZES, "b.cu": other}).findings
    assert any(one.rule == "memory/shared-memory-request" for one in findings)
