"""Sums by CUB of objects that only the device can make."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CLASS = """#pragma once
// A class of points.
#include <cuda_runtime.h>
struct __align__(16) Point {
    float x, y;
    __device__ __forceinline__ Point();
    __device__ Point(float x, float y) : x(x), y(y) {}
    __device__ Point operator+(const Point &o) const { return Point(x + o.x, y + o.y); }
};
__device__ __forceinline__ Point::Point() { x = y = 0; }
"""
SUM = """#include <cub/cub.cuh>
#include "point.cuh"
void all(void *work, size_t bytes, Point *in, Point *out, int n, int *at) {
    cub::DeviceSegmentedReduce::Sum(work, bytes, in, out, n, at, at + 1);
}
"""


def found(root: Path, code: str, header: str) -> list[tuple[str, int]]:
    report = pipeline.scan(written(root, {"a.cu": code, "point.cuh": header}), Config(jobs=1))
    return [(one.path, one.position.line) for one in report.findings if one.rule == "library/cub-host-value"]


@pytest.mark.parametrize("call", ["DeviceSegmentedReduce::Sum", "DeviceReduce::Sum", "DeviceScan::ExclusiveSum"])
def test_the_first_value_is_made_on_the_host(tmp_path: Path, call: str) -> None:
    assert found(tmp_path, SUM.replace("DeviceSegmentedReduce::Sum", call), CLASS) == [("a.cu", 4)]


@pytest.mark.parametrize(
    ("code", "header"),
    [
        (SUM, CLASS.replace("__device__ __forceinline__ Point", "__host__ __device__ Point")),
        (SUM, CLASS.replace("__device__ __forceinline__ Point()", "Point() = default")),
        (SUM, CLASS.replace("__device__ __forceinline__ Point()", "BOTH Point()")),
        (SUM, "struct Point { float x, y; };\n"),
        (SUM.replace("::Sum", "::Max"), CLASS),
        (SUM.replace("Point *in", "float *in"), CLASS),
        (SUM + "void other(float *in);\n", CLASS),
        (SUM.replace("    cub", "    // cub"), CLASS),
    ],
    ids=["host too", "default", "a macro", "none", "no sum", "numbers", "two types", "a remark"],
)
def test_others_are_right(tmp_path: Path, code: str, header: str) -> None:
    assert found(tmp_path, code, header) == []
