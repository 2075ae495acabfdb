"""A CMake project whose only language was CUDA enables C++ where it looks for a package of ROCm's."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

KERNEL = {"k.cu": "__global__ void k() {}\n", "src/k.cu": "__global__ void k() {}\n"}
SEARCH = "find_package(CUDAToolkit REQUIRED)\n"
LINKS = "add_executable(app k.cu)\ntarget_link_libraries(app PRIVATE CUDA::cudart)\n"
BOTH = ["enable_language(CXX)", "enable_language(HIP)"]
TELLING = ("project", "enable_language", "find_package")


def told(root: Path, files: dict[str, str]) -> dict[str, list[str]]:
    """The lines of the CMake files, as they come out, that tell languages or look for packages."""
    written(root, {**KERNEL, **files})
    made = {one.path: one.after.decode() for one in pipeline.apply(root, Config(jobs=1)).conversions}
    texts = {path: made.get(path, text) for path, text in files.items()}
    return {path: [one for one in text.splitlines() if one.strip().startswith(TELLING)] for path, text in texts.items()}


def lines(root: Path, text: str) -> list[str]:
    return told(root, {"CMakeLists.txt": text})["CMakeLists.txt"]


@pytest.mark.parametrize(
    ("head", "made"),
    [
        ("project(app CUDA)\n", ["project(app CXX HIP)"]),
        ("project(app LANGUAGES CUDA)\n", ["project(app LANGUAGES CXX HIP)"]),
        (
            'project(app VERSION 1.0 LANGUAGES CUDA DESCRIPTION "C CXX")\n',
            ['project(app VERSION 1.0 LANGUAGES CXX HIP DESCRIPTION "C CXX")'],
        ),
        ("project(app CUDA Fortran)\n", ["project(app CXX HIP Fortran)"]),
        ("project(app NONE)\nenable_language(CUDA)\n", ["project(app NONE)", *BOTH]),
        ("project(app Fortran)\nenable_language(CUDA)\n", ["project(app Fortran)", *BOTH]),
    ],
)
def test_a_project_of_cuda_alone_enables_the_hosts_language_too(head: str, made: list[str], tmp_path: Path) -> None:
    assert lines(tmp_path, f"{head}{SEARCH}{LINKS}") == [*made, "find_package(hip REQUIRED)"]


@pytest.mark.parametrize(
    ("head", "made"),
    [
        ("project(app CXX CUDA)\n", ["project(app CXX HIP)"]),
        ("project(app C CUDA)\n", ["project(app C HIP)"]),
        ("project(app)\nenable_language(CUDA)\n", ["project(app)", "enable_language(HIP)"]),
        ("project(app VERSION 1.0)\nenable_language(CUDA)\n", ["project(app VERSION 1.0)", "enable_language(HIP)"]),
        ("project(app CUDA)\nenable_language(CXX)\n", ["project(app HIP)", "enable_language(CXX)"]),
        ("project(app CUDA ${MORE})\n", ["project(app HIP ${MORE})"]),
        ("enable_language(CUDA)\n", ["enable_language(HIP)"]),
    ],
)
def test_a_project_with_such_a_language_stays(head: str, made: list[str], tmp_path: Path) -> None:
    assert lines(tmp_path, f"{head}{SEARCH}{LINKS}") == [*made, "find_package(hip REQUIRED)"]


def test_a_project_that_looks_for_no_package_stays(tmp_path: Path) -> None:
    assert lines(tmp_path, "project(app CUDA)\nadd_executable(app k.cu)\n") == ["project(app HIP)"]


def test_the_line_is_in_the_branch_that_enables_the_language(tmp_path: Path) -> None:
    text = f"project(app Fortran)\nif(GPU)\n  enable_language(CUDA)\n  {SEARCH}endif()\n"
    assert lines(tmp_path, text)[1:3] == ["  enable_language(CXX)", "  enable_language(HIP)"]


def test_a_search_in_a_folder_below_is_answered_by_the_project_above(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": "project(app CUDA)\nadd_subdirectory(src)\n",
        "src/CMakeLists.txt": f"{SEARCH}{LINKS}",
    }
    assert told(tmp_path, files)["CMakeLists.txt"] == ["project(app CXX HIP)"]


def test_a_language_that_a_folder_below_enables_is_not_seen_above(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": f"project(app CUDA)\nadd_subdirectory(src)\n{SEARCH}{LINKS}",
        "src/CMakeLists.txt": "project(inner CXX)\n",
    }
    made = told(tmp_path, files)
    assert made["CMakeLists.txt"][0] == "project(app CXX HIP)"
    assert made["src/CMakeLists.txt"] == ["project(inner CXX)"]


def test_a_project_of_a_folder_has_the_languages_of_the_one_that_enters_it(tmp_path: Path) -> None:
    inner = {"src/CMakeLists.txt": f"project(inner CUDA)\n{SEARCH}{LINKS}"}
    entered = told(tmp_path / "a", {"CMakeLists.txt": "project(app CXX)\nadd_subdirectory(src)\n", **inner})
    alone = told(tmp_path / "b", {"CMakeLists.txt": "project(app CXX)\nadd_subdirectory(other)\n", **inner})
    assert entered["src/CMakeLists.txt"][0] == "project(inner HIP)"
    assert alone["src/CMakeLists.txt"][0] == "project(inner CXX HIP)"


def test_a_script_that_is_included_may_enable_it(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": f"project(app CUDA)\ninclude(cmake/host.cmake)\n{SEARCH}{LINKS}",
        "cmake/host.cmake": "enable_language(CXX)\n",
    }
    assert told(tmp_path, files)["CMakeLists.txt"][0] == "project(app HIP)"


def test_the_finding_is_at_the_language(tmp_path: Path) -> None:
    report = pipeline.scan(
        written(tmp_path, {**KERNEL, "CMakeLists.txt": f"project(app CUDA)\n{SEARCH}{LINKS}"}), Config(jobs=1)
    )
    found = [one for one in report.findings if one.rule == "build/cmake-host-language"]
    assert [(one.path, one.position.line, one.automatic) for one in found] == [("CMakeLists.txt", 1, True)]
