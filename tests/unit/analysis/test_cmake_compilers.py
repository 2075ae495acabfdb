"""Variables of CMake that hold nvcc, over the files of a tree, and whether the project only compiles by them."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.analysis import cmake_compilers
from cudamigrate.analysis.cmake_compilers import Holders
from cudamigrate.config import Config
from cudamigrate.syntax import cmake

FIND = "find_program(N nvcc)\n"
BUILD = "add_custom_command(OUTPUT a.o COMMAND {} -arch=sm_70 -c a.cu -o a.o)\n"


def holders(*files: str) -> Holders:
    """What some files say of variables."""
    return cmake_compilers.holders([cmake.read(one.encode()) for one in files])


@pytest.mark.parametrize(
    "text",
    [
        FIND,
        "find_program(N NAMES nvcc nvcc.exe HINTS $ENV{HOME}/bin)\n",
        'set(N "")\nset(N ${CUDA_HOME}/bin/nvcc CACHE FILEPATH "x")\n',
        "find_program(M nvcc)\nset(N ${M})\n",
        f"{FIND}mark_as_advanced(N)\nif(NOT N)\n  message(FATAL_ERROR ${{N}})\nendif()\n",
    ],
)
def test_a_variable_that_is_set_to_nvcc_and_compiles(text: str) -> None:
    found = holders(text, BUILD.format("${N}"))
    assert "N" in found.compiling
    assert not found.others


@pytest.mark.parametrize(
    "more",
    [
        "execute_process(COMMAND ${N} --version OUTPUT_VARIABLE R)\n",
        "set(M ${N})\nadd_custom_command(OUTPUT a.ptx COMMAND ${M} --ptx a.cu -o a.ptx)\n",
        "get_filename_component(HOME ${N} DIRECTORY)\n",
        "configure_file(a.in a)\nset(LINE ${N};-O3)\n",
        "own_command(${N})\n",
        "set(F -ptx)\nset(G ${F})\nadd_custom_command(OUTPUT a.o COMMAND ${N} ${G} a.cu -o a.o)\n",
        "add_custom_command(OUTPUT a.o COMMAND env X=1 ${N} -c a.cu -o a.o)\n",
    ],
)
def test_one_that_is_for_more_stays_with_its_copies(more: str) -> None:
    found = holders(FIND, BUILD.format("${N}"), more)
    assert "N" in found.others
    assert not found.compiling


@pytest.mark.parametrize(
    "text",
    [
        f"{FIND}set(N clang++)\n",
        f"{FIND}execute_process(COMMAND which gcc OUTPUT_VARIABLE N)\n",
        "find_program(N NAMES hipcc nvcc)\n",
        "find_program(N nvcc_wrapper)\n",
        "set(N ${M})\nset(M ${N})\n",
        "set(CMAKE_CUDA_COMPILER nvcc)\nset(M nvcc-11)\n",
    ],
)
def test_one_that_may_hold_something_else_is_none(text: str) -> None:
    assert holders(text, BUILD.format("${N}")) == Holders()


def test_a_search_in_one_file_and_a_command_in_another_are_converted_together(tmp_path: Path) -> None:
    top = "project(a CXX)\ninclude(cmake/find.cmake)\ninclude(cmake/build.cmake)\n"
    build = f"set(BY ${{N}})\n{BUILD.format('${BY}')}"
    written(tmp_path, {"CMakeLists.txt": top, "cmake/find.cmake": FIND, "cmake/build.cmake": build, "a.cu": ""})
    made = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config()).conversions}
    assert made["cmake/find.cmake"] == "find_program(N hipcc /opt/rocm/bin)\n"
    assert "${BY} --offload-arch=gfx90a --offload-arch=gfx942 -c a.cu" in made["cmake/build.cmake"]


def test_what_is_asked_in_a_third_file_keeps_both(tmp_path: Path) -> None:
    top = "project(a CXX)\nexecute_process(COMMAND ${N} --version OUTPUT_VARIABLE R)\n"
    files = {"CMakeLists.txt": top, "find.cmake": FIND, "build.cmake": BUILD.format("${N}"), "a.cu": ""}
    written(tmp_path, files)
    done = pipeline.apply(tmp_path, Config())
    assert not {one.path for one in done.conversions} & set(files)
    found = {(one.path, one.rule) for one in done.report.findings}
    assert {("find.cmake", "build/cmake-search-nvcc"), ("build.cmake", "build/flag-arch")} <= found
