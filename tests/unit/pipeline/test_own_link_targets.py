"""NVIDIA's libraries that ROCm lacks are reported in each way to link them, but for a repository that builds one."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.syntax.library_files import ALONE

KERNEL = {"a.cu": "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n"}
RULES = ("build/cmake-link-named", "build/cmake-find-library", "build/flag-library-other", "build/library-file-other")
CMAKE = "cmake_minimum_required(VERSION 3.18)\nproject(app LANGUAGES CXX CUDA)\nadd_executable(app a.cu)\n"


def reported(root: Path, files: dict[str, str]) -> int:
    """How many places say that a library is missing."""
    written(root, {**KERNEL, **files})
    return sum(one.rule in RULES for one in pipeline.scan(root, Config(jobs=1, cache=False)).findings)


@pytest.mark.parametrize(
    ("path", "head", "line"),
    [
        ("Makefile", "app: a.cu\n", "\tnvcc a.cu -l{} -o app\n"),
        ("Makefile", "NVCC = nvcc\napp: a.cu\n\t$(NVCC) a.cu -o app\n", "LIBS += /usr/local/cuda/lib64/lib{}.so.1\n"),
        ("CMakeLists.txt", CMAKE, "target_link_libraries(app PRIVATE {})\n"),
        ("CMakeLists.txt", CMAKE, "find_library(FOUND {})\n"),
    ],
)
def test_each_is_reported_however_it_is_linked(tmp_path: Path, path: str, head: str, line: str) -> None:
    assert reported(tmp_path, {path: head + "".join(line.format(name) for name in ALONE)}) == len(ALONE)


@pytest.mark.parametrize("name", ["my_nvinfer", "nvinfer2", "nvcuvid_wrapper"])
def test_a_name_of_the_projects_own_is_not(tmp_path: Path, name: str) -> None:
    lines = f"target_link_libraries(app PRIVATE {name})\nfind_library(FOUND {name})\n"
    assert not reported(tmp_path, {"CMakeLists.txt": CMAKE + lines, "Makefile": f"app: a.cu\n\tnvcc a.cu -l{name}\n"})


@pytest.mark.parametrize(("made", "left"), [("", 0), ("IMPORTED ", 1)])
def test_one_that_the_repository_builds_is_not(tmp_path: Path, made: str, left: int) -> None:
    files = {
        "CMakeLists.txt": CMAKE + "add_subdirectory(lib)\ntarget_link_libraries(app PRIVATE nvcv_types)\n",
        "lib/CMakeLists.txt": f"add_library(nvcv_types SHARED {made}types.cpp)\n",
        "lib/types.cpp": "int types() { return 1; }\n",
    }
    assert reported(tmp_path, files) == left
