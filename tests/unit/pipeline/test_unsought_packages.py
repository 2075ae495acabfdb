"""A question for HIP in CMake is reported where the file that looks for CUDA is left, and nothing looks for HIP."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

PROJECT = """\
cmake_minimum_required(VERSION 3.21)
project(app CXX)
find_package(CUDA_more)
if(CUDA_FOUND)
  cuda_add_library(a a.cu)
endif()
"""
LEFT = "find_package(CUDA)\ncuda_find_helper_file(capability c)\n"


def found(root: Path, project: str, module: str) -> list[tuple[str, int]]:
    """The places of the finding."""
    written(root, {"CMakeLists.txt": project, "cmake/FindCUDA_more.cmake": module, "a.cu": "__global__ void k() {}\n"})
    report = pipeline.scan(root, Config(jobs=1))
    return [(one.path, one.position.line) for one in report.findings if one.rule == "build/cmake-hip-unsought"]


def test_the_first_question_is_reported(tmp_path: Path) -> None:
    more = "if(CUDA_FOUND)\n  message(again)\nendif()\n"
    assert found(tmp_path, PROJECT + more, LEFT) == [("CMakeLists.txt", 4)]


@pytest.mark.parametrize(
    ("project", "module"),
    [
        (PROJECT, "find_package(CUDA)\n"),
        (PROJECT.replace("if(", "find_package(hip)\nif("), LEFT),
        (PROJECT.replace("CUDA_FOUND", "WITH_GPU"), LEFT),
    ],
    ids=["converted", "HIP is looked for", "another question"],
)
def test_others_are_none(tmp_path: Path, project: str, module: str) -> None:
    assert not found(tmp_path, project, module)
