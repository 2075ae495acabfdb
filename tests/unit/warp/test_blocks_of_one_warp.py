"""Blocks of no more threads than a warp: what warps tell apart is the same in each of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.warp.obligations import failures
from cudamigrate.warp.transfer import evaluator_of

WARP = "int i = blockIdx.x * blockDim.x + threadIdx.x; int warp = i >> 5;"
KERNEL = f"__global__ void k(volatile int *f, int n) {{ {WARP} if (%s) {{ __syncthreads(); f[1] = n; }} f[2] = n; }}\n"


def failed(launch: str, condition: str = "warp > 0", before: str = "") -> bool:
    text = before + KERNEL % condition + "void run(int *f, dim3 g, int n) { " + launch + " }\n"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    return bool(list(failures(evaluator_of(parsed))))


ONE = [
    "k<<<g, 32>>>(f, n);",
    "k<<<g, 16>>>(f, n);",
    "k<<<g, dim3(8, 4)>>>(f, n);",
    "int b = 32; k<<<g, b>>>(f, n);",
    "int b = SIZE; dim3 block(b); k<<<g, block>>>(f, n);",
    "const int a = SIZE / 2, b = a; dim3 block(b, 2); k<<<g, block>>>(f, n);",
    "k<<<g, 32>>>(f, n); k<<<g, 16>>>(f, n);",
]
MORE = [
    "k<<<g, 64>>>(f, n);",
    "k<<<g, dim3(32, 2)>>>(f, n);",
    "k<<<g, n>>>(f, n);",
    "int b = 32; b *= 2; k<<<g, b>>>(f, n);",
    "int b = 32; grow(&b); k<<<g, b>>>(f, n);",
    "int b = n; dim3 block(b); k<<<g, block>>>(f, n);",
    "k<<<g, 32>>>(f, n); k<<<g, 128>>>(f, n);",
    "",
]


@pytest.mark.parametrize("launch", ONE)
def test_a_block_of_one_warp_answers_alike_by_warp(launch: str) -> None:
    assert not failed(launch, before="static const int SIZE = 32;\n")


@pytest.mark.parametrize("launch", MORE)
def test_a_larger_block_or_one_that_is_not_seen_does_not(launch: str) -> None:
    assert failed(launch, before="static const int SIZE = 32;\n")


@pytest.mark.parametrize("condition", ["threadIdx.x & 1", "threadIdx.x < 16", "warp > 0 && threadIdx.z == 0"])
def test_lanes_and_planes_of_a_small_block_still_answer_for_themselves(condition: str) -> None:
    assert failed("k<<<g, 32>>>(f, n);", condition)


@pytest.mark.parametrize(("size", "found"), [("32", 0), ("64", 1)])
def test_another_file_launches_by_a_constant_of_the_header_that_declares_the_kernel(
    tmp_path: Path, size: str, found: int
) -> None:
    (tmp_path / "k.h").write_text(f"static const int SIZE = {size};\n__global__ void k(volatile int *f, int n);\n")
    (tmp_path / "k.cu").write_text('#include "k.h"\n' + KERNEL % "warp > 0")
    launch = "void run(int *f, int n) { int b = SIZE; dim3 block(b); k<<<n, block>>>(f, n); }\n"
    (tmp_path / "run.cu").write_text('#include "k.h"\n' + launch)
    rules = [one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings]
    assert rules.count("launch/barrier-in-branch") == found
