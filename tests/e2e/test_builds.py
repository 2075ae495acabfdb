"""What becomes of build files builds: the converted fixtures are configured and compiled for gfx90a.

CMake's language HIP wants clang++ and a ROCm folder with its packages for CMake below `lib`. Debian keeps those in the
folder of the architecture, so that a folder with links to them stands in for it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config

pytestmark = [pytest.mark.rocm, pytest.mark.exhaustive]

PROJECTS = Path(__file__).parents[2] / "fixtures" / "projects"
GPU = "gfx90a"
_HSA_TARGET = f"hipv4-amdgcn-amd-amdhsa--{GPU}".encode()


STYLES = ("hip", "portable")


def converted(name: str, tmp_path: Path, style: str) -> Path:
    """The fixture after `apply`, with the headers that it brings."""
    return _apply(shutil.copytree(PROJECTS / name / "before", tmp_path / name), style)


def _apply(tree: Path, style: str) -> Path:
    """Convert a tree where it is."""
    applied = pipeline.apply(tree, Config(arch=(GPU,), jobs=1, style=style))
    for conversion in applied.conversions:
        (tree / conversion.path).write_bytes(conversion.after)
    for path, data in applied.added.items():
        (tree / path).write_bytes(data)
    return tree


def run(words: list[str], folder: Path, environment: dict[str, str]) -> str:
    """The output of a command, which must succeed."""
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout + done.stderr


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Without NVIDIA's tools, which would make hipcc choose them."""
    kept = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "LANG", "TMPDIR")}
    return {**kept, "HIP_PLATFORM": "amd"}


@pytest.mark.parametrize("style", STYLES)
def test_makefile_builds_a_program_for_the_gpu(style: str, tmp_path: Path, environment: dict[str, str]) -> None:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    tree = converted("make-application", tmp_path, style)
    rocm = _rocm(tmp_path, environment)
    switch = ["USE_HIP=1"] if style == "portable" else []
    printed = run(["make", f"ROCM_PATH={rocm}", *switch], tree, environment)
    assert "nvcc" not in printed
    assert _HSA_TARGET in (tree / "histogram").read_bytes()


@pytest.mark.parametrize("style", STYLES)
def test_cmake_configures_and_builds_a_library_a_program_and_a_test(
    style: str, tmp_path: Path, environment: dict[str, str]
) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    tree = converted("cmake-application", tmp_path, style)
    switch = ["-DUSE_HIP=ON"] if style == "portable" else []
    built = _cmake(tree, _rocm(tmp_path, environment), environment, *switch)
    assert re.search(r"-x hip -c \S*shift\.cu", built) and "--offload-arch=gfx90a" in built
    assert re.search(r"-x hip -c \S*clamp\.cu", built)  # added to the target from another folder
    assert _HSA_TARGET in (tree / "build" / "noise-demo").read_bytes()
    assert _HSA_TARGET in (tree / "build" / "tests" / "noise-test").read_bytes()


FIND_CUDA = """
cmake_minimum_required(VERSION 3.5)
project(old)
find_package(CUDA REQUIRED)
if(CUDA_FOUND)
  list(APPEND CUDA_NVCC_FLAGS -O3 --expt-relaxed-constexpr)
  list(APPEND CUDA_NVCC_FLAGS "-Xcompiler=-Wall")
  cuda_include_directories(${CUDA_INCLUDE_DIRS})
  cuda_add_library(doubled STATIC doubled.cu)
  cuda_add_executable(old main.cpp)
  target_link_libraries(old doubled ${CUDA_LIBRARIES})
endif()
"""


def old_project(tree: Path) -> Path:
    """A project of CMake's old module for CUDA."""
    tree.mkdir()
    (tree / "CMakeLists.txt").write_text(FIND_CUDA)
    kernel = "__global__ void twice(float *a) { a[threadIdx.x] *= 2; }\n"
    (tree / "doubled.cu").write_text(kernel + "void doubled(float *a) { twice<<<1, 64>>>(a); }\n")
    (tree / "main.cpp").write_text("void doubled(float *);\nint main() { doubled(nullptr); }\n")
    return tree


@pytest.mark.parametrize("style", STYLES)
def test_cmake_that_found_cuda_by_its_old_module_builds(
    style: str, tmp_path: Path, environment: dict[str, str]
) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    tree = _apply(old_project(tmp_path / "old"), style)
    switch = ["-DUSE_HIP=ON"] if style == "portable" else []
    built = _cmake(tree, _rocm(tmp_path, environment), environment, "-DCMAKE_HIP_ARCHITECTURES=gfx90a", *switch)
    assert re.search(r"-O3 -Wall .*-x hip -c \S*doubled\.cu", built)
    assert _HSA_TARGET in (tree / "build" / "old").read_bytes()


