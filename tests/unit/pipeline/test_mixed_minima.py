"""Minima of integers whose types other files declare: the argument with a sign is cast as CUDA converts it."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

RULE = "math/mixed-min-max"
TYPES = "#pragma once\n#include <stdint.h>\ntypedef uint32_t uint_t;\n#define WIDTH 32\n"
CALL = "__global__ void k(uint_t *p, uint_t n) {{ p[0] = threadIdx.x & ({}(n, {}) - 1); }}\n"


def found(tmp_path: Path, types: str, code: str) -> list[str]:
    return [line for line in fixed(tmp_path, types, code).splitlines() if "static_cast<unsigned int>" in line]


def fixed(tmp_path: Path, types: str, code: str) -> str:
    files = {"types.h": types, "a.cu": '#include "types.h"\n' + code}
    made = pipeline.apply(written(tmp_path, files), Config(jobs=1))
    assert all(one.automatic for one in made.report.findings if one.rule == RULE)
    return next(one.after.decode() for one in made.conversions if one.path == "a.cu")


def test_types_and_macros_of_another_file_count(tmp_path: Path) -> None:
    made = found(tmp_path, TYPES, CALL.format("min", "WIDTH"))
    assert len(made) == 1 and "(min(n, static_cast<unsigned int>(WIDTH)) - 1)" in made[0]


def test_a_parameter_of_a_template_has_its_type(tmp_path: Path) -> None:
    code = "template <uint_t size> __device__ uint_t k(uint_t n) { return n & (max(size, WIDTH) - 1); }\n"
    assert len(found(tmp_path, TYPES, code)) == 1


@pytest.mark.parametrize(
    ("types", "code"),
    [
        (TYPES.replace("32\n", "32u\n"), CALL.format("min", "WIDTH")),
        (TYPES.replace("uint32_t", "int32_t"), CALL.format("min", "WIDTH")),
        (TYPES + "#ifdef WIDE\n#undef WIDTH\n#define WIDTH 64u\n#endif\n", CALL.format("min", "WIDTH")),
        (TYPES, CALL.format("std::min", "WIDTH")),
        (TYPES, CALL.format("min", "size_t(WIDTH)")),
        (TYPES, "__global__ void k(uint_t *p, uint_t n) { p[0] = min(n, WIDTH); }\n"),  # the same number in double
        (TYPES, "template <class uint_t, uint_t size> __device__ int k(int n) { return n & max(size, WIDTH); }\n"),
        (TYPES, "template <typename T> __device__ T k(T n) { return n / max(n, WIDTH); }\n"),
    ],
)
def test_what_has_one_type_or_an_unknown_one_is_left(tmp_path: Path, types: str, code: str) -> None:
    assert found(tmp_path, types, code) == []


def test_a_type_that_is_promoted_counts_too(tmp_path: Path) -> None:
    types = "#pragma once\n#include <stdint.h>\ntypedef uint8_t level_t;\ntypedef int16_t depth_t;\n"
    code = "__global__ void k(float *p, level_t *n, depth_t d) { p[0] = p[max(n[0], d)] + max(n[0], n[1]) / 2; }\n"
    made = fixed(tmp_path, types, code)
    assert "p[max(static_cast<int>(n[0]), static_cast<int>(d))] + max(n[0], n[1]) / 2" in made
