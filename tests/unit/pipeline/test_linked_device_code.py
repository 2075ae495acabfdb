"""A variable that another file defines is reported where no Makefile links device code across files."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CODE = "#include <cuda_runtime.h>\nextern __constant__ int table[16];\n__global__ void k(int *a) { *a = table[0]; }\n"
MAKE = (
    "FLAGS = -O3 {} -arch=native\napp: a.o b.o\n\tnvcc $^ $(FLAGS) -o app\n%.o: src/%.cu\n\tnvcc $(FLAGS) -c $< -o $@\n"
)


def found(root: Path, files: dict[str, str]) -> list[str]:
    written(root, {"src/a.cu": CODE, **files})
    scan = pipeline.scan(root, Config(jobs=1))
    return [one.rule for one in scan.findings if one.rule == "memory/external-variable"]


@pytest.mark.parametrize("option", ["-rdc=true", "-dc", "--relocatable-device-code=true"])
def test_a_build_that_links_device_code_leaves_nothing_to_say(option: str, tmp_path: Path) -> None:
    assert found(tmp_path, {"Makefile": MAKE.format(option)}) == []


def test_the_command_may_be_a_variable(tmp_path: Path) -> None:
    text = "RUN = nvcc -rdc=true -c $< -o $@\na.o: src/a.cu\n\t$(RUN)\n"
    assert found(tmp_path, {"Makefile": text}) == []


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"Makefile": MAKE.format("-lineinfo")},
        {"Makefile": MAKE.format("-rdc=true") + "c.o: c.cu\n\tnvcc -c c.cu -o c.o\n"},  # one file has it not
        {"other/Makefile": MAKE.format("-rdc=true")},
        {"Makefile": MAKE.format("-rdc=true"), "src/Makefile": MAKE.format("").replace("src/", "")},
    ],
)
def test_another_build_does_not(files: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, files) == ["memory/external-variable"]


CMAKE = "project(p LANGUAGES CXX CUDA)\nfile(GLOB ALL src/*.cu)\nadd_executable(app ${ALL})\n"
TARGET = "set_target_properties(app PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n"
LIBRARY = "add_library(parts STATIC src/a.cu)\n"


@pytest.mark.parametrize(
    "text",
    [
        CMAKE + TARGET,
        CMAKE + "set_property(TARGET app PROPERTY CUDA_SEPARABLE_COMPILATION 1)\n",
        CMAKE + LIBRARY + TARGET + TARGET.replace("app", "parts"),
        CMAKE.replace("add_exe", 'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -rdc=true -O3")\nadd_exe'),
    ],
)
def test_nor_is_anything_left_where_targets_of_cmake_have_the_property(text: str, tmp_path: Path) -> None:
    assert found(tmp_path, {"CMakeLists.txt": text}) == []


@pytest.mark.parametrize(
    "files",
    [
        {"CMakeLists.txt": CMAKE},
        {"CMakeLists.txt": CMAKE + TARGET.replace("ON", "OFF")},
        {"CMakeLists.txt": CMAKE + LIBRARY + TARGET},  # one target has it not
        {"CMakeLists.txt": CMAKE + "set(CMAKE_CUDA_SEPARABLE_COMPILATION ON)\n"},  # which is not converted
        {"CMakeLists.txt": CMAKE + TARGET, "src/Makefile": MAKE.format("").replace("src/", "")},
        {"CMakeLists.txt": CMAKE + TARGET, "src/CMakeLists.txt": "add_library(more a.cu)\n"},
    ],
)
def test_another_target_of_cmake_has_it_not(files: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, files) == ["memory/external-variable"]


DECLARED = "#pragma once\nextern __device__ __constant__ int table[16];\n"
DEFINED = "#pragma once\n__device__ __constant__ int table[16];\n"
UNIT = '#include "declared.h"\n%s__global__ void k(int *a) { *a = table[0]; }\n'
BOTH = UNIT % '#include "defined.h"\n'


@pytest.mark.parametrize(
    ("files", "left"),
    [
        ({"defined.h": DEFINED, "b.cu": BOTH}, []),
        ({"defined.h": DEFINED, "b.cu": BOTH, "c.cu": UNIT % ""}, ["declared.h"]),  # one unit has it not
        ({"defined.h": DEFINED, "b.cu": UNIT % ""}, ["declared.h"]),
        ({"defined.h": DEFINED.replace("__device__", "extern __device__"), "b.cu": BOTH}, ["declared.h", "defined.h"]),
        ({"defined.h": DEFINED.replace("table", "tables"), "b.cu": BOTH}, ["declared.h"]),
        ({"defined.h": DEFINED}, ["declared.h"]),  # nothing includes it
        ({"defined.h": f"#ifdef WHOLE\n{DEFINED}#endif\n", "b.cu": BOTH}, ["declared.h"]),  # not in all builds
    ],
)
def test_a_variable_that_each_unit_defines_is_in_no_other_file(
    tmp_path: Path, files: dict[str, str], left: list[str]
) -> None:
    written(tmp_path, {"declared.h": DECLARED, **files})
    scan = pipeline.scan(tmp_path, Config(jobs=1))
    assert [one.path for one in scan.findings if one.rule == "memory/external-variable"] == left
