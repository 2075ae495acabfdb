"""Functions of our headers for CUDA's arithmetic, and what hipBLAS is given for precision."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text


def after(text: str, path: str = "a.cu") -> str:
    return find_in_text(text, path).after


@pytest.mark.parametrize(
    ("before", "written"),
    [
        ("return __vadd4(a, __vmaxs2(a, b));", "return cudamigrate::vadd4(a, cudamigrate::vmaxs2(a, b));"),
        ("return __int2bfloat16_rn(a);", "return cudamigrate::int2bfloat16_rn<__hip_bfloat16>(a);"),
        ("return __bfloat162int_rz(a);", "return cudamigrate::bfloat162int_rz(a);"),
        ("return umin(a, b);", "return cudamigrate::umin(a, b);"),
        ("return __sin2pif(a + b);", "return sinpif(2 * (a + b));"),
        ("int umin = a; return umin;", "int umin = a; return umin;"),
        ("return apply(__vadd4, a);", "return apply(__vadd4, a);"),
        ("return pool.umin(a, b);", "return pool.umin(a, b);"),
    ],
)
def test_a_call_takes_the_function_of_our_header(before: str, written: str) -> None:
    text = "#include <hip/hip_runtime.h>\n__device__ int f(int a, int b) {{ {} }}"
    assert written in after(text.format(before))


def test_a_variable_of_a_functions_name_is_none() -> None:
    text = "__device__ double f(double x) { double umax = x; return umax; }"
    assert "api/integer-min-max" not in [one.rule for one in find_in_text(text).findings]


@pytest.mark.parametrize(
    ("text", "path", "changed"),
    [
        ("__device__ __half2 f(__half2 a) { return __hmax2(a, a); }", "a.cu", True),
        ("__device__ T f(T a) { return __hmax2(a, a); }", "a.cu", True),
        ("__device__ __hip_bfloat162 f(__hip_bfloat162 a) { return __hmax2(a, a); }", "a.cu", False),
        ("__device__ B f(B a) { return __hmax2(__halves2bfloat162(a, a), a); }", "a.cu", False),
        ("__device__ B f(B a) { return __hmax2(use_half2(a), __hip_bfloat162(a)); }", "a.cu", True),
        ("__device__ __half2 f(__half2 a) { return __hmax2(a, a); }", "csrc/rocm/a.cu", True),
    ],
)
def test_the_larger_of_pairs_is_ours_where_hip_may_lack_it(text: str, path: str, changed: bool) -> None:
    assert ("cudamigrate::hmax2" in after(text, path)) is changed


def test_a_function_that_the_project_declares_for_older_cuda_stays() -> None:
    text = """#include <hip/hip_runtime.h>
#if CUDART_VERSION < 12000
static __device__ unsigned int __hgt2_mask(const __half2 a, const __half2 b) { return a.x > b.x; }
#endif
__device__ unsigned int f(__half2 a) { return __hgt2_mask(a, a); }
"""
    assert "unsigned int __hgt2_mask(const" in after(text)
    assert "return cudamigrate::hgt2_mask(a, a);" in after(text)


PRODUCT = "cublasGemmEx(h, t, t, m, n, k, &a, A, x, m, B, x, k, &b, C, x, m, {}, algo)"


@pytest.mark.parametrize(
    ("before", "written"),
    [
        (f"{PRODUCT.format('CUBLAS_COMPUTE_32F_FAST_16BF')};", "m, HIPBLAS_COMPUTE_32F, algo)"),
        (f"{PRODUCT.format('fast ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F')};", "? HIPBLAS_COMPUTE_32F :"),
        (f"{PRODUCT.format('CUBLAS_COMPUTE_64F_PEDANTIC')};", "m, HIPBLAS_COMPUTE_64F, algo)"),
        ("cublasSetMathMode(h, CUBLAS_TENSOR_OP_MATH);", "hipblasSetMathMode(h, HIPBLAS_DEFAULT_MATH);"),
        ("auto c = fast ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_16F_PEDANTIC;", ": HIPBLAS_COMPUTE_16F;"),
        ("if (c == CUBLAS_COMPUTE_32F_FAST_TF32) f();", "c == HIPBLAS_COMPUTE_32F_FAST_TF32"),
        ("switch (c) { case CUBLAS_PEDANTIC_MATH: f(); }", "case HIPBLAS_PEDANTIC_MATH:"),
        ("f(CUBLAS_COMPUTE_32F_PEDANTIC);", "f(HIPBLAS_COMPUTE_32F_PEDANTIC);"),
        ("cublasLtMatmulDescCreate(&d, CUBLAS_COMPUTE_32F_FAST_TF32, x);", "(&d, HIPBLAS_COMPUTE_32F_FAST_TF32, x)"),
        ("auto c = CUBLAS_COMPUTE_32F_FAST_TF32; cublasLtMatmul(h, c);", "c = HIPBLAS_COMPUTE_32F_FAST_TF32;"),
    ],
)
def test_hipblas_is_given_what_it_computes_with(before: str, written: str) -> None:
    assert written in after(f"#include <cublas_v2.h>\nvoid g() {{ {before} }}")
