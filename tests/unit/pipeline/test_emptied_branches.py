"""Tests of a release of CUDA in CMake files, whose branches fixes leave empty."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import scanned

LISTS = """\
cmake_minimum_required(VERSION 3.18)
project(a LANGUAGES CXX CUDA)
set(FLAGS -O3)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 11.2)
  %s
endif()
add_library(a STATIC a.cu)
target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${FLAGS}>)
"""


@pytest.mark.parametrize(
    ("inside", "reported"),
    [
        ("list(APPEND FLAGS --threads=2)", False),
        ("list(APPEND FLAGS --threads=2 --threads=4)", False),
        ("list(APPEND FLAGS --threads=2 -Wall)", True),
        ("list(APPEND FLAGS --threads=2)\n  set(NEW 1)", True),
        ("list(APPEND FLAGS --threads=2)\nelse()\n  set(OLD 1)", True),
        ("set(NEW 1)", True),
    ],
)
def test_a_test_of_the_release(inside: str, reported: bool, tmp_path: Path) -> None:
    files = {"CMakeLists.txt": LISTS % inside, "a.cu": "#include <cuda_runtime.h>\n__global__ void k() {}\n"}
    assert any(one.rule == "build/cmake-version" for one in scanned(tmp_path, files).findings) is reported
