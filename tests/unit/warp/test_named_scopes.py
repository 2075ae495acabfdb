"""The namespace that a call names decides which function of a name it reaches; a kernel's objects lead to memory."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.warp.obligations import failures
from cudamigrate.warp.transfer import evaluator_of

SCANS = """
namespace lib { namespace warp { template <class T> __device__ T scan(T v, int n) { return v + n; } }
namespace block { template <class T> __device__ T scan(T v, int n) { __syncthreads(); return v; } } }
namespace w = lib::block;
struct block_of { static __device__ int scan(int v, int n) { __syncthreads(); return v; } };
template <int W = 32> struct wide { static __device__ int scan(int v, int n) { return v + n; } };
template <int N> struct group { static __device__ int scan(int v, int n) { __syncthreads(); return v; } };
template <int N> using parts = group<N>;
"""


def failed(text: str) -> bool:
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    return bool(list(failures(evaluator_of(parsed))))


@pytest.mark.parametrize(
    ("call", "waits"),
    [
        ("lib::warp::scan<int>(f[0], 1)", False),
        ("warp::scan(f[0], 1)", False),
        ("lib::block::scan(f[0], 1)", True),
        ("w::scan(f[0], 1)", True),
        ("scan(f[0], 1)", True),
        ("block_of::scan(f[0], 1)", True),
        ("wide<>::scan(f[0], 1)", False),
        ("wide<64>::scan(f[0], 1)", False),
        ("group<64>::scan(f[0], 1)", True),
        ("parts<64>::scan(f[0], 1)", True),
    ],
)
def test_a_namespace_tells_functions_of_a_name_apart(call: str, waits: bool) -> None:
    kernel = "__global__ void k(int *f) { using namespace lib; if (threadIdx.x < 32) f[1] = %s; __syncthreads(); }"
    assert failed(SCANS + kernel % call) is waits


SUMS = """
template <int N> struct Serial { template <class T> static __device__ T run(T *p) { return p[0]; } };
template <int N> struct Whole { template <class T> static __device__ T run(T *p) { __syncthreads(); return p[0]; } };
template <int N> struct Based : Whole<N> {};
"""


@pytest.mark.parametrize(
    ("call", "waits"),
    [("Serial<4>::run(f)", False), ("Whole<4>::run(f)", True), ("Based<4>::run(f)", True), ("Other<4>::run(f)", True)],
)
def test_a_class_template_tells_its_members_from_those_of_others(call: str, waits: bool) -> None:
    assert (
        failed(SUMS + f"__global__ void k(int *f) {{ if (threadIdx.x < 32) f[1] = {call}; __syncthreads(); }}") is waits
    )


@pytest.mark.parametrize(
    ("parameter", "before", "parts"),
    [
        ("View<int> a", "int m = a.size(0);", False),
        ("View<int> a", "a.rows = threadIdx.x; int m = a.rows;", True),
        ("int *f", "int a[4]; int m = a[0];", True),
    ],
)
def test_elements_written_through_a_parameter_of_a_kernel_are_no_part_of_it(
    parameter: str, before: str, parts: bool
) -> None:
    loop = "for (int b = 0; b < m; ++b) { __syncthreads(); a[b] = threadIdx.x; } __syncthreads(); a[1] = a[0];"
    assert failed(f"__global__ void k({parameter}) {{ {before} {loop} }}") is parts
