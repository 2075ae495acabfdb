"""A test for the device pass is opened for AMD where all tests for GPUs behind it have an answer there."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

OUTER = "build/cuda-compiler-macro"
LANES = "  return __shfl_sync(0xffffffffu, __popc(__ballot_sync(0xffffffffu, *p)), 0);\n"
NEWER = f"#if __CUDA_ARCH__ >= 700\n{LANES}#else\n  return __shfl(*p, 0);\n#endif\n"
PTX = '#if __CUDA_ARCH__ >= 700\n  int a = *p; asm("add.u32 %0, %0, 1;" : "+r"(a));\n  return a;\n#endif\n'
OLDER_WAY = "#if __CUDA_ARCH__ >= 700\n  quick(p);\n#else\n  slow(p);\n#endif\n"
LEFT = '#if __CUDA_ARCH__ >= 700\n  asm("bar.arrive 1, 2;");\n#endif\n  return *p;\n'
OPEN = "#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)"
HOST = "#else\n  int old = *p;\n  *p += 1;\n  return old;\n"


def converted(folder: Path, gate: str, body: str) -> tuple[list[str], list[bool]]:
    """The lines of a file with such a function, and for each test for the pass whether it has a fix."""
    text = (
        f'#include <cuda_runtime.h>\n#include "ways.h"\n__device__ int f(int *p) {{\n{gate}\n{body}{HOST}#endif\n}}\n'
    )
    written(folder, {"a.cu": text})
    made = pipeline.apply(folder, Config(jobs=1))
    (lines,) = (one.after.decode().splitlines() for one in made.conversions)
    found = [one for file in made.report.files for one in file.findings if one.rule == OUTER]
    return lines, [one.automatic for one in found]


@pytest.mark.parametrize("gate", ["#ifdef __CUDA_ARCH__", "#if defined(__CUDA_ARCH__)", "#if defined __CUDA_ARCH__"])
@pytest.mark.parametrize(
    "body",
    [
        pytest.param(NEWER, id="warp functions"),
        pytest.param(PTX, id="opened"),
        pytest.param(OLDER_WAY, id="the older way"),
        pytest.param(OLDER_WAY + NEWER, id="two"),
    ],
)
def test_a_test_for_the_pass_is_opened_with_those_behind_it(tmp_path: Path, gate: str, body: str) -> None:
    lines, fixed = converted(tmp_path, gate, body)
    opened = OPEN.replace("(__CUDA_ARCH__)", " __CUDA_ARCH__") if "defined _" in gate else OPEN
    assert opened in lines and fixed == [True]


@pytest.mark.parametrize(
    ("gate", "body"),
    [
        pytest.param("#ifdef __CUDA_ARCH__", LEFT, id="nothing has an answer"),
        pytest.param("#ifdef __CUDA_ARCH__", NEWER + LEFT, id="one has none"),
        pytest.param("#ifdef __CUDA_ARCH__", NEWER + "  return __CUDA_ARCH__;\n", id="the number is a value"),
        pytest.param("#ifdef __CUDA_ARCH__", NEWER + "#define OF_GPU(a) a<__CUDA_ARCH__>\n", id="in a macro"),
        pytest.param("#if defined(__CUDA_ARCH__) && defined(FAST)", NEWER, id="something else is asked"),
    ],
)
def test_other_tests_for_the_pass_stay(tmp_path: Path, gate: str, body: str) -> None:
    lines, fixed = converted(tmp_path, gate, body)
    assert gate in lines and fixed == [False]
