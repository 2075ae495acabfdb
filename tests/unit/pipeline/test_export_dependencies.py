"""The file that a project installs for its users looks for the packages of what its exported targets link."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CONFIG = """include(CMakeFindDependencyMacro)
if(@WITH_GPU@)
  find_dependency(CUDAToolkit 12 REQUIRED)
endif()
include("${CMAKE_CURRENT_LIST_DIR}/OwnTargets.cmake")
"""
BUILD = """cmake_minimum_required(VERSION 3.21)
project(own CXX CUDA)
find_package(CUDAToolkit REQUIRED)
add_library(own %s k.cu)
target_link_libraries(own %s CUDA::cudart CUDA::cublas)
add_executable(tool t.cu)
target_link_libraries(tool PRIVATE CUDA::cufft)
install(TARGETS own EXPORT OwnSet ARCHIVE DESTINATION lib)
install(EXPORT OwnSet FILE OwnTargets.cmake DESTINATION lib/cmake)
"""


def made(root: Path, kind: str, scope: str, config: str = CONFIG) -> list[str]:
    kernel = "__global__ void k() {}\n"
    files = {"CMakeLists.txt": BUILD % (kind, scope), "own-config.cmake.in": config, "k.cu": kernel, "t.cu": kernel}
    applied = pipeline.apply(written(root, files), Config(jobs=1))
    after = next(one.after.decode() for one in applied.conversions if one.path == "own-config.cmake.in")
    return [line for line in after.splitlines() if "find_dependency" in line]


HIP, BLAS = "  find_dependency(hip REQUIRED)", "  find_dependency(hipblas REQUIRED)"


@pytest.mark.parametrize(("kind", "scope"), [("STATIC", "PUBLIC"), ("STATIC", "PRIVATE"), ("SHARED", "PUBLIC")])
def test_each_library_of_an_exported_target_is_looked_for(kind: str, scope: str, tmp_path: Path) -> None:
    assert made(tmp_path, kind, scope) == [HIP, BLAS]


def test_what_a_shared_library_links_for_itself_is_not(tmp_path: Path) -> None:
    assert made(tmp_path, "SHARED", "PRIVATE") == [HIP]


def test_what_another_file_exports_is_not(tmp_path: Path) -> None:
    assert made(tmp_path, "STATIC", "PUBLIC", CONFIG.replace("OwnTargets", "Others")) == [HIP]


def test_what_the_file_looks_for_already_is_not(tmp_path: Path) -> None:
    config = CONFIG.replace("endif()", "  find_dependency(hipblas)\nendif()")
    assert made(tmp_path, "STATIC", "PUBLIC", config) == [HIP, "  find_dependency(hipblas)"]
