"""A macro that marks HIP in the project that a file was copied from marks nothing where no build sets it."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CODE = """#include <cuda_runtime.h>
static constexpr __device__ int rows() {
#if defined(GGML_USE_HIP)
    return 32;
#else
#if __CUDA_ARCH__ >= 700
    return %s;
#else
    return %s;
#endif
#endif
}
__global__ void tile(float *out, int n) {
#if (defined(GGML_USE_HIP) && !defined(CDNA)) || __CUDA_ARCH__ < 700
    out[blockIdx.x * rows()] = n;
#else
    out[blockIdx.x] = n;
#endif
}
"""
MAKE = "app: a.cu\n\tnvcc a.cu -o app\n"


def found(root: Path, files: dict[str, str], sizes: tuple[str, str] = ("128", "64")) -> list[tuple[str, int]]:
    written(root, {"a.cu": CODE % sizes, "Makefile": MAKE, **files})
    scan = pipeline.scan(root, Config(jobs=1))
    gates = ("build/arch-gate", "build/oldest-branch", "build/older-path")
    return [(one.rule, one.position.line) for one in scan.findings if one.rule in gates]


def test_tests_beside_it_are_reported(tmp_path: Path) -> None:
    assert found(tmp_path, {}) == [("build/arch-gate", 6), ("build/oldest-branch", 14)]


@pytest.mark.parametrize(
    "files",
    [
        {"Makefile": MAKE + "hip: a.cu\n\thipcc -DGGML_USE_HIP a.cu -o app\n"},
        {"CMakeLists.txt": "add_compile_definitions(GGML_USE_HIP)\n"},
        {"vendor.h": "#define GGML_USE_HIP\n"},
        {"README.md": "Build it with `-DGGML_USE_HIP`.\n"},
    ],
)
def test_where_something_sets_it_its_branches_are_the_port(files: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, files) == []


def test_without_a_build_nobody_knows(tmp_path: Path) -> None:
    written(tmp_path, {"a.cu": CODE % ("128", "64")})
    scan = pipeline.scan(tmp_path, Config(jobs=1))
    assert not [one for one in scan.findings if one.rule.startswith("build/o")]


@pytest.mark.parametrize(("sizes", "rule"), [(("128", "64"), "arch-gate"), (("true", "false"), "older-path")])
def test_a_size_that_the_host_may_know_is_no_older_way(sizes: tuple[str, str], rule: str, tmp_path: Path) -> None:
    assert found(tmp_path, {}, sizes)[0] == (f"build/{rule}", 6)


def test_the_same_size_in_both_is_none(tmp_path: Path) -> None:
    assert [line for _, line in found(tmp_path, {}, ("64", "64"))] == [14]
