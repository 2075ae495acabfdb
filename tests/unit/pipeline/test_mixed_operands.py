"""Numbers of another type than an operator of a vector takes, whose operators and types other files show."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

RULE = "memory/mixed-operand"
QUOTIENT = """#pragma once
static __device__ complex_t operator/(real_t a, complex_t z) {
    real_t size = z.x * z.x + z.y * z.y, inverse = 1 / size;
    return make(a * z.x * inverse, a * z.y * inverse);
}
"""
PLAIN = "#pragma once\ntypedef float real_t;\ntypedef cuFloatComplex complex_t;\n"
CHOSEN = (
    "#pragma once\n#ifdef WIDE\ntypedef double real_t;\ntypedef double2 complex_t;\n"
    "#else\ntypedef float real_t;\ntypedef float2 complex_t;\n#endif\n"
)
CODE = "__global__ void k(complex_t *z, real_t w, int n) {{ complex_t a = z[n]; z[0] = {}; }}\n"


def reported(tmp_path: Path, types: str, operators: str, expression: str, include: str = "ops.h") -> list[bool]:
    """Whether each finding has a fix."""
    files = {
        "types.h": types,
        "ops.h": '#include "types.h"\n' + operators,
        "a.cu": f'#include <cuda_runtime.h>\n#include "{include}"\n' + CODE.format(expression),
    }
    findings = pipeline.scan(written(tmp_path, files), Config(jobs=1)).findings
    return [one.fix is not None for one in findings if one.rule == RULE]


@pytest.mark.parametrize("expression", ["4. * w / a", "n / z[1]", "2 / (a)"])
def test_the_number_is_converted_to_what_the_operator_of_a_header_takes(tmp_path: Path, expression: str) -> None:
    assert reported(tmp_path, PLAIN, QUOTIENT, expression) == [True]


def test_a_number_that_fits_in_one_build_alone_is_left_to_a_reader(tmp_path: Path) -> None:
    assert reported(tmp_path, CHOSEN, QUOTIENT, "4. * w / a") == [False]


@pytest.mark.parametrize(
    ("operators", "expression", "include"),
    [
        (QUOTIENT, "w / a", "ops.h"),
        (QUOTIENT, "4.f * w / a", "ops.h"),
        (QUOTIENT, "a * 4.", "ops.h"),
        (QUOTIENT, "unknown(w) / a", "ops.h"),
        (QUOTIENT, "4. * w / a", "types.h"),
        (QUOTIENT + QUOTIENT.replace("real_t a", "double a"), "4. * w / a", "ops.h"),
        (QUOTIENT.replace("a * z.x * inverse, a * z.y * inverse", "a / z.x, a / z.y"), "4. / a", "ops.h"),
        (QUOTIENT.replace("(real_t a", "(Own a"), "4. / a", "ops.h"),
    ],
)
def test_what_hip_does_alike_or_what_is_not_seen_is_left(
    tmp_path: Path, operators: str, expression: str, include: str
) -> None:
    assert reported(tmp_path, PLAIN, operators, expression, include) == []


def test_a_fitting_number_is_left_where_the_build_chooses_the_types(tmp_path: Path) -> None:
    assert reported(tmp_path, CHOSEN, QUOTIENT, "w * w / a") == []
