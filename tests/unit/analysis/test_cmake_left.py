"""What a CMake file left for CUDA enters is left too: `build/cmake-left-whole`, `build/cmake-left-entered`."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitrepo import write

from cudamigrate import pipeline
from cudamigrate.analysis import cmake_left
from cudamigrate.config import Config
from cudamigrate.model import Target
from cudamigrate.rulebase import project_rules

STUCK = "project(a CXX)\nfind_package(CUDA)\ncuda_find_library_local_first(X x doc)\n"
BELOW = "cuda_add_library(k a.cu)\n"


def kept(folder: Path, files: dict[str, str]) -> set[str]:
    """The CMake files that `apply` leaves as they are."""
    write(folder, {"src/a.cu": "void f(void *p) { cudaFree(p); }\n", **files})
    made = pipeline.apply(folder, Config(arch=("gfx90a",), jobs=1, cache=False))
    return files.keys() - {one.path for one in made.conversions if one.after != one.before}


@pytest.mark.parametrize(
    ("top", "left"),
    [
        (f"{STUCK}add_subdirectory(src)\n", True),
        (f"{STUCK}add_subdirectory(${{CMAKE_CURRENT_SOURCE_DIR}}/src)\n", True),
        (f"{STUCK}add_subdirectory(other)\n", True),  # through another
        (f"{STUCK}add_subdirectory(lib)\n", False),  # another folder
        ("project(a CXX)\nfind_package(CUDA)\nadd_subdirectory(src)\n", False),
    ],
)
def test_folders_that_a_left_file_adds(top: str, left: bool, tmp_path: Path) -> None:
    files = {"CMakeLists.txt": top, "src/CMakeLists.txt": BELOW, "lib/CMakeLists.txt": "add_library(l l.cpp)\n"}
    files["other/CMakeLists.txt"] = "add_subdirectory(../src)\n"
    assert ("src/CMakeLists.txt" in kept(tmp_path, files)) is left


@pytest.mark.parametrize(("included", "left"), [("Options", True), ("${D}/Options.cmake", True), ("Other", False)])
def test_scripts_that_feed_a_left_file(included: str, left: bool, tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": f"{STUCK}include({included})\n",
        "cmake/Options.cmake": "list(APPEND CUDA_NVCC_FLAGS -gencode arch=compute_70,code=sm_70 -lineinfo)\n",
    }
    assert ("cmake/Options.cmake" in kept(tmp_path, files)) is left


def test_the_finding_says_so(tmp_path: Path) -> None:
    write(tmp_path, {"CMakeLists.txt": f"{STUCK}add_subdirectory(src)\n", "src/CMakeLists.txt": BELOW})
    report = pipeline.scan(tmp_path, Config(jobs=1, cache=False))
    told = {(one.path, one.rule) for one in report.findings}
    assert ("CMakeLists.txt", "build/cmake-left-whole") in told
    assert ("src/CMakeLists.txt", "build/cmake-left-entered") in told
    assert not any(one.fix for one in report.findings if one.path == "src/CMakeLists.txt")


def test_folders_that_add_each_other_end(tmp_path: Path) -> None:
    around = {"CMakeLists.txt": f"{STUCK}add_subdirectory(src)\n", "src/CMakeLists.txt": f"{BELOW}add_subdirectory(..)"}
    assert kept(tmp_path, around) == around.keys()


@pytest.mark.parametrize(
    ("files", "raised"),
    [
        pytest.param({"src/CMakeLists.txt": STUCK.removeprefix("project(a CXX)\n") + BELOW}, False, id="all is left"),
        pytest.param({"src/CMakeLists.txt": "find_package(CUDA)\n" + BELOW}, True, id="it is converted"),
        pytest.param(
            {"src/CMakeLists.txt": STUCK + BELOW, "lib/CMakeLists.txt": "enable_language(CUDA)\n"}, True, id="a part is"
        ),
    ],
)
def test_a_project_needs_the_release_that_knows_hip_where_something_of_it_is_converted(
    files: dict[str, str], raised: bool, tmp_path: Path
) -> None:
    top = "cmake_minimum_required(VERSION 3.11)\nproject(a CXX)\nadd_subdirectory(lib)\nadd_subdirectory(src)\n"
    assert ("CMakeLists.txt" not in kept(tmp_path, {"CMakeLists.txt": top, **files})) is raised


@pytest.mark.parametrize(
    ("call", "left"),
    [
        ('cuda_find_library_local_first(X cudadevrt "kernels")', False),
        ('cuda_find_library_local_first_with_path_ext(X cublas "BLAS" "extras/")', False),
        ('cuda_find_library_local_first(X nppi "images")', True),
        ("cuda_find_library_local_first(X ${name} doc)", True),
        ("cuda_find_library_local_first(X cublas)", True),
    ],
)
def test_a_library_that_rocm_has_or_that_goes_leaves_nothing(call: str, left: bool, tmp_path: Path) -> None:
    files = {"CMakeLists.txt": f"project(a CXX)\nfind_package(CUDA)\n{call}\n{BELOW}target_link_libraries(k ${{X}})\n"}
    assert bool(kept(tmp_path, files)) is left


def test_each_library_of_these_has_a_rule_that_writes_its_target() -> None:
    book = project_rules.load(Target())
    rules = [book.named("cmake", f"link {name}") for name in cmake_left.FOUND]
    assert all(rule is not None and rule.change.text[:1] == ("cmake_link",) for rule in rules)


WRAPPED = "cuda_wrap_srcs(a OBJ made src/a.cu)\ntarget_link_libraries(a ${CUDA_LIBRARIES})\n"


@pytest.mark.parametrize(
    ("top", "script", "left"),
    [
        ("find_package(CUDA)\ninclude(cuda.cmake)\n", WRAPPED, True),  # the module is found for what is included
        ("find_package(CUDA)\nadd_subdirectory(src)\ninclude(cuda.cmake)\n", WRAPPED, True),
        ("find_package(CUDA)\ninclude(cuda.cmake)\n", f"find_package(CUDA)\n{WRAPPED}", False),  # it finds it itself
        ("find_package(CUDA)\ninclude(other.cmake)\n", WRAPPED, False),
        ("find_package(CUDA)\ninclude(cuda.cmake)\n", WRAPPED.partition("\n")[2], False),  # nothing is stuck
    ],
)
def test_a_file_that_finds_cuda_for_a_left_one(top: str, script: str, left: bool, tmp_path: Path) -> None:
    files = {"CMakeLists.txt": f"project(a CXX)\n{top}cuda_add_library(b b.cu)\n", "cuda.cmake": script}
    files |= {"other.cmake": "set(A 1)\n", "src/CMakeLists.txt": BELOW}
    unchanged = kept(tmp_path, files)
    assert ("CMakeLists.txt" in unchanged) is left
    assert not left or "src/CMakeLists.txt" in unchanged or "add_subdirectory" not in top
