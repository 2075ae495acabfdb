"""A HIP port that asks for packages of an older major release does not configure: a gap of the port."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.rulebase import rocm_releases

RULE = "build/cmake-package-release"
BUILD = """project(a LANGUAGES CXX)
option(WITH_HIP "" OFF)
if(WITH_HIP)
  {}
  target_link_libraries(a PRIVATE hip::device)
else()
  enable_language(CUDA)
  find_package(CUDAToolkit)
endif()
add_executable(a a.cpp)
"""
FOR_HIP = "#ifdef __HIPCC__\n#include <hip/hip_runtime.h>\n#define cudaFree hipFree\n"
CODE = FOR_HIP + "#else\n#include <cuda_runtime.h>\n#endif\n"


def gaps(root: Path, command: str, rocm: str = "7.2") -> list[str]:
    written(root, {"CMakeLists.txt": BUILD.format(command), "a.cpp": CODE + "void f(int *a) { cudaFree(a); }\n"})
    report = pipeline.scan(root, Config(jobs=1, cache=False, rocm=rocm))
    assert report.port is not None
    return [one.message for one in report.findings if one.rule == RULE]


def test_it_is_a_gap_of_the_port(tmp_path: Path) -> None:
    (message,) = gaps(tmp_path, "find_package(hip 5.0 REQUIRED)")
    assert message.startswith("Gap in the HIP port: `hip` is version 7 ") and "request for version 5.0:" in message


@pytest.mark.parametrize(
    ("command", "rocm"),
    [("find_package(hip REQUIRED)", "7.2"), ("find_package(hip 5.0 REQUIRED)", "5.7"), ("find_package(own 1)", "7.2")],
)
def test_what_the_target_answers_is_none(tmp_path: Path, command: str, rocm: str) -> None:
    assert gaps(tmp_path, command, rocm) == []


@pytest.mark.parametrize(
    ("name", "rocm", "major"),
    [("hip", "10.1", 7), ("hip", "6.4", 6), ("rocblas", "6.4", 4), ("rocblas", "5.7", 0), ("own", "7.2", 0)],
)
def test_majors_of_packages(name: str, rocm: str, major: int) -> None:
    assert rocm_releases.package(name, rocm) == major
