"""Constants of the device that host code reads: clang gives the host no value of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import edits, pipeline
from cudamigrate.config import Config
from cudamigrate.model import Finding

TABLE = "__device__ __constant__ const int edges[3] = {2, 3, 5};\n"
KERNEL = "__global__ void k(int *o) { o[0] = edges[threadIdx.x]; }\n"
BY_PASS = "#ifdef __CUDA_ARCH__\n#define SIDE __device__\n#else\n#define SIDE\n#endif\n"
READ = "int host(int i) { return edges[i]; }\n"


def found(root: Path, files: dict[str, str]) -> list[Finding]:
    written(root, files)
    report = pipeline.scan(root, Config(jobs=1))
    return [one for one in report.findings if one.rule == "memory/device-constant-on-host"]


@pytest.mark.parametrize(
    "text",
    [
        TABLE + READ,
        TABLE + "int host() { return edges[0]; }\n",
        TABLE + "int host() { int sum = 0; for (int one : edges) sum += one; return sum; }\n",
        TABLE + "struct A { int v; A(int i) { v = edges[i]; } };\n",
        TABLE + "__host__ __device__ int both(int i) { return edges[i]; }\nint host() { return both(1); }\n",
        TABLE + "constexpr int both(int i) { return edges[i]; }\nint host() { return both(1); }\n",
        "static const __device__ float edges[] = {1.f, -2.f};\nfloat host(int i) { return edges[i]; }\n",
        "static constexpr __constant__ int edges[2] = {1, 2};\nconst int *host() { const int *p = edges; return p; }\n",
        "namespace a { __constant__ const int edges[2] = {1, 2}; }\nint host(int i) { return a::edges[i]; }\n",
        "#define TABLE __constant__ const\nTABLE int edges[2] = {1, 2};\n" + READ,
        "#define SIDE __constant__\nstatic const int SIDE edges[2] = {1, 2};\n" + READ,
        "struct P { int x, y; };\n__constant__ const P edges = {1, 2};\nP host() { P p = edges; return p; }\n",
        TABLE + "static const double half = edges[1] * 0.5;\n",
        TABLE + "namespace a {\nint all[] = {edges[0], edges[2]};\n}\n",
        TABLE + "static const int twice = [] { return 2 * edges[1]; }();\n",
    ],
)
def test_reads_of_the_host(tmp_path: Path, text: str) -> None:
    assert [one.name or one.excerpt for one in found(tmp_path, {"a.cu": text + KERNEL})]


@pytest.mark.parametrize(
    "text",
    [
        TABLE,
        TABLE + "size_t host() { return sizeof(edges) / sizeof(edges[0]); }\n",
        TABLE + "void host(int *p) { cudaMemcpyFromSymbol(p, edges, sizeof(edges)); }\n",
        TABLE + "void host(void **p) { CHECK(cudaGetSymbolAddress(p, edges)); }\n",
        TABLE + "void host() { const void *p = &edges; use(p); }\n",
        TABLE + "int host(const int *edges) { return edges[0]; }\n",
        TABLE + "int host(A a) { return a.edges[0]; }\n",
        TABLE
        + "__host__ __device__ int both(int i) { return edges[i]; }\n__global__ void q(int *o) { o[0] = both(1); }\n",
        TABLE
        + "__host__ __device__ int both(int i) {\n#ifdef __CUDA_ARCH__\n  return edges[i];\n#endif\n  return 0;\n}\n"
        "int host() { return both(1); }\n",
        TABLE + "void host() { auto f = [=] __device__ (int i) { return edges[i]; }; use(f); }\n",
        TABLE + "UNKNOWN int both(int i) { return edges[i]; }\n",
        TABLE + "static const int size = sizeof(edges) / sizeof(edges[0]);\n",
        TABLE + "__device__ const int other[1] = {edges[0]};\n",
        TABLE + "SOME_SIDE const int other = edges[0];\n",
        TABLE + "struct A { int v = edges[0]; };\n",  # where it is made, is not followed
        TABLE + "extern int host(int at = edges[0]);\n",
        "__constant__ int edges[3] = {2, 3, 5};\n" + READ,  # nvcc's host code reads 0
        "__constant__ const int edges = 3;\nint host() { return edges; }\n",
        "static constexpr __constant__ int edges[2] = {1, 2};\n" + READ,
        "const int edges[2] = {1, 2};\n" + READ,
        f"#ifdef __CUDA_ARCH__\n{TABLE}#else\nconst int edges[3] = {{2, 3, 5}};\n#endif\n" + READ,
        BY_PASS + "SIDE const int edges[2] = {1, 2};\n" + READ,
    ],
)
def test_neighbours_that_clang_has_the_value_of(tmp_path: Path, text: str) -> None:
    assert not found(tmp_path, {"a.cu": text + "__global__ void k(int *o) { o[0] = 1; }\n"})


def test_a_header_that_a_gpu_source_and_one_for_the_host_read(tmp_path: Path) -> None:
    files = {
        "table.h": "#pragma once\n#include <cuda_runtime.h>\n" + TABLE,
        "mesh.h": '#pragma once\n#include "table.h"\ninline ' + READ,
        "a.cu": '#include "mesh.h"\n' + KERNEL,
    }
    assert [(one.path, "mesh.h:3" in one.message) for one in found(tmp_path, files)] == [("table.h", True)]


def test_a_qualifier_of_another_file(tmp_path: Path) -> None:
    table = '#include "sides.h"\nCONSTANT const int edges[2] = {1, 2};\n'
    files = {"sides.h": "#pragma once\n#define CONSTANT __constant__\n", "a.cu": table + READ + KERNEL}
    assert [one.fix for one in found(tmp_path, files)] == [None]


def test_a_header_that_only_the_hosts_compiler_reads_code_of(tmp_path: Path) -> None:
    files = {
        "table.h": "#pragma once\n#include <cuda_runtime.h>\n" + TABLE,
        "a.cpp": '#include "table.h"\n' + READ,
        "a.cu": '#include "table.h"\n' + KERNEL,
    }
    assert not found(tmp_path, files)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (TABLE + READ, "const int edges[3] = {2, 3, 5};\n"),
        ("static const __constant__ int edges[] = {1, 2};\n" + READ, "static const int edges[] = {1, 2};\n"),
    ],
)
def test_an_array_of_numbers_is_declared_for_both_sides(tmp_path: Path, text: str, after: str) -> None:
    fix = found(tmp_path, {"a.cu": text + KERNEL})[0].fix
    assert fix is not None
    assert edits.apply(text.encode(), [fix]).data.decode() == after + READ


@pytest.mark.parametrize(
    "text",
    [
        TABLE + READ + "void ask(void **p) { cudaGetSymbolAddress(p, edges); }\n",
        TABLE + READ + 'void ask(CUdeviceptr *p, CUmodule m) { cuModuleGetGlobal(p, 0, m, "edges"); }\n',
        "struct P { int x; P(int v) : x(v) {} };\n__constant__ const P edges[2] = {1, 2};\n" + READ,
        "struct P { int x; ~P(); };\n__constant__ const P edges[2] = {{1}, {2}};\n" + READ,
        "struct P : Q { int x; };\n__constant__ const P edges[2] = {{1}, {2}};\n" + READ,
        "struct P { Q x; };\n__constant__ const P edges[2] = {{1}, {2}};\n" + READ,
        "struct P { int *x; };\n__constant__ const P edges[2] = {{0}, {0}};\n" + READ,
        "__constant__ const P edges[2] = {{1}, {2}};\n" + READ,  # which nothing here defines
    ],
)
def test_what_a_symbol_is_asked_of_is_left(tmp_path: Path, text: str) -> None:
    assert [one.fix for one in found(tmp_path, {"a.cu": text + KERNEL})] == [None]


@pytest.mark.parametrize(
    "members",
    ["int x, y;", "unsigned int x; float y[2];  // both", "std::uint32_t x; size_t y;"],
)
@pytest.mark.parametrize("array", ["edges", "edges[2]"])
def test_structures_of_numbers_are_declared_for_both_sides(tmp_path: Path, members: str, array: str) -> None:
    table = f"struct P {{ {members}\n}};\n%sconst P {array} = {{{{1, 2}}, {{3, 4}}}};\n"
    read = "P host() { P p = edges; return p; }\n" if array == "edges" else "P host(int i) { return edges[i]; }\n"
    text = table % "__constant__ " + read
    fix = found(tmp_path, {"a.cu": text + KERNEL})[0].fix
    assert fix is not None
    assert edits.apply(text.encode(), [fix]).data.decode() == table % "" + read
