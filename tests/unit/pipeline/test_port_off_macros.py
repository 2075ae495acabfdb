"""What a port's build for HIP switches off by a macro is no open question."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

BUILD = """project(a LANGUAGES CXX)
set(CUDA_BACKEND "cuda" CACHE STRING "")
add_executable(a a.cpp)
if(CUDA_BACKEND STREQUAL "cuda")
  enable_language(CUDA)
  target_compile_definitions(a PRIVATE NVML=1)
else()
  find_package(hip REQUIRED)
  target_link_libraries(a PRIVATE hip::device)
  target_compile_definitions(a PRIVATE {})
endif()
"""
FOR_HIP = "#ifdef __HIPCC__\n#include <hip/hip_runtime.h>\n#define cudaFree hipFree\n"
HEAD = FOR_HIP + "#else\n#include <cuda_runtime.h>\n#endif\nvoid f(int *a) {{ cudaFree(a); }}\n"
CODE = HEAD + "{}\n#include <nvml.h>\nnvmlReturn_t g() {{ return nvmlInit(); }}\n#endif\n"


def open_places(root: Path, given: str = "NVML=0", asked: str = "#if (NVML==1)", before: str = "") -> int:
    """How many places of the port could not be judged, or are gaps."""
    written(root, {"CMakeLists.txt": BUILD.format(given), "a.cpp": before + CODE.format(asked)})
    report = pipeline.scan(root, Config(jobs=1, cache=False))
    assert report.port is not None
    return sum(map(len, report.port.unproven.values())) + sum(one.path == "a.cpp" for one in report.findings)


@pytest.mark.parametrize("asked", ["#if (NVML==1)", "#if NVML", "#if defined(__linux__) && NVML > 0"])
def test_what_the_build_for_hip_leaves_out_is_answered(tmp_path: Path, asked: str) -> None:
    assert open_places(tmp_path, asked=asked) == 0


@pytest.mark.parametrize(
    ("given", "asked", "before"),
    [
        ("NVML=1", "#if (NVML==1)", ""),  # on for HIP, too
        ("NVML=0", "#ifdef NVML", ""),  # defined, whatever it is
        ("NVML=0", "#if NVML == 0", ""),
        ("NVML=0", "#if NVML == 1 || OWN", ""),
        ("NVML=0", "#if (NVML==1)", "#undef NVML\n#define NVML 1\n"),  # code says otherwise
    ],
)
def test_other_places_stay_open(tmp_path: Path, given: str, asked: str, before: str) -> None:
    assert open_places(tmp_path, given, asked, before) > 0
