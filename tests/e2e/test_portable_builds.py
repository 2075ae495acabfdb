"""Build files in portable style: without the switch they run the commands that they ran, with it those of HIP's style.

Real CMake and make tell what a build would run; the compilers that CMake is given are stand-ins which do nothing.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from tests.e2e.test_cmake_projects import PROJECTS as CMAKE
from tests.e2e.test_makefiles import MAKEFILES
from tests.stand_in_rocm import PACKAGES

CONDITIONS = {
    "condition": (
        "cmake_minimum_required(VERSION 3.18)\nproject(a LANGUAGES CXX CUDA)\nfind_package(CUDAToolkit)\n"
        "if(CUDAToolkit_FOUND)\n  add_executable(app a.cu)\nelse()\n  add_executable(app m.cpp)\nendif()\n"
    ),
    "choice": (
        "cmake_minimum_required(VERSION 3.18)\nproject(a LANGUAGES CXX CUDA)\n"
        "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n  set(CMAKE_CUDA_ARCHITECTURES 80)\nendif()\n"
        "add_executable(app a.cu)\n"
    ),
    "below": "cmake_minimum_required(VERSION 3.18)\nproject(a CXX)\nadd_subdirectory(lib)\n",
}
FIND_CUDA = """
set(CUDA_FOUND TRUE)
set(CUDA_LIBRARIES cudart)
foreach(command cuda_add_executable cuda_add_library)
  function(${command} name)
    file(APPEND "${CMAKE_BINARY_DIR}/called" "${command} ${name} ${ARGN} ${CUDA_NVCC_FLAGS}\\n")
    add_executable(${name} m.cpp)
  endfunction()
endforeach()
function(cuda_compile name)
  file(APPEND "${CMAKE_BINARY_DIR}/called" "cuda_compile ${ARGN} ${CUDA_NVCC_FLAGS}\\n")
  set(${name} "" PARENT_SCOPE)
endfunction()
function(cuda_select_nvcc_arch_flags name)
  set(${name} -arch=sm_60 PARENT_SCOPE)
endfunction()
"""
TOOLKIT = """
foreach(name cudart cublas cufft curand cusparse cusolver)
  if(NOT TARGET CUDA::${name})
    add_library(CUDA::${name} INTERFACE IMPORTED GLOBAL)
  endif()
