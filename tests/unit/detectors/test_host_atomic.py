"""Atomic operations that PCIe lacks, on memory that the file is seen to allocate on the host."""

from __future__ import annotations

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "#include <cuda_runtime.h>\n"
LOW = "__global__ void low(int *p) { atomicMin(&p[threadIdx.x], 1); }\n"


def lost(source: str, *arch: str) -> list[str]:
    config = Config(arch=arch) if arch else None
    found = find_in_text(HEAD + source, "a.cu", config).findings
    return [one.message for one in found if one.rule == "memory/host-atomic"]


REACHED = [
    LOW + "void run() { int *m; cudaMallocManaged(&m, 64); low<<<1, 16>>>(m); }",
    LOW + "void run() { int *m; CHK(cudaMallocManaged((void **)&m, 64)); low<<<1, 16>>>(m + 3); }",
    LOW + "void run() { int *h, *d; cudaHostGetDevicePointer((void **)&d, h, 0); low<<<1, 16>>>(d); }",
    LOW + "void run() { int *m; cudaHostAlloc(&m, 64, cudaHostAllocMapped); int *q = m; low<<<1, 16>>>(q); }",
    LOW + "void run(int *m) { cudaHostRegister(m, 64, cudaHostRegisterMapped); low<<<1, 16>>>(m); }",
    LOW + "void go(int *x) { low<<<1, 16>>>(x); }\nvoid run() { int *m; cudaMallocHost(&m, 64); go(m); }",
    LOW + "int *get(int n) { int *m; cudaMallocManaged(&m, n); return m; }\nvoid run() { low<<<1, 9>>>(get(64)); }",
    LOW + "void get(int **m) { cudaMallocManaged(m, 64); }\nvoid run() { int *p; get(&p); low<<<1, 9>>>(p); }",
    LOW + "struct S { int *m; void make() { cudaMallocManaged(&m, 64); } void run() { low<<<1, 9>>>(m); } };",
    LOW + "void run(bool b) { int *m; if (b) cudaMallocManaged(&m, 64); else cudaMalloc(&m, 64); low<<<1, 9>>>(m); }",
    LOW + "void run() { int *m; cudaMalloc(&m, 4); cudaFree(m); cudaMallocManaged(&m, 64); low<<<1, 9>>>(m); }",
    "__device__ __managed__ int best;\n__global__ void k(int v) { atomicMin(&best, v); }",
    "__device__ void f(float *a, float v) { atomicMin((int *)a, __float_as_int(v)); }\n"
    "template <int N> __global__ void k(float *p) { f(&p[N], 1.f); }\n"
    "void run() { float *p; cudaMallocManaged(&p, 64); k<4><<<1, 9>>>(p); }",
    "struct G { int *m; };\n__global__ void k(G *g) { atomicMin(&g->m[3], 1); }\n"
    "void run(G *g) { cudaMallocManaged(&g->m, 64); k<<<1, 9>>>(g); }",
]
"""Each has one `atomicMin` on managed, pinned or registered memory."""


@pytest.mark.parametrize("source", REACHED)
def test_lost_on_memory_of_the_host(source: str) -> None:
    assert len(lost(source)) == 1


@pytest.mark.parametrize("name", ["Max", "And", "Or", "Xor", "Inc", "Dec", "Min_block"])
def test_each_operation_that_pcie_lacks(name: str) -> None:
    source = f"__global__ void k(unsigned *p) {{ atomic{name}(p, 1u); }}\n"
    assert len(lost(source + "void run() { unsigned *m; cudaMallocManaged(&m, 64); k<<<1, 9>>>(m); }")) == 1


@pytest.mark.parametrize("call", ["Add(p, 1)", "Sub(p, 1)", "Exch(p, 1)", "CAS(p, 0, 1)"])
def test_operations_of_pcie_work(call: str) -> None:
    source = f"__global__ void k(int *p) {{ atomic{call}; }}\n"
    assert not lost(source + "void run() { int *m; cudaMallocManaged(&m, 64); k<<<1, 9>>>(m); }")


ELSEWHERE = [
    LOW + "void run() { int *m, *d; cudaMallocManaged(&m, 64); cudaMalloc(&d, 64); low<<<1, 16>>>(d); }",
    LOW + "void other() { int *m; cudaMallocManaged(&m, 64); }\n"
    "void run() { int *m; cudaMalloc(&m, 64); low<<<1, 16>>>(m); }",
    LOW + "void run() { int *m; cudaMalloc(&m, 4); low<<<1, 9>>>(m); cudaFree(m); cudaMallocManaged(&m, 64); }",
    LOW + "void run() { int *m; cudaMallocManaged(&m, 64); cudaFree(m); cudaMalloc(&m, 4); low<<<1, 9>>>(m); }",
    LOW + "void run() { int *m; hipHostMalloc(&m, 64, hipHostMallocNonCoherent); low<<<1, 16>>>(m); }",
    LOW + "void run() { int *m; cudaMallocManaged(&m, 64); cudaMemAdvise(m, 64, hipMemAdviseSetCoarseGrain, 0);"
    " low<<<1, 16>>>(m); }",
    "__global__ void k(int *p) { __shared__ int best; atomicMin(&best, p[0]); }\n"
    "void run() { int *m; cudaMallocManaged(&m, 64); k<<<1, 9>>>(m); }",
    "__managed__ int best;\n__global__ void k(int v) { __shared__ int best; atomicMin(&best, v); }",
    "__device__ float atomicMin(float *a, float v);\n__global__ void k(float *p) { atomicMin(p, 1.f); }\n"
    "void run() { float *m; cudaMallocManaged(&m, 64); k<<<1, 9>>>(m); }",
]
"""The same operations on memory of the GPU or its caches, or by HIP's loop of compare and swap."""


@pytest.mark.parametrize("source", ELSEWHERE)
def test_other_memory_is_left_alone(source: str) -> None:
    assert not lost(source)


def test_only_gpus_that_lose_them_are_named() -> None:
    assert not lost(REACHED[0], "gfx942", "gfx950", "gfx1201")
    assert len(lost(REACHED[0], "gfx942", "gfx1100")) == 1
    found = find_in_text(HEAD + REACHED[0], "a.cu", Config(arch=("gfx942", "gfx90a"))).findings
    message = next(one.message for one in found if one.rule == "memory/host-atomic")
    assert "on gfx90a where memory of `cudaMallocManaged` (line 3)" in message


def test_a_name_of_a_member_alone_is_less_certain() -> None:
    found = find_in_text(HEAD + REACHED[-1], "a.cu").findings
    assert [one.certainty for one in found if one.rule == "memory/host-atomic"] == ["token"]
    found = find_in_text(HEAD + REACHED[0], "a.cu").findings
    assert [one.certainty for one in found if one.rule == "memory/host-atomic"] != ["token"]
