"""CMake's setting to link device code across files is reported where some device code needs another file's."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CMAKE = "project(p LANGUAGES CXX CUDA)\nset(CMAKE_CUDA_SEPARABLE_COMPILATION ON)\nadd_library(p src/a.cu src/b.cu)\n"
KERNEL = "#include <cuda_runtime.h>\n{}\n__global__ void k(float *a) {{ *a = scale(*a); }}\n"
HEADER = "#pragma once\n__global__ void k(float *a);\nvoid run(float *a);\n"


def found(root: Path, code: str, header: str = HEADER) -> int:
    written(root, {"CMakeLists.txt": CMAKE, "src/a.cu": KERNEL.format(code), "src/k.h": header, "src/b.cu": CALLS})
    scan = pipeline.scan(root, Config(jobs=1))
    return sum(one.rule == "build/cmake-separable-default" for one in scan.findings)


CALLS = '#include "k.h"\nvoid run(float *a) { k<<<1, 1>>>(a); }\n'


@pytest.mark.parametrize(
    "code",
    [
        "__device__ float scale(float v) { return v * 2; }",
        "__device__ float scale(float v);\n__device__ float scale(float v) { return v * 2; }",
        "#define HD __host__ __device__\nHD inline float scale(float v) { return v * 2; }",
        "__constant__ float by[2];\n__device__ float n = 0, *p;\n__device__ float scale(float v) { return v * by[0]; }",
        "struct S { __device__ S() = default; __device__ S(int n) : v{n} {} int v; };\n"
        "__device__ float scale(float v) { return v; } // extern __device__ int n;",
        "template <class T> __device__ __forceinline__ auto scale(T v) -> decltype(v + 1) { return v; }",
    ],
)
def test_device_code_that_is_all_in_its_file_needs_no_setting(tmp_path: Path, code: str) -> None:
    assert found(tmp_path, code) == 0


@pytest.mark.parametrize(
    "code",
    [
        "__device__ float scale(float v);",
        "extern __device__ float by;\n__device__ float scale(float v) { return v * by; }",
        "__constant__ extern float by[2];\n__device__ float scale(float v) { return v * by[0]; }",
        "#define HD __host__ __device__\nHD float scale(float v);",
        "struct S { __device__ float twice(float v); };\n__device__ float scale(float v) { return S().twice(v); }",
    ],
)
def test_device_code_of_another_file_does(tmp_path: Path, code: str) -> None:
    assert found(tmp_path, code) == 1


def test_a_header_may_declare_it(tmp_path: Path) -> None:
    assert found(tmp_path, '#include "k.h"', HEADER + "DEVICE float scale(float v);\n#define DEVICE __device__\n") == 1


def test_without_code_for_cuda_nothing_is_known(tmp_path: Path) -> None:
    written(tmp_path, {"CMakeLists.txt": CMAKE, "main.cpp": "int main() { return 0; }\n"})
    scan = pipeline.scan(tmp_path, Config(jobs=1))
    assert [one.rule for one in scan.findings].count("build/cmake-separable-default") == 1


@pytest.mark.parametrize(
    ("code", "count"),
    [
        pytest.param("__device__ float scale(float v) { return v * 2; }", 0, id="all in its file"),
        pytest.param("__device__ float scale(float v);", 1, id="another file's"),
    ],
)
def test_so_does_the_property_of_a_library(tmp_path: Path, code: str, count: int) -> None:
    cmake = (
        "project(p LANGUAGES CXX CUDA)\nadd_library(p STATIC src/a.cu src/b.cu)\n"
        "set_target_properties(p PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n"
    )
    written(tmp_path, {"CMakeLists.txt": cmake, "src/a.cu": KERNEL.format(code), "src/k.h": HEADER, "src/b.cu": CALLS})
    scan = pipeline.scan(tmp_path, Config(jobs=1))
    assert sum(one.rule == "build/cmake-separable" for one in scan.findings) == count
