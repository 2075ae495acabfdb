"""What is slower on AMD is not said of code that AMD does not compile."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

ADD = "    atomicAdd(p, v);\n"
LOOP = (
    "    unsigned long long *at = (unsigned long long *)p, old = *at, seen;\n    do {\n        seen = old;\n"
    "        old = atomicCAS(at, seen, __double_as_longlong(v + __longlong_as_double(seen)));\n"
    "    } while (seen != old);\n"
)


@pytest.mark.parametrize(
    ("body", "reported"),
    [
        (f"#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600\n{ADD}#else\n{LOOP}#endif\n", False),
        (f"#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600\n{LOOP}#else\n{ADD}#endif\n", True),
        (f"#if __CUDA_ARCH__ >= 600 && WIDE\n{ADD}#endif\n{ADD}", True),
        (ADD, True),
    ],
)
def test_slow_atomics_in_a_branch(tmp_path: Path, body: str, reported: bool) -> None:
    written(tmp_path, {"a.cu": f"#include <cuda_runtime.h>\n__device__ void add(double *p, double v) {{\n{body}}}\n"})
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert any(one.rule == "memory/float-atomic" for one in found) is reported
