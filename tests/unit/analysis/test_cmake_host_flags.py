"""What FindCUDA takes from the host's flags: `build/cmake-host-definitions` and `build/cmake-propagated`."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitrepo import write

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import cmake
from cudamigrate.model import SourceFile

OWN = "build/cmake-host-definitions"
TOP = "cmake_minimum_required(VERSION 3.21)\nproject(a CXX)\nfind_package(CUDA REQUIRED)\n"
BUILDS = "cuda_add_library(k a.cu)\n"
DEFINES = 'set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -Wall -DWIDE=${CUDA_ARCH} -DTWO")\n'


def made(folder: Path, files: dict[str, str]) -> tuple[str, list[str]]:
    """All CMake files as converted, and the rules of their findings."""
    write(folder, {"a.cu": "void f(void *p) { cudaFree(p); }\n", **files})
    done = pipeline.apply(folder, Config(arch=("gfx90a",), jobs=1, cache=False))
    text = "".join(one.after.decode() for one in done.conversions if not one.path.endswith(".cu"))
    return text, [one.rule for one in done.report.findings]


@pytest.mark.parametrize(
    ("line", "given"),
    [
        (DEFINES, 'set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS} -DWIDE=${CUDA_ARCH} -DTWO")\n'),
        (
            'string(APPEND CMAKE_CXX_FLAGS_DEBUG " -DSLOW=1")\n',
            'set(CMAKE_HIP_FLAGS_DEBUG "${CMAKE_HIP_FLAGS_DEBUG} -DSLOW=1")\n',
        ),
        (
            'set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} ${OpenMP_CXX_FLAGS} -O2")\n',
            'set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS} ${OpenMP_CXX_FLAGS}")\n',
        ),
        (
            'set(CMAKE_CXX_FLAGS "-Wall -fPIC -std=c++17 -fopenmp")\n',
            'set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS} -fPIC -std=c++17 -fopenmp")\n',
        ),
    ],
)
def test_definitions_are_passed_on(line: str, given: str, tmp_path: Path) -> None:
    text, rules = made(tmp_path, {"CMakeLists.txt": TOP + line + BUILDS})
    assert line + given in text
    assert rules.count(OWN) == 1


@pytest.mark.parametrize(
    "text",
    [
        TOP + DEFINES,  # nothing that FindCUDA compiles
        TOP + DEFINES.replace("_CXX_", "_C_") + BUILDS,  # the host's language is C++
        TOP + 'set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -Wall")\n' + BUILDS,
        TOP + 'set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -std=c++11 -fopenmp-simd")\n' + BUILDS,
        TOP + 'set(CMAKE_C_FLAGS "${CMAKE_C_FLAGS} ${OpenMP_C_FLAGS}")\n' + BUILDS,
        TOP + "add_definitions(-DTWO)\n" + BUILDS,  # of every language
        TOP + "set(CUDA_PROPAGATE_HOST_FLAGS OFF)\n" + DEFINES + BUILDS,
    ],
)
def test_what_is_not_passed_on(text: str, tmp_path: Path) -> None:
    after, rules = made(tmp_path, {"CMakeLists.txt": text})
    assert OWN not in rules and "CMAKE_HIP_FLAGS}" not in after


def test_a_condition_does_not_keep_them(tmp_path: Path) -> None:
    off = "if(APPLE)\n  set(CUDA_PROPAGATE_HOST_FLAGS OFF)\nendif()\n"
    text, rules = made(tmp_path, {"CMakeLists.txt": TOP + off + DEFINES + BUILDS})
    assert "-DTWO" in text.partition("CMAKE_HIP_FLAGS}")[2] and "build/cmake-propagated" not in rules


def test_a_folder_compiles_what_the_project_defines(tmp_path: Path) -> None:
    files = {"CMakeLists.txt": TOP + DEFINES + "add_subdirectory(src)\n", "src/CMakeLists.txt": BUILDS}
    text, rules = made(tmp_path, files)
    assert OWN in rules and "CMAKE_HIP_FLAGS} -DWIDE" in text


def test_a_definition_with_quotes_is_reported_alone(tmp_path: Path) -> None:
    line = 'set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -DNAME=\\"a b\\"")\n'
    text, rules = made(tmp_path, {"CMakeLists.txt": TOP + line + BUILDS})
    assert OWN in rules and "CMAKE_HIP_FLAGS}" not in text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("set(CUDA_PROPAGATE_HOST_FLAGS ON)\n", True),
        ("find_package(CUDA)\nset(CUDA_PROPAGATE_HOST_FLAGS ON)\ncuda_add_library(a a.cu)\n", True),
        ("project(a CXX CUDA)\nset(CUDA_PROPAGATE_HOST_FLAGS ON)\ncuda_add_library(a a.cu)\n", True),
        ("project(a CXX CUDA)\nset(CUDA_PROPAGATE_HOST_FLAGS ON)\nadd_library(a a.cu)\n", False),
        ("enable_language(CUDA)\nset(CUDA_PROPAGATE_HOST_FLAGS ON)\n", False),
    ],
)
def test_variable_that_only_find_cuda_reads(text: str, read: bool) -> None:
    uses = cmake.parse(SourceFile("CMakeLists.txt", text.encode(), "cmake")).uses
    assert ("CUDA_PROPAGATE_HOST_FLAGS" in [use.name for use in uses]) is read
