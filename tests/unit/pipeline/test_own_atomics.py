"""Atomic operations of the project's own that HIP has, by types that other files name."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

MINIMUM = """#include "types.h"
{1}__device__ {0} atomicMin(F32 *at, F32 value) {{ atomicCAS((int *)at, 0, __float_as_int(value)); {2} }}
__global__ void k(float *at) {{ atomicMin(at, 1.0f); }}
"""


def found(root: Path, files: dict[str, str]) -> list[tuple[str, bool]]:
    written(root, files)
    report = pipeline.scan(root, Config(jobs=1))
    wanted = [one for one in report.findings if one.rule.startswith("memory/own-atomic")]
    return [(one.rule, one.fix is not None) for one in wanted]


@pytest.mark.parametrize(
    ("result", "back", "rule", "is_changed"),
    [
        ("void", "", "memory/own-atomic", True),
        ("F32", "return value;", "memory/own-atomic", True),
        ("bool", "return true;", "memory/own-atomic-result", False),
    ],
)
def test_a_type_of_another_file_shows_that_hip_has_it(tmp_path, result, back, rule, is_changed) -> None:
    files = {"types.h": "typedef float F32;\n", "a.cu": MINIMUM.format(result, "", back)}
    assert found(tmp_path, files) == [(rule, is_changed)]


@pytest.mark.parametrize(
    ("types", "before"),
    [
        ("typedef short F32;\n", ""),
        ("struct F32 { float value; };\n", ""),
        ("#ifdef WIDE\ntypedef double F32;\n#else\ntypedef float F32;\n#endif\n", ""),
        ("typedef float F32;\n", "typedef short F32;\n"),
    ],
)
def test_a_type_that_is_another_or_not_known_does_not(tmp_path: Path, types: str, before: str) -> None:
    assert not found(tmp_path, {"types.h": types, "a.cu": MINIMUM.format("void", before, "")})
