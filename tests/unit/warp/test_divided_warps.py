"""Lanes of both branches of a condition that parts a warp meet at functions across lanes, and on AMD they do not."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.warp.obligations import failures
from cudamigrate.warp.transfer import evaluator_of

ALL = "0xffffffffu"


def met(body: str, before: str = "") -> int:
    head = "__global__ void k(int *a, int n) {\n__shared__ int s[64];\nint lane = threadIdx.x & 31;\n"
    text = f"{before}\n{head}{body}\n}}\n"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    return sum(one.kind == "divided" for one in failures(evaluator_of(parsed)))


HANDED = "if (lane < 8) {{\n s[lane] = n;\n {0}\n }} else {{\n {1}\n a[lane] = {2};\n }}"
HELPER = "__device__ int of(int value, int from) { return __shfl_sync(0xffffffff, value, from); }"


@pytest.mark.parametrize(
    ("body", "before"),
    [
        (HANDED.format("__syncwarp();", "__syncwarp();", "s[0]"), ""),
        (HANDED.format(f"__syncwarp({ALL});", "__syncwarp();", "s[lane - 8]"), ""),
        (HANDED.format("meet();", "meet();", "s[0]"), "__device__ void meet() { s[0] = 1; __syncwarp(); }"),
        ("if (lane % 2 == 0) a[0] = of(n, 1); else a[1] = of(n, 0);", HELPER),
        (f"unsigned v; if (lane == 3) v = __ballot_sync({ALL}, n); else v = __ballot_sync({ALL}, 1); a[0] = v;", ""),
    ],
)
def test_lanes_of_both_branches_meet(body: str, before: str) -> None:
    assert met(body, before) == 1


@pytest.mark.parametrize(
    ("body", "before"),
    [
        (HANDED.format("__syncwarp(0xff);", "__syncwarp(0xffffff00);", "s[0]"), ""),
        (HANDED.format("__syncwarp();", "__syncwarp();", "n"), ""),
        (HANDED.format("__syncwarp();", "", "s[0]"), ""),
        ("if (threadIdx.x / 32 == 0) a[0] = of(n, 1); else a[1] = of(n, 0);", HELPER),
        ("if (n == 0) a[0] = of(n, 1); else a[1] = of(n, 0);", HELPER),
        ("if (lane == 0) a[0] = of(n, 1); else a[1] = n;", HELPER),
        (
            f"unsigned m = __activemask(); if (lane == 3) a[0] = __any_sync(m, n); else a[1] = __all_sync({ALL}, n);",
            "",
        ),
    ],
)
def test_lanes_that_need_none_of_the_other_branch(body: str, before: str) -> None:
    assert met(body, before) == 0
