"""What holds the compute type of a product of cuBLAS."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config

CALL = "cublasGemmEx(h, t, t, m, n, k, &a, A, T, m, B, T, k, &b, C, T, m, {}, algo);"


def found(root: Path, text: str) -> list[str]:
    (root / "a.cpp").write_text(f"#include <cublas_v2.h>\n{text}\n")
    report = pipeline.scan(root, Config(jobs=1))
    return [one.rule.partition("/")[2] for one in report.findings if one.rule.startswith("library/blas-compute")]


@pytest.mark.parametrize(
    "text",
    [
        f"void f() {{ cudaDataType x, y = CUDA_R_32F; x = y; {CALL.format('x')} }}",
        f"void f(const cudaDataType_t x) {{ {CALL.format('x')} }}",
        f"struct P {{ cudaDataType_t x; }}; void f(P *p) {{ {CALL.format('p->x')} }}",
        f"struct P {{ cudaDataType_t x; void f() {{ {CALL.format('x')} }} }};",
    ],
    ids=["local", "parameter", "member", "own member"],
)
def test_data_types(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == ["blas-compute-value"]


@pytest.mark.parametrize(
    "text",
    [
        f"void f(cublasComputeType_t x) {{ {CALL.format('x')} }}",
        f"template <typename X> void f(X x) {{ {CALL.format('x')} }}",
        f"struct P {{ cudaDataType_t x; }}; struct Q {{ int x; }}; void f(P *p) {{ {CALL.format('p->x')} }}",
        f"void f() {{ {CALL.format('x')} }}",
        f"void f(cudaDataType_t *x) {{ {CALL.format('*x')} }}",
    ],
    ids=["compute type", "template", "two members", "unknown", "pointer"],
)
def test_what_may_be_another_type(tmp_path: Path, text: str) -> None:
    assert not found(tmp_path, text)
