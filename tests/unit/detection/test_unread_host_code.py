"""Code of the host behind a test of a GPU's number is compiled by neither compiler: nothing is left to do there."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

MIXED = (
    "cublasSgemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, a, b, CUDA_R_16F, 1, b, CUDA_R_16F, 1, a, c, CUDA_R_16F, 1);"
)
HEAD = "#include <cublas_v2.h>\n#include <cuda_fp16.h>\n{} run(cublasHandle_t h, float *a, half *b, half *c) {{\n"


def left(code: str, head: str = "void") -> list[str]:
    found = find_in_text(HEAD.format(head) + code + "\n}\n").findings
    return [one.rule for one in found if one.fix is None and one.group == "api"]


@pytest.mark.parametrize(
    "code",
    [
        f"#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700\n{MIXED}\n#endif",
        f"#if __CUDA_ARCH__ >= 700\n{MIXED}\n#else\n#endif",
        f"#if __CUDA_ARCH__ < 700\n#else\n{MIXED}\n#endif",
    ],
)
def test_what_no_compiler_reads_is_not_reported(code: str) -> None:
    assert left(code) == []


@pytest.mark.parametrize(
    ("code", "head"),
    [
        (MIXED, "void"),
        (f"#if __CUDA_ARCH__ < 700\n{MIXED}\n#endif", "void"),
        (f"#if __CUDACC_VER_MAJOR__ >= 9\n{MIXED}\n#endif", "void"),
        (f"#if __CUDA_ARCH__ >= 700 || FAST\n{MIXED}\n#endif", "void"),
        (f"#if __CUDA_ARCH__ >= 700\n{MIXED}\n#endif", "ANY_SIDE void"),
    ],
)
def test_what_some_compiler_may_read_is(code: str, head: str) -> None:
    assert left(code, head) == ["api/blas-mixed-products"]


def test_what_converts_such_code_stays() -> None:
    code = f"#if __CUDA_ARCH__ >= 700\n{MIXED}\n#endif"
    assert any(one.fix is not None for one in find_in_text(HEAD.format("void") + code + "\n}\n").findings)
