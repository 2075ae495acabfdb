"""hipBLAS before ROCm 7.0 has the interface of cuBLAS only where two macros are defined before its header."""

from __future__ import annotations

from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text

_SOURCE = """#include <cublas_v2.h>
void f(cublasHandle_t handle);
"""
_DEFINED = """#ifndef HIPBLAS_V2
#define HIPBLAS_V2
#endif
#ifndef ROCM_MATHLIBS_API_USE_HIP_COMPLEX
#define ROCM_MATHLIBS_API_USE_HIP_COMPLEX
#endif
#include <hipblas/hipblas.h>
void f(hipblasHandle_t handle);
"""


def _after(text: str, rocm: str) -> str:
    return find_in_text(text, "a.cu", Config(rocm=rocm)).after


def test_the_macros_are_defined_before_the_header_where_the_release_needs_them() -> None:
    assert _after(_SOURCE, "6.2") == _DEFINED
    assert _after(_SOURCE, "7.0") == "#include <hipblas/hipblas.h>\nvoid f(hipblasHandle_t handle);\n"


def test_a_second_include_does_not_repeat_them() -> None:
    text = _after("#include <cublas_v2.h>\n#include <cublas_v2.h>\n", "6.2")
    assert text.count("#define HIPBLAS_V2") == 1
    assert text.count("#include <hipblas/hipblas.h>") == 2


def test_an_include_that_is_compiled_conditionally_defines_them_itself() -> None:
    text = _after("#ifdef WITH_BLAS\n#include <cublas_v2.h>\n#endif\n#include <cublas_v2.h>\n", "6.2")
    assert text.count("#define HIPBLAS_V2") == 2


def test_a_directive_after_something_else_is_left_and_reported() -> None:
    text = "/* BLAS */ #include <cublas_v2.h>\n"
    found = find_in_text(text, "a.cu", Config(rocm="6.2"))
    assert found.after == text
    assert [one.rule for one in found.findings if one.fix is None] == ["api/cublas-header"]
