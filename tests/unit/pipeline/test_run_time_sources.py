"""Kernels in files that a program hands to NVRTC: hipRTC finds no header of HIP's."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

KERNEL = "__global__ void twice(int *a) { a[threadIdx.x] *= 2; }\n"
LOADER = "#include <nvrtc.h>\nvoid build(nvrtcProgram *p, const char *s) { nvrtcCreateProgram(p, s, 0, 0, 0, 0); }\n"
BUILD = "project(a LANGUAGES CXX CUDA)\nadd_executable(a main.cu)\n"
NAMED = 'void f() { load(dir() + "/kernel.cu"); }\n'
GUARDED = "#if !defined(__HIPCC_RTC__)\n#include <hip/hip_runtime.h>\n#endif\n"


def made(root: Path, files: dict[str, str]) -> str:
    """`kernel.cu` as converted."""
    written(root, {"CMakeLists.txt": BUILD, "kernel.cu": KERNEL, **files})
    done = pipeline.apply(root, Config(jobs=1, cache=False))
    return next(one.after.decode() for one in done.conversions if one.path == "kernel.cu")


@pytest.mark.parametrize(
    "files",
    [
        {"load.cpp": LOADER, "main.cu": NAMED},
        {"load.cpp": LOADER, "main.cu": NAMED + '#include "kernel.cu"\n'},  # hipcc compiles it, too
        {"load.cpp": LOADER, "main.cu": "int main() {}\n"},  # in no build, and in no other file
        {
            "load.cpp": LOADER,
            "main.cu": '#include "kernel.cu"\nvoid f() { load("other.cu"); }\n',
            "other.cu": '#include "kernel.cu"\n',
        },
    ],
)
def test_a_file_that_is_compiled_at_run_time(tmp_path: Path, files: dict[str, str]) -> None:
    assert made(tmp_path, files) == GUARDED + KERNEL


@pytest.mark.parametrize(
    "files",
    [
        {"main.cu": NAMED},  # nothing compiles at run time
        {"load.cpp": LOADER, "main.cu": '#include "kernel.cu"\n'},
        {"load.cpp": LOADER, "main.cu": '#include "kernel.cu"\n// "kernel.cu"\nvoid f() { load("my_kernel.cu"); }\n'},
        {
            "load.cpp": LOADER,
            "main.cu": "int main() {}\n",
            "CMakeLists.txt": BUILD.replace("main.cu", "main.cu kernel.cu"),
        },
        {
            "load.cpp": LOADER,
            "main.cu": "int main() {}\n",
            "CMakeLists.txt": "file(GLOB all *.cu)\nadd_executable(a ${all})\n",
        },
    ],
)
def test_a_file_that_a_build_compiles(tmp_path: Path, files: dict[str, str]) -> None:
    assert made(tmp_path, files) == "#include <hip/hip_runtime.h>\n" + KERNEL


ACTIVE = "__global__ void twice(int *a) { a[0] = __popc(__activemask()); }\n"


@pytest.mark.parametrize(
    ("files", "reported"),
    [
        ({"load.cpp": LOADER, "main.cu": NAMED}, ["kernel.cu"]),
        ({"load.cpp": LOADER, "main.cu": NAMED, "kernel.cu": '#include "part.h"\n', "part.h": ACTIVE}, ["part.h"]),
        ({"load.cpp": LOADER, "main.cu": '#include "kernel.cu"\n'}, []),  # a build compiles it
        ({"main.cu": NAMED}, []),
    ],
)
def test_that_the_program_gives_our_header_to_the_compiler_is_reported(
    tmp_path: Path, files: dict[str, str], reported: list[str]
) -> None:
    written(tmp_path, {"CMakeLists.txt": BUILD, "kernel.cu": ACTIVE, **files})
    found = pipeline.scan(tmp_path, Config(jobs=1, cache=False)).findings
    assert [one.path for one in found if one.rule == "build/run-time-header"] == reported
