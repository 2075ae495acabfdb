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
