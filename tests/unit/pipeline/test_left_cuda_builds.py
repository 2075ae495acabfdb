"""CMake files for CUDA that are left beside a build for HIP: reported where a port lacks most of what they compile."""

from __future__ import annotations

from pathlib import Path

from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

RULE = "build/cmake-left-beside"
TOP = """\
cmake_minimum_required(VERSION 3.24)
project(tracks LANGUAGES CXX)
if(FOR_CUDA)
  add_subdirectory(cuda)
endif()
"""
FOR_HIP = 'option(FOR_HIP "" OFF)\nif(FOR_HIP)\n  add_subdirectory(hip)\nendif()\n'
CUDA = "enable_language(CUDA)\nadd_library(tracks_cuda %s)\n"
HIP = "enable_language(HIP)\nadd_library(tracks_hip %s)\n"
KERNEL = """\
#include <cuda_runtime.h>
__global__ void {0}(int *p) {{ *p = 1; }}
void f_{0}(int *p) {{ cudaFree(p); {0}<<<1, 64>>>(p); }}
"""
NAMES = "abcdefgh"


def tree(of_hip: str) -> dict[str, str]:
    """A project with eight kernels for CUDA and some of them for HIP, each side with its own folder."""
    code = {f"cuda/{name}.cu": KERNEL.format(name) for name in NAMES}
    hip = {
        f"hip/{name}.hip": KERNEL.format(name).replace("cuda_runtime", "hip/hip_runtime").replace("cudaFree", "hipFree")
        for name in of_hip
    }
    builds = {"cuda/CMakeLists.txt": CUDA % " ".join(f"{name}.cu" for name in NAMES)}
    if of_hip:
        builds["hip/CMakeLists.txt"] = HIP % " ".join(f"{name}.hip" for name in of_hip)
    return {"CMakeLists.txt": TOP + (FOR_HIP if of_hip else ""), **code, **hip, **builds}


def found(root: Path, files: dict[str, str]) -> dict[str, str]:
    written(root, files)
    findings = pipeline.scan(root, Config(jobs=1, cache=False)).findings
    return {one.path: one.message for one in findings if one.rule == RULE}


def test_what_a_begun_port_leaves_to_cuda_is_reported(tmp_path: Path) -> None:
    made = found(tmp_path, tree("a"))
    assert made.keys() == {"cuda/CMakeLists.txt"}
    assert "`hip/CMakeLists.txt`" in made["cuda/CMakeLists.txt"]


def test_a_whole_port_and_a_build_for_cuda_alone_are_not(tmp_path: Path) -> None:
    assert found(tmp_path / "whole", tree(NAMES)) == {}
    assert found(tmp_path / "none", tree("")) == {}