LISTED = """
cmake_minimum_required(VERSION 3.10)
set(languages CXX)
option(WITH_GPU "" ON)
if(WITH_GPU)
  set(languages ${languages} CUDA)
endif()
project(listed LANGUAGES ${languages})
set(parts doubled doubled.cu host host.cpp)
function(add_part name source)
  add_library(${name} STATIC ${source})
endfunction()
if("CUDA" IN_LIST languages)
  list(GET parts 0 name)
  list(GET parts 1 source)
  add_part(${name} ${source})
endif()
"""
FORMAT = """
cmake_minimum_required(VERSION 3.10)
project(old CXX)
find_package(CUDA REQUIRED)
if(${CUDA_VERSION_MAJOR} GREATER 7)
  message("a later release")
endif()
set_source_files_properties(doubled.cpp PROPERTIES CUDA_SOURCE_PROPERTY_FORMAT OBJ)
cuda_add_library(headers doubled.h STATIC)
cuda_add_library(doubled doubled.cpp STATIC)
"""


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("text", "source"), [(LISTED, "doubled.cu"), (FORMAT, "doubled.cpp")], ids=["list", "format"])
def test_cmake_builds_what_variables_and_findcudas_properties_say(
    text: str, source: str, style: str, tmp_path: Path, environment: dict[str, str]
) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "CMakeLists.txt").write_text(text)
    (tree / "doubled.h").write_text("void doubled(float *);\n")
    kernel = "#include <cuda_runtime.h>\n__global__ void twice(float *a) { a[threadIdx.x] *= 2; }\n"
    (tree / source).write_text(kernel + "void doubled(float *a) { twice<<<1, 64>>>(a); }\n")
    _apply(tree, style)
    switch = ["-DUSE_HIP=ON"] if style == "portable" else []
    built = _cmake(tree, _rocm(tmp_path, environment), environment, "-DCMAKE_HIP_ARCHITECTURES=gfx90a", *switch)
    assert re.search(rf"-x hip -c \S*{source}", built)
    assert _HSA_TARGET in (tree / "build" / "libdoubled.a").read_bytes()


def _cmake(tree: Path, rocm: Path, environment: dict[str, str], *more: str) -> str:
    """What CMake says when it configures and builds a tree with the language HIP."""
    compiler, options = _clang(environment)
    settings = {
        "CMAKE_HIP_COMPILER": compiler,
        "CMAKE_HIP_COMPILER_ROCM_ROOT": str(rocm),
        "CMAKE_HIP_FLAGS": options,
        "CMAKE_BUILD_TYPE": "Release",
        # Debian's headers lie in /usr/include: CMake's own trial of the compiler would put that folder first.
        "CMAKE_HIP_COMPILER_FORCED": "ON",
        "CMAKE_HIP_IMPLICIT_INCLUDE_DIRECTORIES": "/usr/include",
    }
    named = [*(f"-D{key}={value}" for key, value in settings.items()), *more]
    environment = {**environment, "CMAKE_PREFIX_PATH": str(rocm), "HIPFLAGS": options}
    printed = run(["cmake", "-S", ".", "-B", "build", "-G", "Unix Makefiles", *named], tree, environment)
    assert "HIP compiler identification is Clang" in printed
    return run(["cmake", "--build", "build", "--verbose"], tree, environment)


def _rocm(tmp_path: Path, environment: dict[str, str]) -> Path:
    """The folder of ROCm; where hipcc is Debian's, one with links to its parts."""
    own = Path(run(["hipconfig", "--rocmpath"], tmp_path, environment).strip() or "/opt/rocm")
    if (own / "lib" / "cmake" / "hip-lang").is_dir():
        return own
    packages = next(Path("/usr/lib").glob("*/cmake/hip-lang"), None)
    if packages is None:
        pytest.skip("the packages of HIP for CMake are not installed")
    made = tmp_path / "rocm"
    (made / "lib" / "cmake").mkdir(parents=True)
    (made / "include").mkdir()
    (made / "bin").mkdir()
    hipcc = made / "bin" / "hipcc"  # it would look for its parts beside a link, or in the folder of that variable
    hipcc.write_text(f'#!/bin/sh\nexec env -u ROCM_PATH {shutil.which("hipcc")} "$@"\n')
    hipcc.chmod(0o755)
    for package in packages.parent.iterdir():
        (made / "lib" / "cmake" / package.name).symlink_to(package)
    for folder in Path("/usr/include").glob("*rand"):
        (made / "include" / folder.name).symlink_to(folder)
    (made / "include" / "hip").symlink_to("/usr/include/hip")
    return made


def _clang(environment: dict[str, str]) -> tuple[str, str]:
    """The clang++ that hipcc calls, and the options that tell it where HIP is."""
    verbose = {**environment, "HIPCC_VERBOSE": "1"}
    done = subprocess.run(
        ["hipcc", "-###", "-x", "hip", "-c", os.devnull], env=verbose, capture_output=True, text=True, check=False
    )
    command = re.search(r"hipcc-cmd: (\S+) (.*)", done.stdout + done.stderr)
    assert command is not None, done.stdout + done.stderr
    options = re.findall(r'--(?:rocm-path|hip-path|hip-version|hip-device-lib-path)="?[^\s"]+', command[2])
    return command[1].strip('"'), " ".join(option.replace('"', "") for option in options)
