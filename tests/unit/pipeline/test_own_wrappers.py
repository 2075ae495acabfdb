"""A wrapper of a port's that takes halves is called with halves."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CODE = (
    '#include "compat.cuh"\n#include <cublas_v2.h>\n'
    "void f(cublasHandle_t h, half *a) { cublasHgemm(h, n, n, 4, 4, 4, a, a, 4, a, 4, a, a, 4); }\n"
)


@pytest.mark.parametrize(
    ("compat", "casts"),
    [
        ("#define hipblasHgemm own_hgemm\n", False),
        ("// #define hipblasHgemm own_hgemm\n#define hipblasSgemm own_sgemm\n", True),
    ],
)
def test_its_calls_are_renamed_alone(compat: str, casts: bool, tmp_path: Path) -> None:
    root = written(tmp_path, {"a.cu": CODE, "compat.cuh": compat})
    (made,) = (one for one in pipeline.apply(root, Config(jobs=1)).conversions if one.path == "a.cu")
    assert b"hipblasHgemm(h" in made.after and (b"hipblasHalf" in made.after) is casts
