"""Minima in host code: what a header says of the name decides which function is meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CODE = (
    '#include <cuda_runtime.h>\n#include "all.h"\n__global__ void k(float *x) { x[0] = 1; }\n'
    "namespace lib { float low(float a, size_t n, float b) { return min(a, b) + max(n, n + 1); } }\n"
)


def names(tmp_path: Path, header: str, other: str = "") -> list[str]:
    files = {
        "all.h": '#pragma once\n#include "low.h"\n',
        "low.h": f"#pragma once\n{header}\n",
        "other.h": other,
        "a.cu": CODE,
    }
    found = pipeline.scan(written(tmp_path, files), Config(jobs=1)).findings
    return [CODE[one.span.start :][:3] for one in found if one.rule in ("math/host-min-max", "math/host-float-min-max")]


@pytest.mark.parametrize(
    ("header", "left"),
    [
        ("using namespace std;", []),
        ("using std::min;", ["max"]),
        ("#define max(a, b) ((a) > (b) ? (a) : (b))", ["min"]),
        ("namespace lib { template <typename T> T min(T a, T b) { return a < b ? a : b; } }", ["max"]),
        ("namespace lib { float max(const float &a, const float& b); }", ["min"]),
        ("namespace lib { template <class T> Row<T> min(const Row<T> a, Row<T> b) { return a; } }", ["max"]),
    ],
)
def test_a_name_that_a_header_makes_another_one_is_left(tmp_path: Path, header: str, left: list[str]) -> None:
    assert names(tmp_path, header) == left


@pytest.mark.parametrize(
    "header",
    [
        "inline float use(float a, float b) { return std::min(a, b) + std::max(a * b, b); }",
        "struct Limits { static float min(); static float max(); };",
        "#define minimum(a, b) 1",
        "using std::vector;",
    ],
)
def test_a_header_that_only_uses_the_names_changes_nothing(tmp_path: Path, header: str) -> None:
    assert names(tmp_path, header) == ["min", "max"]


def test_a_header_that_the_file_does_not_read_changes_nothing(tmp_path: Path) -> None:
    assert names(tmp_path, "", other="using namespace std;\n") == ["min", "max"]
