"""A test of CUDA's release is told to be right where HIP takes the branch whose operators are converted."""

from __future__ import annotations

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text

RIGHT = "build/older-branch"
WRONG = "api/CUDART_VERSION"


@pytest.mark.parametrize(
    ("condition", "first", "second", "rocm", "rule"),
    [
        ("CUDART_VERSION >= 12090", "cuda::std::plus<>{}", "cub::Sum()", "7.1", RIGHT),
        ("CUDART_VERSION < 13000", "cub::Max()", "::cuda::maximum<>{}", "7.1", RIGHT),
        ("CUDART_VERSION >= 12090", "cuda::std::plus<>{}", "cub::Sum()", "10.0", RIGHT),
        ("CUDART_VERSION >= 12090", "cub::Sum()", "cuda::std::plus<>{}", "7.1", WRONG),
        ("CUDART_VERSION >= 12090", "fast()", "cub::Sum()", "7.1", WRONG),
    ],
)
def test_the_branch_that_hip_takes_is_right(condition: str, first: str, second: str, rocm: str, rule: str) -> None:
    code = f"#include <cub/cub.cuh>\n#if {condition}\nauto op = {first};\n#else\nauto op = {second};\n#endif\n"
    found = [one.rule for one in find_in_text(code, "a.cu", Config(rocm=rocm)).findings]
    assert [one for one in found if one in (RIGHT, WRONG)] == [rule]
