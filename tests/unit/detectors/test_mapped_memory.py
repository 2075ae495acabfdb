"""Memory of the host that is mapped for kernels: reported where one gets it, not for the flag alone."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "#include <cuda_runtime.h>\n__global__ void k(int *p) { p[threadIdx.x] += 1; }\n__global__ void w(int *, int);\n"
ALLOC = "cudaHostAlloc(&h, 64, cudaHostAllocMapped);"


def certainties(source: str) -> list[str]:
    found = find_in_text(HEAD + source, "a.cu").findings
    return [one.certainty for one in found if one.rule == "memory/mapped-host-memory"]


REACHED = [
    f"void f() {{ int *h, *d; {ALLOC} cudaHostGetDevicePointer(&d, h, 0); k<<<1, 8>>>(d); }}",
    f"void f() {{ int *h; {ALLOC} k<<<1, 8>>>(h); }}",
    f"void f() {{ int *h; {ALLOC} int *q = (int *)h + 4; k<<<1, 8>>>(q); }}",
    f"void g(int *x) {{ k<<<1, 8>>>(x); }}\nvoid f() {{ int *h; {ALLOC} g(h); }}",
    "void f(int *h) { cudaHostRegister(h, 64, cudaHostRegisterMapped); k<<<1, 8>>>(h); }",
    "struct S { int *m; };\nvoid f(S &s) { cudaHostAlloc(&s.m, 64, cudaHostAllocMapped); }\n"
    "void g(S *s) { k<<<1, 8>>>(s->m); }",
    "struct S { int *m; };\n__global__ void v(S s) { s.m[0] = 1; }\n"
    "void f() { S s; cudaHostAlloc(&s.m, 64, cudaHostAllocMapped); v<<<1, 8>>>(s); }",
    "void f() { int *h[2]; for (int i = 0; i < 2; ++i) cudaHostAlloc((void **)&h[i], 64, cudaHostAllocMapped);\n"
    "k<<<1, 8>>>(h[1]); }",
    "void f() { void *h; CUdeviceptr d; cuMemHostAlloc(&h, 64, CU_MEMHOSTALLOC_DEVICEMAP);\n"
    "cuMemHostGetDevicePointer(&d, h, 0); }",
]


@pytest.mark.parametrize("source", REACHED)
def test_a_kernel_gets_the_memory(source: str) -> None:
    assert certainties(source) == ["syntax"]


COPIED = [
    f"void f(int *d) {{ int *h; {ALLOC} h[0] = 3; cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice); cudaFreeHost(h); }}",
    f"void f(int *d) {{ int *h; {ALLOC} if (!h) return; cudaMemcpyAsync(h + 4, d, 64, cudaMemcpyDeviceToHost); }}",
    f"void f(int *d) {{ int *h; {ALLOC} int *q = h; memcpy(q, d, 64); cudaMemcpy(d, q, 64, cudaMemcpyHostToDevice);\n"
    "k<<<1, 8>>>(d); }",
    "void put(int *x, int *d) { cudaMemcpy(d, x, 64, cudaMemcpyHostToDevice); k<<<1, 8>>>(d); }\n"
    f"void f(int *d) {{ int *h; {ALLOC} put(h, d); }}",
    f"void f(int *d) {{ int *h; {ALLOC} w<<<1, 8>>>(d, h[0]); int n = *h; w<<<1, 8>>>(d, n); }}",
    "struct S { int *m, *d; };\nvoid f(S &s) { s.m = (int *)malloc(64);\n"
    "cudaHostRegister(s.m, 64, cudaHostRegisterMapped);\ncudaMemcpy(s.d, s.m, 64, cudaMemcpyHostToDevice);\n"
    "k<<<1, 8>>>(s.d); }",
]


@pytest.mark.parametrize("source", COPIED)
def test_memory_that_is_only_copied_is_right_as_it_is(source: str) -> None:
    assert certainties(source) == []


UNSEEN = [
    "void make(int **h) { cudaHostAlloc(h, 64, cudaHostAllocMapped); }",
    f"void other(int *);\nvoid f() {{ int *h; {ALLOC} other(h); }}",
    f"int *f() {{ int *h; {ALLOC} return h; }}",
    "const unsigned flags = cudaHostAllocMapped;",
]


@pytest.mark.parametrize("source", UNSEEN)
def test_what_leaves_the_file_is_likely_only(source: str) -> None:
    assert certainties(source) == ["token"]


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        (f"void f() {{ int *h; {ALLOC} k<<<1, 8>>>(h); }}", True),
        ("void f(int **h) { cudaHostAlloc(h, 64, cudaHostAllocMapped); }", False),
    ],
)
def test_what_is_not_seen_is_not_said_of_a_kernel(source: str, seen: bool) -> None:
    found = find_in_text(HEAD + source, "a.cu").findings
    said = [one.message for one in found if one.rule == "memory/mapped-host-memory"]
    assert ["each access of a kernel" in one for one in said] == [seen]
    assert ["if a kernel gets it" in one for one in said] == [not seen]
