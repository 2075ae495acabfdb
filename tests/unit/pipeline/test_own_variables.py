"""A variable `CMAKE_CUDA_...` that CMake does not know, and that the project sets and reads, is the project's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import scanned

TOP = "project(a LANGUAGES CXX CUDA)\ninclude(gpu.cmake)\nadd_library(a a.cu)\n{}\n"


@pytest.mark.parametrize(
    ("top", "part", "reported"),
    [
        pytest.param(
            "target_compile_options(a PRIVATE ${CMAKE_CUDA_MY_FLAGS})", "set(CMAKE_CUDA_MY_FLAGS -g)", 0, id="own"
        ),
        pytest.param("", "set(CMAKE_CUDA_MY_FLAGS -g)", 1, id="nothing reads it"),
        pytest.param("target_compile_options(a PRIVATE ${CMAKE_CUDA_MY_FLAGS})", "", 1, id="nothing sets it"),
        pytest.param(
            "message(${CMAKE_CUDA_HOST_LINK_LAUNCHER})", "set(CMAKE_CUDA_HOST_LINK_LAUNCHER g++)", 1, id="CMake's"
        ),
    ],
)
def test_variables_under_the_names_of_cmake(tmp_path: Path, top: str, part: str, reported: int) -> None:
    files = {"CMakeLists.txt": TOP.format(top), "gpu.cmake": part + "\n", "a.cu": "__global__ void k() {}\n"}
    found = [one for one in scanned(tmp_path, files).findings if one.rule == "build/cmake-other-variable"]
    assert len(found) == reported