endforeach()
set(CUDAToolkit_FOUND TRUE)
"""
SETTINGS = ("CMAKE_{}_COMPILER={}", "CMAKE_{}_COMPILER_FORCED=1", "CMAKE_{}_COMPILER_ID_RUN=1")


def portable(tree: Path, files: Mapping[str, str], style: str) -> Path:
    """A project in one of the two styles, or as it is."""
    for name, text in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    if style:
        made = pipeline.apply(tree, Config(style=style, arch=("gfx90a",), jobs=1))
        for one in made.conversions:
            (tree / one.path).write_bytes(one.after)
    return tree


def printed(tree: Path, *words: str) -> str:
    """What make would run."""
    command = ["make", "-n", "-B", "SHELL=/bin/true", *words]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("make") is None, reason="GNU make is not installed")
@pytest.mark.parametrize("name", MAKEFILES)
def test_a_makefile_runs_what_it_ran_and_with_the_switch_what_hip_needs(name: str, tmp_path: Path) -> None:
    sources = dict.fromkeys(("a.cu", "b.cu", "a.cpp", "c.c"), "int nothing();\n")
    files = {"Makefile": MAKEFILES[name], **sources}
    before, hip, both = (portable(tmp_path / (style or "cuda"), files, style) for style in ("", "hip", "portable"))
    assert (both / "Makefile").read_text() != MAKEFILES[name]
    for switches in ((), ("dbg=1", "FAST=1")):
        assert printed(both, *switches) == printed(before, *switches)
        assert printed(both, "USE_HIP=0", *switches) == printed(before, *switches)
        assert printed(both, "USE_HIP=1", *switches) == printed(hip, *switches)


def project(number: int, text: str) -> dict[str, str]:
    """The files of a CMake project beside others, whose targets have names of their own."""
    own = re.sub(r"\bapp\b", f"app{number}", re.sub(r"\bk\b", f"k{number}", text))
    files = {"CMakeLists.txt": own, "a.cu": "void kernels();\n", "m.cpp": "int main() {}\n"}
    if "add_subdirectory" in text:
        below = f"enable_language(CUDA)\nadd_library(l{number} STATIC b.cu)\n"
        files |= {"lib/CMakeLists.txt": below, "lib/b.cu": "void more();\n"}
    return files


def commands(root: Path, style: str, tools: Path, hip: bool) -> list[str]:
    """All commands that CMake would run for the projects, each below a folder of its own, in one of the styles."""
    folders = []
    for number, text in enumerate([*CMAKE.values(), *CONDITIONS.values()]):
        portable(root / f"p{number}", project(number, text), style)
        folders.append(f"add_subdirectory(p{number})\n")
    (root / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.21)\nproject(all CXX)\n" + "".join(folders))
    settings = [f"CMAKE_PREFIX_PATH={tools}", f"CMAKE_MODULE_PATH={tools}", f"CMAKE_HIP_COMPILER_ROCM_ROOT={tools}"]
    for language, identity in (("CXX", "GNU"), ("HIP", "Clang"), ("CUDA", "Stub")):
        settings += [one.format(language, tools / "compiler") for one in SETTINGS]
        settings += [f"CMAKE_{language}_COMPILER_ID={identity}", f"CMAKE_{language}_STANDARD_COMPUTED_DEFAULT=17"]
        settings += [f"CMAKE_{language}_COMPILER_VERSION=17"]
    settings += [
        "CMAKE_CUDA_ARCHITECTURES=52",
        "CMAKE_HIP_ARCHITECTURES=gfx90a",
        "_CMAKE_CUDA_WHOLE_FLAG=-c",
        "CMAKE_EXPORT_COMPILE_COMMANDS=ON",
        "CMAKE_BUILD_TYPE=Debug",
        *(["USE_HIP=ON"] if hip else []),
    ]
    words = ["cmake", "-S", ".", "-B", "made", "-G", "Unix Makefiles", *(f"-D{one}" for one in settings)]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    compiled = [one["command"] for one in json.loads((root / "made" / "compile_commands.json").read_text())]
    linked = [path.read_text() for path in sorted((root / "made").rglob("link.txt"))]
    called = root / "made" / "called"
    made = [*compiled, *linked, *(called.read_text().splitlines() if called.exists() else [])]
    return sorted(" ".join(one.replace(str(root), "").split()) for one in made)


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that CMake takes for ROCm, CUDA's modules, and all compilers."""
    root = tmp_path_factory.mktemp("tools")
    for name, targets in {**PACKAGES, "hip-lang": ()}.items():
        folder = root / "lib" / "cmake" / name
        folder.mkdir(parents=True)
        made = "".join(f"if(NOT TARGET {one})\nadd_library({one} INTERFACE IMPORTED)\nendif()\n" for one in targets)
        (folder / f"{name}-config.cmake").write_text(made)
    (root / "FindCUDA.cmake").write_text(FIND_CUDA)
    (root / "FindCUDAToolkit.cmake").write_text(TOOLKIT)
    (root / "compiler").write_text("#!/bin/sh\n")
    (root / "compiler").chmod(0o755)
    return root


@pytest.mark.skipif(shutil.which("cmake") is None, reason="CMake is not installed")
def test_cmake_runs_what_it_ran_and_with_the_switch_what_hip_needs(tools: Path, tmp_path: Path) -> None:
    before = commands(tmp_path / "cuda", "", tools, False)
    assert commands(tmp_path / "off", "portable", tools, False) == before
    hip = commands(tmp_path / "hip", "hip", tools, False)
    asked = commands(tmp_path / "on", "portable", tools, True)
    with_switch = sorted(one.replace(" -D__HIP_PLATFORM_AMD__", "") for one in asked)
    assert with_switch == hip != before


@pytest.mark.cuda
def test_nvcc_makes_the_same_code_of_both(tmp_path: Path) -> None:
    before = Path(__file__).parents[2] / "fixtures" / "projects" / "reduction" / "before"
    made = pipeline.apply(before, Config(style="portable", jobs=1))
    texts = []
    for name, changed in (("cuda", {}), ("both", {one.path: one.after for one in made.conversions} | dict(made.added))):
        tree = shutil.copytree(before, tmp_path / name)
        for path, data in changed.items():
            (tree / path).write_bytes(data)
        source = next(path for path in sorted(tree.rglob("*.cu")) if b"__global__" in path.read_bytes())
        words = ["nvcc", "-std=c++17", "-arch=sm_80", "-ptx", "-o", "made.ptx", str(source.relative_to(tree))]
        done = subprocess.run(words, cwd=tree, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        made_of_file = re.sub(r"_[0-9a-f]{8}_\d+_\w*", "", (tree / "made.ptx").read_text())  # a hash of the source
        texts.append(made_of_file)
    assert made.conversions and texts[0] == texts[1] and ".entry" in texts[0]
