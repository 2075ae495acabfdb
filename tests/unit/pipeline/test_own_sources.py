"""Sources for CUDA in folders with a vendored name, which the project's own builds compile."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.model import Inventory
from cudamigrate.pipeline import own_sources
from cudamigrate.project import discovery

KERNEL = '#include "shapes.cuh"\n__global__ void k(float *a) { a[threadIdx.x] = 1; }\n'
HEADER = "__device__ float shape();\n"
FILES = {"external/lib/src/k.cu": KERNEL, "external/lib/src/shapes.cuh": HEADER, "external/other/o.cu": KERNEL}
NAMED = {"external/lib/src/k.cu", "external/lib/src/shapes.cuh"}


def found(folder: Path, files: dict[str, str], own: bool = True) -> Inventory:
    """What is read of a tree with these files, and with a source for CUDA that is its own."""
    for name, text in (files | ({"own.cu": "__global__ void f();\n"} if own else {})).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return own_sources.added(folder, discovery.discover(folder, Config(), known_files()), Config())


def taken(inventory: Inventory) -> set[str]:
    return {entry.path for entry in inventory.entries if entry.path.startswith("external/")}


@pytest.mark.parametrize(
    ("build", "text"),
    [
        ("CMakeLists.txt", "add_executable(a main.cpp ${CMAKE_CURRENT_SOURCE_DIR}/external/lib/src/k.cu)\n"),
        ("CMakeLists.txt", "set(SRC external/lib/src/*.cu)\n"),
        ("src/CMakeLists.txt", "add_library(a ../external/lib/src/k.cu)\n"),
        ("Makefile", "SRC = main.cu external/lib/src/k.cu\n"),
        ("setup.py", "sources = ['a.cpp', 'external/lib/src/k.cu']\n"),
    ],
)
def test_a_source_that_a_build_names_is_taken_with_its_headers(build: str, text: str, tmp_path: Path) -> None:
    inventory = found(tmp_path, {build: text, **FILES})
    assert taken(inventory) == NAMED
    assert inventory.passed_over == ("external/other/o.cu",)
    assert inventory.vendored == {"external": 1}


@pytest.mark.parametrize(
    ("build", "text"),
    [
        ("CMakeLists.txt", "# add_executable(a external/lib/src/k.cu)\n"),
        ("CMakeLists.txt", "add_executable(a k.cu)\n"),
        ("CMakeLists.txt", "file(GLOB_RECURSE SRC *.cu)\n"),
        ("external/lib/Makefile", "SRC = src/k.cu\n"),
        ("README.md", "external/lib/src/k.cu\n"),
    ],
)
def test_a_source_that_no_build_of_the_project_names_is_not(build: str, text: str, tmp_path: Path) -> None:
    assert taken(found(tmp_path, {build: text, **FILES})) == set()


def test_a_folder_that_cmake_enters_and_that_is_no_project_is_the_projects(tmp_path: Path) -> None:
    lists = {"CMakeLists.txt": "add_subdirectory(external)\n", "external/CMakeLists.txt": "add_module(p p.cu)\n"}
    inner = {"external/p.cu": KERNEL, "external/lib/CMakeLists.txt": "project(lib CUDA)\n", "external/lib/k.cu": KERNEL}
    inventory = found(tmp_path, {**lists, **inner, "external/plain.hpp": "int a();\n"})
    assert taken(inventory) == {"external/CMakeLists.txt", "external/p.cu"}


def test_a_folder_inside_it_that_is_entered_too_is_the_projects(tmp_path: Path) -> None:
    lists = {"CMakeLists.txt": "add_subdirectory(external)\n", "external/CMakeLists.txt": "add_subdirectory(p)\n"}
    inner = {"external/p/CMakeLists.txt": "add_library(p p.cu)\n", "external/p/p.cu": KERNEL}
    assert taken(found(tmp_path, {**lists, **inner})) == {*lists, *inner} - {"CMakeLists.txt"}


def test_a_project_of_its_own_stays_other_peoples(tmp_path: Path) -> None:
    lists = {"CMakeLists.txt": "add_subdirectory(external/lib)\n", "external/lib/CMakeLists.txt": "project(lib)\n"}
    assert taken(found(tmp_path, {**lists, **FILES})) == set()


def test_without_a_source_of_its_own_the_projects_gpu_code_is_in_vendored_folders(tmp_path: Path) -> None:
    alone = {"app.py": "import lib\n", **FILES, "external/lib/setup.py": "from setuptools import setup\n"}
    assert taken(found(tmp_path / "alone", alone, own=False)) == alone.keys() - {"app.py"}
    assert taken(found(tmp_path / "beside", alone)) == set()


def test_a_build_file_around_them_is_listed_once(tmp_path: Path) -> None:
    around = {"gpu/CMakeLists.txt": "add_subdirectory(external/lib)\n", "app.cpp": "int main() {}\n"}
    files = {**around, **{f"gpu/{name}": text for name, text in FILES.items()}}
    paths = [one.path for one in found(tmp_path, files, own=False).entries]
    assert sorted(paths) == sorted({*paths}) == sorted(files)


@pytest.mark.parametrize(
    ("build", "taken_too"),
    [
        ('option(WITH_LIB "" OFF)\nif(WITH_LIB AND CUDA_FOUND)\n  add_subdirectory(external/lib)\nendif()\n', False),
        ('set(WITH_LIB OFF CACHE BOOL "")\nif(WITH_LIB)\n  add_subdirectory(external/lib)\nendif()\n', False),
        ('option(WITH_LIB "" ON)\nif(WITH_LIB)\n  add_subdirectory(external/lib)\nendif()\n', True),
        ('option(WITH_LIB "" OFF)\nif(NOT WITH_LIB)\n  add_subdirectory(external/lib)\nendif()\n', True),
        (
            'option(B "" OFF)\nif(B)\nadd_subdirectory(external/lib)\nelse()\nadd_subdirectory(external/lib)\nendif()',
            True,
        ),
    ],
)
def test_a_project_that_is_off_by_default_is_none_of_the_projects_gpu_code(
    build: str, taken_too: bool, tmp_path: Path
) -> None:
    files = {"CMakeLists.txt": build, **FILES, "external/lib/CMakeLists.txt": "project(lib CUDA)\n"}
    inventory = found(tmp_path, files, own=False)
    assert "external/other/o.cu" in taken(inventory)
    assert ("external/lib/src/k.cu" in taken(inventory)) == taken_too


def test_a_folder_called_submodules_whose_files_are_the_repositorys_is_its_own(tmp_path: Path) -> None:
    files = {"submodules/raster/k.cu": KERNEL, "own.cu": "__global__ void f();\n"}
    inventory = found(tmp_path, files)
    assert {one.path for one in inventory.entries} == {*files} and not inventory.vendored
