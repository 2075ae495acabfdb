"""The blocks of launches that are no brackets: of the runtime's functions, and of configurations."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.warp import graph
from cudamigrate.warp.obligations import failures
from cudamigrate.warp.transfer import Evaluator, evaluator_of

KERNEL = "__global__ void k(int *f) { if (threadIdx.%s == 0) { __syncthreads(); f[0] = 1; } f[2] = 1; }\n"
CONSTANTS = "constexpr unsigned lanes = 32;\nconstexpr uint3 shape = {4, 1, 2};\n"
EX = "cudaLaunchKernelEx(&c, k, f);"


def failed(launch: str, axis: str = "y", before: str = "") -> bool:
    text = before + KERNEL % axis + "void run(int *f, dim3 g, int n) { " + launch + " }\n"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    return bool(list(failures(evaluator_of(parsed))))


@pytest.mark.parametrize(
    "launch",
    [
        "k<<<g, dim3(%s, 4)>>>(f);",
        "cudaLaunchKernel((void *)k, g, dim3(%s, 4), nullptr, 0, 0);",
        "cudaLaunchCooperativeKernel(reinterpret_cast<void *>(&k), g, dim3(%s, 4), nullptr, 0, 0);",
        "cudaLaunchConfig_t c = {g, dim3(%s, 4)}; " + EX,
        "cudaLaunchConfig_t c{g, dim3{%s, 4}}; " + EX,
        "dim3 const b{%s, 4}; cudaLaunchConfig_t c = {g, b}; " + EX,
        "cudaLaunchConfig_t c = {0}; c.gridDim = g; c.blockDim = dim3(%s, 4); c.numAttrs = 1; " + EX,
        "dim3 b(%s, 4); cudaLaunchConfig_t c{}; c.blockDim = b; cudaLaunchKernelExC(&c, (void *)k, nullptr);",
    ],
)
def test_a_row_of_whole_waves_is_seen_however_a_kernel_is_launched(launch: str) -> None:
    for width in ("64", "128", "2 * lanes", "lanes * shape.x"):
        assert not failed(launch % width, before=CONSTANTS), width
    for width in ("32", "96", "lanes", "n", "n * 64 + 32", "lanes * shape.y"):
        assert failed(launch % width, before=CONSTANTS), width


@pytest.mark.parametrize(
    "launch",
    [
        "cudaLaunchConfig_t c = {g, dim3(64, 4)}; c.blockDim.x = 32; " + EX,
        "cudaLaunchConfig_t c = {g, dim3(64, 4)}; if (n) c.blockDim = dim3(32, 4); " + EX,
        "cudaLaunchConfig_t c{}; c.blockDim = dim3(64, 4); if (n) c.blockDim = dim3(32, 4); " + EX,
        "dim3 b(64, 4); b.x = 32; cudaLaunchConfig_t c = {g, b}; " + EX,
        "auto c = unseen(g, dim3(64, 4), 0); " + EX,
        "dim3 b(64, 4); fit(&b); cudaLaunchConfig_t c = {g, b}; " + EX,
        "k<<<g, dim3(64, 4)>>>(f); cudaLaunchConfig_t c = {g, dim3(32, 4)}; " + EX,
        "int lanes = n; cudaLaunchConfig_t c = {g, dim3(2 * lanes, 4)}; " + EX,
    ],
)
def test_a_block_that_may_be_another_is_not_taken_for_whole_waves(launch: str) -> None:
    assert failed(launch, before=CONSTANTS)


@pytest.mark.parametrize(("sizes", "parts"), [("4, 1, 2", False), ("1, 1, 8", True), ("1, 2, 4", False)])
def test_planes_are_of_whole_waves_by_constants_of_other_files(tmp_path: Path, sizes: str, parts: bool) -> None:
    (tmp_path / "host.h").write_text("constexpr unsigned lanes = 32;\n__device__ inline int size() { return 1; }\n")
    run = (
        "void run(int *f, dim3 g) { dim3 const b{lanes * shape.x, shape.y, shape.z};\n"
        "cudaLaunchConfig_t c = {g, b}; cudaLaunchKernelEx(&c, k, f); }\n"
    )
    text = '#include "host.h"\nconstexpr uint3 shape = {%s};\n%s%s'
    (tmp_path / "k.cu").write_text(text % (sizes, KERNEL % "z", run))
    rules = [one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings]
    assert ("launch/barrier-in-branch" in rules) == parts


@pytest.mark.parametrize(
    ("body", "sizes", "parts"),
    [
        ("cudaLaunchConfig_t c{grid, block, bytes, 0, nullptr, 0}; return c;", "4 * lanes, 2", False),
        ("cudaLaunchConfig_t c = {}; c.gridDim = grid; c.blockDim = block; return c;", "4 * lanes, 2", False),
        ("cudaLaunchConfig_t c{grid, block, bytes, 0, nullptr, 0}; return c;", "lanes, 2", True),
        ("cudaLaunchConfig_t c{block, grid, bytes, 0, nullptr, 0}; return c;", "4 * lanes, 2", True),
        ("cudaLaunchConfig_t c{grid, block, bytes}; c.blockDim.x /= 4; return c;", "4 * lanes, 2", True),
        ("block.x /= 4; cudaLaunchConfig_t c{grid, block, bytes}; return c;", "4 * lanes, 2", True),
        ("return other(grid, block);", "4 * lanes, 2", True),
    ],
)
def test_a_function_of_another_file_makes_the_configuration(tmp_path: Path, body: str, sizes: str, parts: bool) -> None:
    head = "inline cudaLaunchConfig_t configured(dim3 grid, dim3 block, size_t bytes)"
    (tmp_path / "host.h").write_text(
        f"#include <cuda_runtime.h>\nconstexpr unsigned lanes = 32;\n{head} {{ {body} }}\n"
    )
    run = f"void run(int *f, dim3 g) {{ auto const c = configured(g, dim3({sizes}), 0); {EX} }}\n"
    (tmp_path / "k.cu").write_text('#include "host.h"\n' + KERNEL % "y" + run)
    rules = [one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings]
    assert ("launch/barrier-in-branch" in rules or "launch/conditional-barrier" in rules) == parts


def test_a_reference_to_shared_memory_by_a_cast_is_the_same_for_all() -> None:
    body = "extern __shared__ char raw[]; struct Buf { bool last; }; Buf &buf = reinterpret_cast<Buf &>(%s);"
    tail = "if (threadIdx.x == 32) buf.last = f[0] == 1; __syncthreads(); if (buf.last) __syncthreads();"
    for memory, parts in (("raw", False), ("mine", True)):
        text = f"__global__ void k(int *f) {{ bool mine = false; {body % memory} {tail} f[2] = 1; }}"
        parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
        assert bool(list(failures(evaluator_of(parsed)))) == parts


@pytest.mark.parametrize(
    ("head", "parts"), [("void run(", False), ("void Job::run(", True), ("struct Job { void run(", True)]
)
def test_a_name_in_a_method_may_be_a_member(head: str, parts: bool) -> None:
    known = "constexpr unsigned lanes = 64;\n__device__ inline int size() { return 1; }\n"
    end = "};" if head.startswith("struct") else ""
    run = f"{head}int *f, dim3 g) {{ k<<<g, dim3(lanes, 4)>>>(f); }} {end}\n"
    files = [
        cuda.parse(SourceFile(path, text.encode(), "cuda"), frozenset())
        for path, text in (("a.h", known), ("a.cu", KERNEL % "y" + run))
    ]
    assert bool(list(failures(Evaluator([graph.of(one) for one in files])))) == parts


@pytest.mark.parametrize(
    "launch",
    [
        "k<<<g, n>>>(f);",
        "k<<<g, dim3(n)>>>(f);",
        "dim3 b(n); k<<<g, b>>>(f);",
        "dim3 b(n, 1, 1); k<<<g, b>>>(f);",
        "dim3 b; b = dim3(n); k<<<g, b>>>(f);",
        "dim3 b; b.x = n; k<<<g, b>>>(f);",
        "dim3 b(n, 2); b.y = 1; b = dim3(64); k<<<g, dim3(n)>>>(f);",
        "for (int s = n; s > 1; s /= 2) { dim3 b(s); k<<<g, b>>>(f); } dim3 b(n / 2); k<<<g, b>>>(f);",
        "dim3 const b{static_cast<unsigned>(n)}; cudaLaunchKernel((void *)k, g, b, nullptr, 0, 0);",
        "cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 9); k<<<g, n>>>(f);",
    ],
)
def test_a_block_of_one_dimension_has_one_row_however_long(launch: str) -> None:
    for axis in "yz":
        assert not failed(launch, axis, "__global__ void k(int *f);\n")


@pytest.mark.parametrize(
    "launch",
    [
        "k<<<g, dim3(n, 2)>>>(f);",
        "dim3 b(n); b.y = 2; k<<<g, b>>>(f);",
        "dim3 b; b.y *= n; k<<<g, b>>>(f);",
        "dim3 b; if (n) b = dim3(n, 4); k<<<g, b>>>(f);",
        "dim3 b; fit(n, b); k<<<g, b>>>(f);",
        "dim3 b(n); fit(&b); k<<<g, b>>>(f);",
        "for (int s = n; s > 1; s /= 2) { dim3 b(s, 2); k<<<g, b>>>(f); } dim3 b(n); k<<<g, b>>>(f);",
        "k<<<g, g>>>(f);",
        "k<<<g, n>>>(f); run_it(k, dim3(n, 4));",
        "k<<<g, n>>>(f); auto other = &k; other<<<g, dim3(n, 4)>>>(f);",
    ],
)
def test_a_block_that_may_have_rows_is_none_of_one_dimension(launch: str) -> None:
    assert failed(launch)


def test_a_plane_of_a_block_of_two_dimensions_is_one() -> None:
    assert not failed("dim3 b(n, n); k<<<g, b>>>(f);", "z")
    assert failed("dim3 b(n, n, 2); k<<<g, b>>>(f);", "z")
