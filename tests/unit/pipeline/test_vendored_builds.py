"""CMake projects in vendored folders that need CUDA are reported where the project's own build adds them."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

TOP = "cmake_minimum_required(VERSION 3.21)\nproject(a LANGUAGES CXX CUDA)\nadd_subdirectory({})\nadd_library(a a.cu)\n"
NEEDS = "project(grid LANGUAGES CXX CUDA)\nadd_library(grid INTERFACE)\n"
AT = "third_party/grid/CMakeLists.txt"


def found(root: Path, files: dict[str, str], config: Config) -> list[tuple[str, int, str]]:
    """Where the rule speaks, and of which file."""
    written(root, files)
    findings = pipeline.scan(root, config).findings
    return [(one.path, one.position.line, one.name) for one in findings if one.rule == "build/vendored-build"]


@pytest.mark.parametrize(
    ("word", "inner", "reported"),
    [
        ("third_party/grid", NEEDS, True),
        ("${CMAKE_CURRENT_SOURCE_DIR}/third_party/grid", NEEDS, True),
        ("${PROJECT_SOURCE_DIR}/third_party/grid out EXCLUDE_FROM_ALL", NEEDS, True),
        ("third_party/grid", "project(grid CXX)\nenable_language(CUDA)\n", True),
        ("third_party/grid", "project(grid CXX)\nfind_package(CUDAToolkit REQUIRED)\n", True),
        ("third_party/grid", "project(grid CXX)\nfind_package(CUDAToolkit)\n", False),
        ("third_party/grid", "project(grid CXX)\nif(GRID_CUDA)\nenable_language(CUDA)\nendif()\n", False),
        ("third_party/grid", "project(grid_cuda LANGUAGES CXX)\n", False),
        ("third_party/other", NEEDS, False),
        ("own", NEEDS, False),
    ],
)
def test_a_vendored_project_for_cuda_is_reported_where_it_is_added(
    tmp_path: Path, word: str, inner: str, reported: bool
) -> None:
    files = {"CMakeLists.txt": TOP.format(word), AT: inner, "third_party/grid/g.h": "int g();\n", "a.cu": "int a;\n"}
    made = found(tmp_path, files, Config(jobs=1))
    assert made == ([("CMakeLists.txt", 3, AT)] if reported else [])


def test_a_vendored_project_that_builds_for_amd_is_not_reported(tmp_path: Path) -> None:
    both = "if(GRID_HIP)\nenable_language(HIP)\nelse()\nenable_language(CUDA)\nendif()\n"
    files = {"CMakeLists.txt": TOP.format("third_party/grid"), AT: f"{NEEDS}{both}", "a.cu": "int a;\n"}
    assert found(tmp_path, files, Config(jobs=1)) == []


def test_nothing_is_reported_where_vendored_folders_are_entered(tmp_path: Path) -> None:
    files = {"CMakeLists.txt": TOP.format("third_party/grid"), AT: NEEDS, "a.cu": "int a;\n"}
    assert found(tmp_path, files, Config(jobs=1, enter_vendored=True)) == []
