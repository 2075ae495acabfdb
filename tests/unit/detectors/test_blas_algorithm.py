"""Numbers cast to an algorithm of cuBLAS become the one that hipBLAS has."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

RULE = "library/blas-algorithm-number"


def converted(root: Path, expression: str) -> str:
    """What becomes of an argument of a call."""
    text = f"#include <cublas_v2.h>\nvoid f(int n) {{\n    run(n, {expression});\n}}\n"
    made = pipeline.apply(written(root, {"a.cu": text}), Config(jobs=1))
    (one,) = [c.after.decode() for c in made.conversions]
    return one.partition("run(n, ")[2].partition(");\n")[0]


@pytest.mark.parametrize(
    "expression",
    [
        "static_cast<cublasGemmAlgo_t>(algo)",
        "(cublasGemmAlgo_t)algo",
        "(cublasGemmAlgo_t)(algo)",
        "(cublasGemmAlgo_t) plan->algos[i + 1].number",
        "cublasGemmAlgo_t(info.best)",
        "(cublasGemmAlgo_t)-1",
        "static_cast<cublasGemmAlgo_t>(start + i)",
    ],
)
def test_a_value_becomes_the_default(tmp_path: Path, expression: str) -> None:
    assert converted(tmp_path, expression) == "HIPBLAS_GEMM_DEFAULT"


@pytest.mark.parametrize(
    ("expression", "after"),
    [
        ("static_cast<cublasGemmAlgo_t>(next())", "static_cast<hipblasGemmAlgo_t>(next())"),
        ("(cublasGemmAlgo_t)next()", "(hipblasGemmAlgo_t)next()"),
        ("(cublasGemmAlgo_t)(i++)", "(hipblasGemmAlgo_t)(i++)"),
        ("(cublasGemmAlgo_t)CUBLAS_GEMM_DEFAULT", "(hipblasGemmAlgo_t)HIPBLAS_GEMM_DEFAULT"),
        ("sizeof(cublasGemmAlgo_t)", "sizeof(hipblasGemmAlgo_t)"),
    ],
)
def test_what_does_something_or_is_a_name_stays(tmp_path: Path, expression: str, after: str) -> None:
    assert converted(tmp_path, expression) == after


@pytest.mark.parametrize(("expression", "count"), [("(cublasGemmAlgo_t)(i++)", 1), ("sizeof(cublasGemmAlgo_t)", 0)])
def test_what_does_something_is_reported(tmp_path: Path, expression: str, count: int) -> None:
    text = f"#include <cublas_v2.h>\nint f(int i) {{ return run({expression}); }}\n"
    report = pipeline.scan(written(tmp_path, {"a.cu": text}), Config(jobs=1))
    assert sum(one.rule == RULE and one.fix is None for one in report.findings) == count


@pytest.mark.parametrize(
    "loop",
    [
        "for (a = first(); (int)a <= last; a = (cublasGemmAlgo_t)(a + 1)) run(a);",
        "for (a = (cublasGemmAlgo_t)start; (int)a < 24; next(a)) run(a);",
        "while ((int)a < 24) { run(a); a = static_cast<cublasGemmAlgo_t>(a + 1); }",
        "do run(a); while (tried != (cublasGemmAlgo_t)last);",
    ],
)
def test_what_a_loop_counts_by_is_reported_and_stays(tmp_path: Path, loop: str) -> None:
    text = f"#include <cublas_v2.h>\nvoid f(cublasGemmAlgo_t a, int start, int last) {{ {loop} }}\n"
    applied = pipeline.apply(written(tmp_path, {"a.cu": text}), Config(jobs=1))
    assert sum(one.rule == RULE and one.fix is None for one in applied.report.findings) == 1
    assert b"HIPBLAS_GEMM_DEFAULT" not in applied.conversions[0].after


def test_a_number_in_the_body_of_a_loop_becomes_the_default(tmp_path: Path) -> None:
    text = "#include <cublas_v2.h>\nvoid f(int n) { for (int i = 0; i < n; i++) run((cublasGemmAlgo_t)i); }\n"
    applied = pipeline.apply(written(tmp_path, {"a.cu": text}), Config(jobs=1))
    assert b"run(HIPBLAS_GEMM_DEFAULT)" in applied.conversions[0].after
