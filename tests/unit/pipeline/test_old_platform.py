"""AMD's platform asked for by the macro of old releases: a gap of a port, unless the repository defines the macro."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

ASKS = """#ifdef __HIP_PLATFORM_HCC__
#include <hip/hip_runtime.h>
#define synchronize hipDeviceSynchronize
#else
#include <cuda_runtime.h>
#define synchronize cudaDeviceSynchronize
#endif
__global__ void k() {}
void run() { synchronize(); }
"""
RULE = "build/old-platform-macro"


def found(root: Path, files: dict[str, str], rocm: str = "6.3") -> list[str]:
    written(root, files)
    return [one.path for one in pipeline.scan(root, Config(jobs=1, rocm=rocm)).findings if one.rule == RULE]


def test_it_is_a_gap_in_what_a_build_for_hip_compiles(tmp_path: Path) -> None:
    build = "# __HIP_PLATFORM_HCC__ is old\nk.o: k.cu\n\thipcc -c k.cu\n"
    assert found(tmp_path, {"k.cu": ASKS, "Makefile": build}) == ["k.cu"]


def test_it_is_one_in_a_file_for_hip_alone(tmp_path: Path) -> None:
    lanes = (
        "#include <hip/hip_runtime.h>\nint lanes() {\n#ifdef __HIP_PLATFORM_HCC__\n  return 64;\n"
        "#else\n  return 32;\n#endif\n}\n"
    )
    sides = {
        f"{side}/{name}.cpp": f'#include <{side}/{side}_runtime.h>\n#include "lanes.h"\nvoid {name}() {{}}\n'
        for side in ("cuda", "hip")
        for name in ("a", "b", "c")
    }
    build = "project(p LANGUAGES CXX)\nfind_package(HIP REQUIRED)\nadd_executable(p a.cpp b.cpp c.cpp)\n"
    files = {**sides, "hip/lanes.h": lanes, "hip/CMakeLists.txt": build, "cuda/k.cu": "__global__ void k() {}\n"}
    assert found(tmp_path, files) == ["hip/lanes.h"]
    assert found(tmp_path / "new", {**files, "hip/lanes.h": lanes.replace("_HCC_", "_AMD_")}) == []


@pytest.mark.parametrize(
    ("files", "rocm"),
    [
        pytest.param({"k.cu": ASKS}, "5.7", id="a release that defines it"),
        pytest.param({"k.cu": ASKS.replace("_HCC_", "_AMD_")}, "6.3", id="the newer macro"),
        pytest.param({"k.cu": ASKS, "p.h": "#define __HIP_PLATFORM_HCC__ 1\n"}, "6.3", id="its own definition"),
        pytest.param({"k.cu": ASKS, "o.mk": "FLAGS += -D__HIP_PLATFORM_HCC__\n"}, "6.3", id="an option of the build"),
        pytest.param({"k.cu": ASKS, "b.py": "macros = [('__HIP_PLATFORM_HCC__', 1)]\n"}, "6.3", id="a program"),
    ],
)
def test_neighbours_are_left_alone(tmp_path: Path, files: dict[str, str], rocm: str) -> None:
    assert found(tmp_path, {**files, "Makefile": "k.o: k.cu\n\thipcc -c k.cu\n"}, rocm) == []
