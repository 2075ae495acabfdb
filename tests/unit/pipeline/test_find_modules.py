"""A copy of CMake's module for CUDA is one finding, where the build finds it; similar files are read."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

RULE = "build/cmake-find-module"
MODULE = """find_program(CUDA_NVCC_EXECUTABLE nvcc PATHS ${CUDA_TOOLKIT_ROOT_DIR}/bin)
include(${CMAKE_CURRENT_LIST_DIR}/FindCUDA/choose.cmake)
macro(CUDA_WRAP_SRCS target)
endmacro()
macro(CUDA_ADD_LIBRARY target)
  target_link_libraries(${target} ${CUDA_LIBRARIES})
endmacro()
"""
SCRIPT = "set(flags ${CUDA_NVCC_FLAGS} -ccbin ${CUDA_HOST_COMPILER})\n"
TOP = """list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_SOURCE_DIR}/gpu")
find_package(CUDA)
cuda_add_library(app a.cu)
"""
TREE = {
    "CMakeLists.txt": TOP,
    "gpu/FindCUDA.cmake": MODULE,
    "gpu/FindCUDA/choose.cmake": SCRIPT,
    "a.cu": "__global__ void k() {}\n",
}
WHOLE = {"gpu/FindCUDA.cmake": {RULE}, "gpu/FindCUDA/choose.cmake": set[str]()}


def rules_of(root: Path, files: dict[str, str]) -> dict[str, set[str]]:
    """The rules that findings of each file of the module are of."""
    written(root, {**TREE, **files})
    findings = pipeline.scan(root, Config(jobs=1)).findings
    return {path: {one.rule for one in findings if one.path == path} for path in WHOLE}


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({}, id="list"),
        pytest.param({"CMakeLists.txt": TOP.replace("list(APPEND CMAKE", "set(CMAKE")}, id="set"),
        pytest.param(
            {
                "CMakeLists.txt": TOP.partition("\n")[2],
                "gpu/CMakeLists.txt": "set(CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})\n",
            },
            id="its own folder",
        ),
    ],
)
def test_a_copy_of_the_module_is_one_finding(tmp_path: Path, files: dict[str, str]) -> None:
    assert rules_of(tmp_path, files) == WHOLE


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"CMakeLists.txt": TOP.replace("/gpu", "/other")}, id="another folder"),
        pytest.param({"CMakeLists.txt": TOP.replace("(CUDA)", "(CUDAToolkit)")}, id="nothing finds CUDA"),
        pytest.param({"gpu/FindCUDA.cmake": MODULE.replace("CUDA_ADD", "MY_ADD")}, id="not its commands"),
    ],
)
def test_what_is_no_copy_of_it_is_read(tmp_path: Path, files: dict[str, str]) -> None:
    found = rules_of(tmp_path, files)
    assert all(found.values())
    assert RULE not in set.union(*found.values())


COPY = {"gpu/FindCUDA_old.cmake": MODULE.replace("FindCUDA", "FindCUDA_old"), "gpu/FindCUDA_old/choose.cmake": SCRIPT}
OLD = 'if(${CMAKE_VERSION} VERSION_LESS "3.10.0")\n  find_package(CUDA_old)\nelse()\n  find_package(CUDA)\nendif()'


@pytest.mark.parametrize(
    ("finds", "calls"),
    [("find_package(CUDA_old REQUIRED)", 1), (OLD, 0), (OLD.replace("3.10.0", "3.30"), 1)],
)
def test_a_copy_by_another_name_is_left_whole(tmp_path: Path, finds: str, calls: int) -> None:
    top = TOP.replace("find_package(CUDA)", finds)
    written(tmp_path, {"CMakeLists.txt": top, "a.cu": TREE["a.cu"], **COPY})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert [one.rule for one in findings if one.path.startswith("gpu/")] == [RULE]
    assert len([one for one in findings if one.rule == "build/cmake-find-copy"]) == calls


def test_a_copy_by_another_name_that_nothing_finds_is_read(tmp_path: Path) -> None:
    written(tmp_path, {"CMakeLists.txt": TOP, "a.cu": TREE["a.cu"], **COPY})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert RULE not in {one.rule for one in findings}


def test_a_script_that_the_build_reads_too_is_no_part_of_it(tmp_path: Path) -> None:
    found = rules_of(tmp_path, {"CMakeLists.txt": TOP + "include(gpu/FindCUDA/choose.cmake)\n"})
    assert found["gpu/FindCUDA.cmake"] == {RULE}
    assert found["gpu/FindCUDA/choose.cmake"]
