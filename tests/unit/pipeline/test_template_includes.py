"""Templates that CMake fills in include our headers from a folder that CMake writes, others by a relative path."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

KERNEL = """\
#include <cuda_runtime.h>
__global__ void @NAME@(unsigned *p) { p[threadIdx.x / 32] = __ballot_sync(0xffffffffu, p[threadIdx.x] > 1); }
"""
LISTS = """\
cmake_minimum_required(VERSION 3.18)
project(made LANGUAGES CXX CUDA)
%s
add_library(made STATIC ${CMAKE_CURRENT_BINARY_DIR}/vote.cu)
"""
NAMED = '#include "@PROJECT_SOURCE_DIR@/cudamigrate_hip.h"'
BESIDE = '#include "../cudamigrate_hip.h"'


def included(root: Path, files: dict[str, str], template: str) -> list[str]:
    """The includes of ours in a file after the conversion."""
    written(root, files)
    made = {one.path: one.after.decode() for one in pipeline.apply(root, Config(jobs=1)).conversions}
    return [line for line in made[template].splitlines() if "cudamigrate_hip.h" in line]


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("configure_file(gen/vote.cu.in ${CMAKE_BINARY_DIR}/vote.cu @ONLY)", NAMED),
        ("configure_file(${CMAKE_CURRENT_SOURCE_DIR}/gen/vote.cu.in vote.cu)", NAMED),
        ("foreach(K vote)\n  configure_file(gen/${K}.cu.in ${K}.cu)\nendforeach()", NAMED),
        ("configure_file(gen/vote.cu.in vote.cu COPYONLY)", BESIDE),
        ("configure_file(gen/vote.cu.in ${CMAKE_CURRENT_SOURCE_DIR}/gen/vote.cu)", BESIDE),
        ("configure_file(gen/other.cu.in other.cu)", BESIDE),
    ],
)
def test_an_include_in_a_template(command: str, line: str, tmp_path: Path) -> None:
    files = {"CMakeLists.txt": LISTS % command, "gen/vote.cu.in": KERNEL}
    assert included(tmp_path, files, "gen/vote.cu.in") == [line]


FREES = "#include <cuda_runtime.h>\nvoid @NAME@(void *p) { cudaFree(p); }\n"
FILLS = "function(made FILE)\n  configure_file(${FILE} ${FILE}.cu %s)\nendfunction()\n"


@pytest.mark.parametrize(
    ("how", "call", "line"),
    [
        ("@ONLY", "made(gen/vote.cu.in)", NAMED),
        (
            "@ONLY",
            'foreach(K one two)\n  made("${CMAKE_CURRENT_SOURCE_DIR}/gen/vote.cu.in" NAME ${K})\nendforeach()',
            NAMED,
        ),
        ("COPYONLY", "made(gen/vote.cu.in)", BESIDE),
        ("@ONLY", "made(gen/other.cu.in)", BESIDE),
        ("@ONLY", "message(STATUS gen/vote.cu.in)", BESIDE),
    ],
)
def test_a_template_that_a_function_is_given(how: str, call: str, line: str, tmp_path: Path) -> None:
    files = {"CMakeLists.txt": LISTS % f"include(cmake/made.cmake)\n{call}", "cmake/made.cmake": FILLS % how}
    assert included(tmp_path, {**files, "gen/vote.cu.in": KERNEL}, "gen/vote.cu.in") == [line]


def test_a_template_of_a_part_is_found_from_the_project(tmp_path: Path) -> None:
    files = {
        "all/CMakeLists.txt": LISTS % "add_subdirectory(part)",
        "all/part/CMakeLists.txt": "configure_file(vote.cu.in vote.cu)\n",
        "all/part/vote.cu.in": KERNEL,
    }
    (line,) = included(tmp_path, files, "all/part/vote.cu.in")
    assert line in (NAMED, '#include "@PROJECT_SOURCE_DIR@/../cudamigrate_hip.h"')


def test_a_file_that_is_compiled_where_it_is_keeps_its_path(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": LISTS % "configure_file(gen/vote.cu.in vote.cu)",
        "gen/vote.cu.in": KERNEL,
        "gen/plain.cu": KERNEL.replace("@NAME@", "plain"),
    }
    assert included(tmp_path, files, "gen/plain.cu") == [BESIDE]


@pytest.mark.parametrize(("how", "before"), [("@ONLY", "@PROJECT_SOURCE_DIR@"), ("COPYONLY", "..")])
def test_the_header_of_names_is_found_from_a_template_too(how: str, before: str, tmp_path: Path) -> None:
    lists = LISTS % "include(cmake/made.cmake)\nmade(gen/vote.cu.in)"
    written(tmp_path, {"CMakeLists.txt": lists, "cmake/made.cmake": FILLS % how, "gen/vote.cu.in": FREES})
    config = Config(jobs=1, style="portable")
    (made,) = (one for one in pipeline.apply(tmp_path, config).conversions if one.path == "gen/vote.cu.in")
    assert f'#include "{before}/cudamigrate_portable.h"' in made.after.decode()
