"""A test for old GPUs that AMD does not come to says nothing of AMD, and one of two like branches decides nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import scanned

OLDER = "#if __CUDA_ARCH__ <= 1200\n%s#else\n%s#endif\n"
STOPS = "#error unknown\n"
LANES, MORE = "constexpr int lanes = 32;\n", "constexpr int lanes = 16;\n"
KERNEL = "#include <cuda_runtime.h>\n%s__global__ void k(int *p) { p[threadIdx.x] = lanes; }\n"


@pytest.mark.parametrize(
    ("text", "oldest", "asked"),
    [
        pytest.param(
            f"#ifdef __CUDA_ARCH__\n{OLDER % (LANES, STOPS)}#else\n{LANES}#endif\n", False, False, id="all the same"
        ),
        pytest.param(
            f"#ifdef __CUDA_ARCH__\n{OLDER % (LANES, STOPS)}#else\n{MORE}#endif\n", False, True, id="not on the host"
        ),
        pytest.param(OLDER % (LANES, MORE), True, False, id="asked of AMD"),
        pytest.param(f"#ifdef __CUDA_ARCH__\n{LANES}#else\n{LANES}#endif\n", False, False, id="plain"),
        pytest.param(f"#ifdef __CUDA_ARCH__\n{LANES}#else\n{MORE}#endif\n", False, True, id="another number"),
        pytest.param(
            f"#ifdef __CUDA_ARCH__\n#define N 1\n{LANES}#else\n#define N 2\n{LANES}#endif\n", False, True, id="macros"
        ),
        pytest.param(
            f"#ifndef __CUDA_ARCH__\n{OLDER % (LANES, MORE)}#else\n{MORE}#endif\n", True, True, id="where AMD is"
        ),
    ],
)
def test_a_test_for_old_gpus(text: str, oldest: bool, asked: bool, tmp_path: Path) -> None:
    rules = {one.rule for one in scanned(tmp_path, {"a.cu": KERNEL % text}).findings}
    assert ("build/oldest-branch" in rules) is oldest
    assert ("build/cuda-compiler-macro" in rules) is asked
