"""Scripts of CMake in folders with a vendored name, which the project includes by their path."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.model import Inventory
from cudamigrate.pipeline import own_scripts
from cudamigrate.project import discovery

SCRIPT = "cmake/thirdparty/cccl.cmake"


def found(folder: Path, files: dict[str, str]) -> Inventory:
    """What is read of a tree with these files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return own_scripts.added(folder, discovery.discover(folder, Config(), known_files()), Config())


def paths(inventory: Inventory) -> list[str]:
    return [entry.path for entry in inventory.entries]


@pytest.mark.parametrize(
    "included",
    [
        SCRIPT,
        f"${{CMAKE_SOURCE_DIR}}/{SCRIPT}",
        f"${{CMAKE_CURRENT_LIST_DIR}}/{SCRIPT}",
        f"./{SCRIPT}",
        "${THIS_DIR}/thirdparty/cccl.cmake",
    ],
)
def test_a_script_that_is_included_is_read(included: str, tmp_path: Path) -> None:
    inventory = found(tmp_path, {"CMakeLists.txt": f'include("{included}")\n', SCRIPT: "find_package(CCCL)\n"})
    assert SCRIPT in paths(inventory)
    assert inventory.vendored == {} and inventory.scripts == ()


def test_scripts_include_scripts(tmp_path: Path) -> None:
    more = "cmake/thirdparty/more.cmake"
    files = {"CMakeLists.txt": f"include({SCRIPT})", SCRIPT: "include(${CMAKE_CURRENT_LIST_DIR}/more.cmake)", more: ""}
    assert {SCRIPT, more} <= set(paths(found(tmp_path, files)))


@pytest.mark.parametrize(
    "files",
    [
        {"CMakeLists.txt": "include(thirdparty/cccl.cmake)", SCRIPT: ""},
        {"CMakeLists.txt": "include(cccl)", SCRIPT: ""},
        {"CMakeLists.txt": f"# include({SCRIPT})", SCRIPT: ""},
        {"CMakeLists.txt": f"include({SCRIPT})", SCRIPT: "", "cmake/thirdparty/lib/a.cpp": "int a;"},
        {"CMakeLists.txt": f"include({SCRIPT})", SCRIPT: "", "cmake/thirdparty/a.cu": "int a;"},
    ],
)
def test_other_scripts_stay_vendored(files: dict[str, str], tmp_path: Path) -> None:
    inventory = found(tmp_path, files)
    assert SCRIPT not in paths(inventory) and "cmake/thirdparty" in inventory.vendored


def test_what_is_excluded_stays_so(tmp_path: Path) -> None:
    found(tmp_path, {"CMakeLists.txt": f"include({SCRIPT})", SCRIPT: "find_package(CCCL)\n"})
    config = Config(exclude=("cmake/",))
    inventory = own_scripts.added(tmp_path, discovery.discover(tmp_path, config, known_files()), config)
    assert paths(inventory) == ["CMakeLists.txt"]


def test_a_script_is_converted_with_the_packages_that_sources_need(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": f"project(a LANGUAGES CXX CUDA)\ninclude({SCRIPT})\ntarget_link_libraries(a CCCL::CCCL)\n",
        SCRIPT: "find_package(CCCL REQUIRED)\n",
        "a.cu": "#include <cub/cub.cuh>\n#include <thrust/sort.h>\n",
    }
    found(tmp_path, files)
    made = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1, cache=False)).conversions}
    assert made[SCRIPT] == "find_package(rocthrust REQUIRED)\nfind_package(hipcub REQUIRED)\n"
    assert "target_link_libraries(a roc::rocthrust hip::hipcub)" in made["CMakeLists.txt"]
