"""`-Werror` in CMake files, and results of HIP's that C++ sources leave unread."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

RULE = "build/cmake-unread-results"
SOURCES = {
    "src/unread.cpp": "#include <cuda_runtime.h>\nvoid run() { cudaDeviceSynchronize(); }\n",
    "src/read.cpp": "#include <cuda_runtime.h>\nint run() { return cudaDeviceSynchronize(); }\n",
    "src/cast.cpp": "#include <cuda_runtime.h>\nvoid run() { (void)cudaFree(0); cudaGetErrorString(cudaSuccess); }\n",
    "src/own.cpp": '#include "own.h"\nvoid go() { my::check(0); }\n',
    "src/own.h": "#include <cuda_runtime.h>\nnamespace my { cudaError_t check(int a); }\n",
    "src/inside.cpp": '#include "inside.h"\n',
    "src/inside.h": "#include <cuda_runtime.h>\ninline void go() { cudaDeviceReset(); }\n",
    "src/k.cu": "__global__ void k() {}\n",
}
HEAD = "cmake_minimum_required(VERSION 3.21)\nproject(app CXX CUDA)\n"
MORE = "-Wno-error=unused-result"
FLAGS = 'set(CMAKE_CXX_FLAGS "-Wall -Werror -O2")\n'


def made(root: Path, text: str, *sources: str) -> tuple[int, str]:
    """How many findings there are, and the lines with the option."""
    files = {name: SOURCES[name] for name in (*sources, "src/k.cu", *(one for one in SOURCES if one.endswith(".h")))}
    listed = " ".join(one for one in sources if not one.endswith(".h"))
    written(root, {**files, "CMakeLists.txt": f"{HEAD}{text}add_library(app {listed} src/k.cu)\n"})
    applied = pipeline.apply(root, Config(jobs=1))
    after = next(one.after.decode() for one in applied.conversions if one.path == "CMakeLists.txt")
    found = [one for one in applied.report.findings if one.rule == RULE]
    return len(found), "\n".join(line for line in after.splitlines() if MORE in line)


@pytest.mark.parametrize("source", ["src/unread.cpp", "src/own.cpp", "src/inside.cpp"])
def test_a_call_whose_result_nobody_reads_stays_a_warning(source: str, tmp_path: Path) -> None:
    assert made(tmp_path, FLAGS, source) == (1, f'set(CMAKE_CXX_FLAGS "-Wall -Werror {MORE} -O2")')


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("add_compile_options(-Wall -Werror)\n", f"add_compile_options(-Wall -Werror {MORE})"),
        (
            "add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Werror>)\n",
            f"add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Werror> $<$<CXX_COMPILER_ID:GNU>:{MORE}>)",
        ),
        (
            'add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Werror>")\n',
            f'add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Werror;{MORE}>")',
        ),
        ('string(APPEND CMAKE_CXX_FLAGS " -Werror")\n', f'string(APPEND CMAKE_CXX_FLAGS " -Werror {MORE}")'),
        ('set(MY_OPTIONS "-Wall;-Werror")\n', f'set(MY_OPTIONS "-Wall;-Werror;{MORE}")'),
        ('add_compile_options("-Werror")\n', f'add_compile_options("-Werror" {MORE})'),
        ('add_compile_options("SHELL:-Wall -Werror")\n', f'add_compile_options("SHELL:-Wall -Werror {MORE}")'),
        (
            'set_property(DIRECTORY PROPERTY COMPILE_FLAGS "-Werror")\n',
            f'set_property(DIRECTORY PROPERTY COMPILE_FLAGS "-Werror {MORE}")',
        ),
        ("set(MY_OPTIONS -Wall -Werror -O2)\n", f"set(MY_OPTIONS -Wall -Werror {MORE} -O2)"),
        ('set(MY_OPTIONS "-Werror")\n', ""),
        ("set(CMAKE_COMPILE_WARNING_AS_ERROR ON)\n", ""),
        ("set(CMAKE_CXX_FLAGS -Werror)\n", ""),
    ],
)
def test_the_option_goes_where_the_warnings_are_made_errors(text: str, line: str, tmp_path: Path) -> None:
    assert made(tmp_path, text, "src/unread.cpp") == (1, line)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (FLAGS, "src/read.cpp"),
        (FLAGS, "src/cast.cpp"),
        ('set(CMAKE_CXX_FLAGS "-Wall -Werror=format")\n', "src/unread.cpp"),
        ('set(CMAKE_CXX_FLAGS "-Werror -Wno-unused-result")\n', "src/unread.cpp"),
        ('set(CMAKE_C_FLAGS "-Werror")\n', "src/unread.cpp"),
        ('message("-Werror")\n', "src/unread.cpp"),
        ("set(CMAKE_COMPILE_WARNING_AS_ERROR OFF)\n", "src/unread.cpp"),
        ("set(CMAKE_CXX_STANDARD 14)\n" + FLAGS, "src/unread.cpp"),
    ],
)
def test_what_is_read_or_no_error_needs_none(text: str, source: str, tmp_path: Path) -> None:
    assert made(tmp_path, text, source) == (0, "")


def project(root: Path, text: str, **others: str) -> list[str]:
    """The lines with a finding in a project of two targets: `app` has the call in `src/unread.cpp`, `lib` has none."""
    files = {**SOURCES, **{name.replace("__", "/").replace("_", "."): data for name, data in others.items()}}
    written(root, {**files, "CMakeLists.txt": HEAD + text})
    found = [one for one in pipeline.apply(root, Config(jobs=1)).report.findings if one.rule == RULE]
    return [(root / one.path).read_text().splitlines()[one.position.line - 1].strip() for one in found]


TWO = "add_library(app src/unread.cpp src/k.cu)\nadd_library(lib src/read.cpp src/k.cu)\n"


@pytest.mark.parametrize(
    "text",
    [
        TWO + "target_compile_options(app PRIVATE -Werror)",
        TWO + "set_target_properties(app PROPERTIES COMPILE_FLAGS -Werror)",
        TWO + "set_source_files_properties(src/unread.cpp PROPERTIES COMPILE_OPTIONS -Werror)",
        TWO + "target_compile_options(lib PUBLIC -Werror)",
        TWO + "target_compile_options(${WHICH} PRIVATE -Werror)",
        TWO + "add_compile_options(-Werror)",
        "set(S src/read.cpp)\nset(N lib)\nlist(APPEND S src/unread.cpp)\nadd_library(lib ${S})\n"
        "target_compile_options(${N} PRIVATE -Werror)",
        "add_library(lib src/read.cpp ${MORE})\ntarget_compile_options(lib PRIVATE -Werror)",
        "add_library(lib src/read.cpp ${MORE})\nadd_compile_options(-Werror)",
        "file(GLOB S src/*.cpp)\nmy_library(lib ${S})\nadd_library(lib2 src/read.cpp)\nadd_compile_options(-Werror)",
        "if(A)\nset(S src/read.cpp)\nelse()\nset(S src/unread.cpp)\nendif()\nadd_library(lib ${S})\n"
        "target_compile_options(lib PRIVATE -Werror)",
    ],
)
def test_an_option_counts_for_what_may_get_it(text: str, tmp_path: Path) -> None:
    assert len(project(tmp_path, text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        TWO + "target_compile_options(lib PRIVATE -Werror)",
        TWO + "set_target_properties(lib PROPERTIES COMPILE_FLAGS -Werror)",
        TWO + "set_source_files_properties(src/read.cpp PROPERTIES COMPILE_OPTIONS -Werror)",
        TWO + "set_property(SOURCE src/read.cpp PROPERTY COMPILE_OPTIONS -Werror)",
        "set(S src/read.cpp)\nset(N lib)\nadd_library(lib ${S})\nadd_library(app src/unread.cpp)\n"
        "target_compile_options(${N} PRIVATE -Werror)",
        "add_library(lib src/read.cpp src/k.cu)\nadd_compile_options(-Werror)",
    ],
)
def test_it_counts_for_nothing_else(text: str, tmp_path: Path) -> None:
    assert project(tmp_path, text) == []


def test_a_module_gives_options_where_it_is_included(tmp_path: Path) -> None:
    found = project(tmp_path, "include(cmake/Flags.cmake)\n" + TWO, cmake__Flags_cmake=FLAGS)
    assert found == [FLAGS.strip()]
