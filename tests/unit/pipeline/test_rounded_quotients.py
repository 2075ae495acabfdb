"""Functions that CUDA always rounds to nearest are reported where the build's options change that for clang."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

SOURCE = """#include <cuda_runtime.h>
__global__ void k(float *a) { a[0] = __fdiv_rn(a[1], a[2]) + __frcp_rn(a[3]); } // __frcp_rn(a)
__global__ void other(float *a) { a[0] = __fdividef(a[1], a[2]) + a[1] / a[2]; }
"""


@pytest.mark.parametrize(
    ("option", "found"),
    [
        ("--use_fast_math", ["__fdiv_rn", "__frcp_rn"]),
        ("-prec-div=false", ["__fdiv_rn", "__frcp_rn"]),
        ("-prec-div=true", []),
        ("-ftz=true", []),
    ],
)
def test_a_quotient_that_an_option_makes_less_exact_is_reported(tmp_path: Path, option: str, found: list[str]) -> None:
    written(tmp_path, {"Makefile": f"a: a.cu\n\tnvcc {option} a.cu -o a\n", "a.cu": SOURCE})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    told = [one.message for one in findings if one.rule == "math/approximate-quotient"]
    assert [message.split("`")[1] for message in told] == found
