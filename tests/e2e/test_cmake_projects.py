"""CMake projects of several habits, converted, are configured and built with a compiler that refuses nvcc's options.

The compiler is a stand-in that makes empty files, so that neither ROCm nor a GPU is needed; what it is called with is
what a real one would get. Packages of ROCm are stand-ins too, with the targets that the real ones have.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text
from tests import stand_in_rocm

pytestmark = pytest.mark.skipif(shutil.which("cmake") is None, reason="CMake is not installed")

PLAIN = "cmake_minimum_required(VERSION 3.8)\nproject(a CXX)\n"
OLD = f"{PLAIN}find_package(CUDA REQUIRED)\n"
NEW = "cmake_minimum_required(VERSION 3.18)\nproject(a LANGUAGES CXX CUDA)\n"

PROJECTS = {
    "options in a text": (
        f'{OLD}set(NVCC_OPTS "-G -lineinfo")\ncuda_add_executable(app a.cu m.cpp OPTIONS ${{NVCC_OPTS}})\n'
    ),
    "language": f"{NEW}add_executable(app a.cu)\n",
    "architectures": f"{NEW}set(CMAKE_CUDA_ARCHITECTURES 70 80)\nadd_executable(app a.cu)\n",
    "property": f"{NEW}add_executable(app a.cu)\nset_target_properties(app PROPERTIES CUDA_ARCHITECTURES 80)\n",
    "release that is shown": (
        f'{NEW}string(REGEX REPLACE "[.]" "" RELEASE ${{CMAKE_CUDA_COMPILER_VERSION}})\n'
        'message(STATUS "${RELEASE} ${CMAKE_CUDA_COMPILER_ID}")\nadd_executable(app a.cu)\n'
    ),
    "no architectures": (
        f"{NEW}set(CMAKE_CUDA_ARCHITECTURES OFF)\nadd_executable(app a.cu)\n"
        "set_target_properties(app PROPERTIES CUDA_ARCHITECTURES OFF)\n"
    ),
    "options in a list of the project's own": (
        f'{NEW}list(APPEND CUDA_NVCC_FLAGS "--use_fast_math")\nadd_executable(app a.cu)\n'
        "target_compile_options(app PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${CUDA_NVCC_FLAGS}>)\n"
    ),
    "old options of the host, with commas": (
        f'{OLD}set(HOST "-O2 -DQUIET")\nstring(REPLACE " " "," HOST "${{HOST}}")\n'
        'list(APPEND CUDA_NVCC_FLAGS "-Xcompiler" "${HOST}")\n'
        'set(MORE "-fPIC")\nlist(APPEND CUDA_NVCC_FLAGS "-Xcompiler" "${MORE}")\ncuda_add_library(k a.cu)\n'
    ),
    "flags": (
        f'{NEW}set(CMAKE_CUDA_FLAGS "${{CMAKE_CUDA_FLAGS}} -O3 -lineinfo --use_fast_math")\nadd_executable(app a.cu)\n'
    ),
    "appended flags": (
        f'{NEW}string(APPEND CMAKE_CUDA_FLAGS " -Xcompiler -Wall -Xptxas -v")\nadd_executable(app a.cu)\n'
    ),
    "gencode": f'{NEW}set(CMAKE_CUDA_FLAGS "-gencode arch=compute_70,code=sm_70")\nadd_executable(app a.cu)\n',
    "debug flags": f'{NEW}set(CMAKE_CUDA_FLAGS_DEBUG "-O0 -g -G")\nadd_executable(app a.cu)\n',
    "options by language": (
        f"{NEW}add_executable(app a.cu)\n"
        "target_compile_options(app PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr -lineinfo>)\n"
    ),
    "options with a choice": (
        f"{NEW}add_executable(app a.cu)\n"
        'target_compile_options(app PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xptxas -v --extended-lambda>")\n'
    ),
    "toolkit": (
        f"{NEW}find_package(CUDAToolkit REQUIRED)\nadd_executable(app a.cu)\ntarget_link_libraries(app CUDA::cublas)\n"
    ),
    "libraries": (
        f"{NEW}find_package(CUDAToolkit REQUIRED)\nadd_library(k STATIC a.cu)\n"
        "target_link_libraries(k PUBLIC CUDA::cudart CUDA::cufft CUDA::curand CUDA::cusparse CUDA::cusolver)\n"
    ),
    "host and device": f"{NEW}add_library(k STATIC a.cu)\nadd_executable(app m.cpp)\ntarget_link_libraries(app k)\n",
    "standard": f"{NEW}set(CMAKE_CUDA_STANDARD 17)\nset(CMAKE_CUDA_STANDARD_REQUIRED ON)\nadd_executable(app a.cu)\n",
    "glob": f"{NEW}file(GLOB SOURCES *.cu)\nadd_executable(app ${{SOURCES}})\n",
    "enabled later": (
        "cmake_minimum_required(VERSION 3.18)\nproject(a CXX)\nenable_language(CUDA)\nadd_executable(app a.cu)\n"
    ),
    "old executable": f"{OLD}cuda_add_executable(app a.cu)\n",
    "old list": f"{OLD}list(APPEND CUDA_NVCC_FLAGS -O3 -arch=sm_60 -Xcompiler -fPIC)\ncuda_add_library(k a.cu)\n",
    "old text": (
        f'{OLD}set(CUDA_NVCC_FLAGS "${{CUDA_NVCC_FLAGS}} -O3 -gencode arch=compute_60,code=sm_60")\n'
        "cuda_add_library(k a.cu)\n"
    ),
    "old semicolons": (
        f'{OLD}set(CUDA_NVCC_FLAGS "${{CUDA_NVCC_FLAGS}};-O3;-lineinfo;-arch=sm_35")\ncuda_add_library(k a.cu)\n'
    ),
    "old lines": (
        f"{OLD}list(APPEND CUDA_NVCC_FLAGS\n  -O3\n  -std=c++14\n  --use_fast_math)\ncuda_add_executable(app a.cu)\n"
    ),
    "old loop": (
        f"{OLD}set(ARCHS 60 70)\nforeach(arch ${{ARCHS}})\n"
        '  list(APPEND CUDA_NVCC_FLAGS "-gencode arch=compute_${arch},code=sm_${arch}")\nendforeach()\n'
        "cuda_add_executable(app a.cu)\n"
    ),
    "old options that go": (
        f"{OLD}foreach(name one two)\n  list(APPEND CUDA_NVCC_FLAGS -Xcudafe --diag_suppress=${{name}})\nendforeach()\n"
        'set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS} "--threads 0")\ncuda_add_library(k a.cu)\n'
    ),
    "old lists between quotes": (
        f'{OLD}set(MORE -O3 -DQUIET)\nlist(APPEND CUDA_NVCC_FLAGS "${{MORE}}" -g)\n'
        'list(APPEND CUDA_NVCC_FLAGS "${MORE}")\nset(CUDA_NVCC_FLAGS "${CUDA_NVCC_FLAGS} ${MORE}")\n'
        "cuda_add_library(k a.cu)\n"
    ),
    "old selection": (
        f"{OLD}cuda_select_nvcc_arch_flags(ARCHS Auto)\n"
        f"list(APPEND CUDA_NVCC_FLAGS ${{ARCHS}})\ncuda_add_executable(app a.cu)\n"
    ),
    "old libraries": (
        f"{OLD}cuda_add_executable(app a.cu)\n"
        "target_link_libraries(app ${CUDA_LIBRARIES} ${CUDA_CUBLAS_LIBRARIES} ${CUDA_cufft_LIBRARY})\n"
    ),
    "old list of a variable": (
        f"{OLD}set(MORE -O3 -DQUIET)\nlist(APPEND CUDA_NVCC_FLAGS ${{MORE}})\ncuda_add_library(k a.cu)\n"
    ),
    "old list set with a variable": (
        f"{OLD}list(APPEND MORE -O3 -DQUIET)\nset(CUDA_NVCC_FLAGS ${{CUDA_NVCC_FLAGS}} ${{MORE}})\n"
        "cuda_add_library(k a.cu)\n"
    ),
    "old list that is a variable": (
        f"{OLD}list(APPEND MORE -O3 -DQUIET)\nset(CUDA_NVCC_FLAGS ${{MORE}})\ncuda_add_library(k a.cu)\n"
    ),
    "toolkit that need not be there": (
        f"{PLAIN}find_package(CUDA QUIET)\nif(NOT CUDA_FOUND)\n  return()\nendif()\ncuda_add_library(k a.cu)\n"
    ),
    "architectures of a target by variable": (
        f"{NEW}set(CMAKE_CUDA_ARCHITECTURES 70)\nadd_executable(app a.cu)\n"
        "set_target_properties(app PROPERTIES CUDA_ARCHITECTURES ${CMAKE_CUDA_ARCHITECTURES})\n"
    ),
    "with options": (
        f'{OLD}set(MORE "-lineinfo")\nset(kernels a.cu)\n'
        "cuda_add_executable(app ${kernels} m.cpp OPTIONS -arch=sm_60 -Xptxas -v ${MORE})\n"
    ),
    "options of a target by variable": (
        f"{OLD}set(NAME app)\ncuda_add_library(${{NAME}} STATIC a.cu OPTIONS --use_fast_math -G)\n"
    ),
    "list between quotes": (
        f'{OLD}list(APPEND CUDA_NVCC_FLAGS "-arch=sm_35;--compiler-options;-O2;-DQUIET")\ncuda_add_library(k a.cu)\n'
    ),
    "list set between quotes": (
        f'{OLD}set(CUDA_NVCC_FLAGS ${{CUDA_NVCC_FLAGS}} "-Xcompiler;-DSEEN;--expt-relaxed-constexpr")\n'
        "cuda_add_library(k a.cu)\n"
    ),
    "GPUs by FindCUDA": (
        f'{OLD}cuda_select_nvcc_arch_flags(GPUS "Common")\n'
        "list(APPEND CUDA_NVCC_FLAGS ${GPUS})\ncuda_add_library(k a.cu)\n"
    ),
    "old objects": f"{OLD}cuda_compile(OBJECTS STATIC a.cu)\nadd_executable(app m.cpp ${{OBJECTS}})\n",
    "old objects of a list": (
        f"{OLD}set(sources a.cu m.cpp)\ncuda_compile(OBJECTS ${{sources}})\nadd_executable(app m.cpp ${{OBJECTS}})\n"
    ),
    "old objects by a macro": (
        f"{OLD}macro(objects result)\n  cuda_compile(made ${{ARGN}})\n  set(${{result}} ${{made}})\nendmacro()\n"
        "objects(OBJECTS a.cu)\nadd_executable(app m.cpp ${OBJECTS})\n"
    ),
}
TREES = {
    "wrapper with a list": {
        "CMakeLists.txt": f"{NEW}include(cmake/case.cmake)\nadd_subdirectory(src)\n",
        "cmake/case.cmake": "function(ConfigureCase name)\n  add_executable(${name} ${ARGN})\nendfunction()\n",
        "src/CMakeLists.txt": "ConfigureCase(app a.cu m.cpp)\n",
    },
    "wrapper with named arguments": {
        "CMakeLists.txt": f"{NEW}include(cmake/case.cmake)\nadd_subdirectory(src)\n",
        "cmake/case.cmake": (
            'macro(case)\n  cmake_parse_arguments(ARG "" "NAME" "SOURCES" ${ARGN})\n'
            "  add_library(${ARG_NAME} ${ARG_SOURCES})\nendmacro()\n"
        ),
        "src/CMakeLists.txt": "case(NAME k SOURCES a.cu)\ncase(NAME m SOURCES m.cpp)\n",
    },
    "names made of arguments": {
        "CMakeLists.txt": f"{NEW}add_subdirectory(src)\n",
        "src/CMakeLists.txt": (
            "function(case name suffix)\n  add_library(k_${suffix} SHARED ${name}.${suffix})\nendfunction()\n"
            "case(a cu)\ncase(m cpp)\n"
        ),
    },
    "list in another file": {
        "CMakeLists.txt": f"{NEW}include(cmake/files.cmake)\nadd_library(k ${{FILES}})\n",
        "cmake/files.cmake": "set(FILES src/a.cu src/m.cpp)\n",
    },
    "list given to the folder around": {
        "CMakeLists.txt": f"{NEW}set(S src/m.cpp)\nadd_subdirectory(src)\nadd_executable(app ${{S}})\n",
        "src/CMakeLists.txt": "set(S ${S} src/a.cu PARENT_SCOPE)\n",
    },
    "list given by a function": {
        "CMakeLists.txt": f"{NEW}include(cmake/pick.cmake)\npick(OUT src/)\nadd_executable(app src/m.cpp ${{OUT}})\n",
        "cmake/pick.cmake": (
            "function(pick out folder)\n  file(GLOB found ${folder}*.cu)\n"
            "  set(${out} ${found} PARENT_SCOPE)\nendfunction()\n"
        ),
    },
    "patterns by an operation in a variable": {
        "CMakeLists.txt": (
            f"{OLD}function(pick root how)\n"
            '  file(${how} found LIST_DIRECTORIES false "${root}*.cpp*" "${root}*.cu*")\n'
            "  set(ALL ${ALL} ${found} PARENT_SCOPE)\nendfunction()\n"
            "macro(on_windows target)\n  cuda_wrap_srcs(${target} OBJ made ${ARGN})\n"
            "  add_executable(${target} ${made})\n"
            "endmacro()\npick(src/ GLOB)\n"
            "if(WIN32)\n  on_windows(app ${ALL})\nelse()\n  cuda_add_executable(app ${ALL})\nendif()\n"
        ),
    },
    "targets of a folder whose package another finds": {
        "CMakeLists.txt": f"{PLAIN}add_subdirectory(one)\nadd_subdirectory(src)\n",
        "one/CMakeLists.txt": (
            "project(one LANGUAGES CXX CUDA)\nfind_package(CUDA REQUIRED)\ncuda_add_library(k ../src/a.cu)\n"
        ),
        "src/CMakeLists.txt": "cuda_add_executable(app m.cpp)\ntarget_link_libraries(app k)\n",
    },
    "options of the scope around": {
        "CMakeLists.txt": f"{OLD}include(cmake/fast.cmake)\nset(OWN -O2 -DX)\nfast()\ncuda_add_library(k src/a.cu)\n",
        "cmake/fast.cmake": (
            "function(fast)\n"
            "  set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS} ${OWN} --use_fast_math PARENT_SCOPE)\nendfunction()\n"
        ),
    },
    "a variable of the project's that is FindCUDA's": {
        "CMakeLists.txt": (
            f"{OLD}set(CUDA_LIBRARIES m ${{CUDA_LIBRARIES}})\ncuda_add_executable(app src/a.cu src/m.cpp)\n"
            "target_link_libraries(app ${CUDA_LIBRARIES})\n"
        ),
    },
    "toolkit in a function": {
        "CMakeLists.txt": f"{PLAIN}include(cmake/k.cmake)\nadd_subdirectory(src)\n",
        "cmake/k.cmake": "function(search)\n  find_package(CUDA REQUIRED)\nendfunction()\nsearch()\n",
        "src/CMakeLists.txt": "cuda_add_library(k a.cu)\n",
    },
    "toolkit in a function, under a condition": {
        "CMakeLists.txt": (
            f"{PLAIN}option(GPU on ON)\nif(GPU)\n  include(cmake/k.cmake)\nendif()\n"
            "if(GPU)\n  cuda_add_library(k src/a.cu)\nelse()\n  add_library(k src/m.cpp)\nendif()\n"
        ),
        "cmake/k.cmake": "macro(search)\n  find_package(CUDA REQUIRED)\nendmacro()\nsearch()\n",
    },
    "language that a package enables": {
        "CMakeLists.txt": f"{PLAIN}find_package(CUDAToolkit REQUIRED)\nadd_library(k src/a.cu)\n",
    },
    "toolkit in a script": {
        "CMakeLists.txt": (f"{PLAIN}include(cmake/version.cmake)\ninclude(cmake/k.cmake)\n"),
        "cmake/version.cmake": "find_package(CUDA REQUIRED)\n",
        "cmake/k.cmake": (
            "set(more src/a.cu)\nset(sources ${more} src/m.cpp)\n"
            "if(WITH_CLANG)\n  add_library(k ${sources})\n"
            "  set_source_files_properties(${sources} PROPERTIES LANGUAGE CXX)\n"
            "else()\n  cuda_add_library(k STATIC ${sources})\nendif()\n"
        ),
    },
}
"""Projects of several files; sources are in `src`."""
UNSAFE = {
    "a source that is tried": {
        "CMakeLists.txt": (
            f"{NEW}try_compile(FITS ${{CMAKE_BINARY_DIR}} ${{CMAKE_SOURCE_DIR}}/src/a.cu)\n"
            "add_executable(app src/a.cu src/m.cpp)\n"
        ),
    },
}
"""The same, where a fix is to be reviewed."""
KEPT = {
    "compiled apart": f"{OLD}cuda_compile(OBJECTS a.cu OPTIONS -O3)\nadd_executable(app m.cpp ${{OBJECTS}})\n",
    "code for run time": f"{OLD}cuda_compile_ptx(OBJECTS a.cu)\nadd_executable(app m.cpp ${{OBJECTS}})\n",
    "options by build": f"{OLD}cuda_add_executable(app a.cu OPTIONS -arch=sm_60 DEBUG -G)\n",
}


@pytest.fixture(scope="module")
def rocm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that CMake takes for ROCm."""
    return stand_in_rocm.make(tmp_path_factory.mktemp("rocm"))


@pytest.mark.parametrize("name", PROJECTS)
def test_converted_project_is_built_without_options_of_nvcc(name: str, rocm: Path, tmp_path: Path) -> None:
    result = find_in_text(PROJECTS[name], "CMakeLists.txt", Config(arch=("gfx90a", "gfx942")))
    (tmp_path / "CMakeLists.txt").write_text(result.after)
    (tmp_path / "a.cu").write_text("void kernels();\n")
    (tmp_path / "m.cpp").write_text("int main() {}\n")
    assert_builds_for_hip(rocm, tmp_path, result.after)


@pytest.mark.parametrize("name", [*TREES, *UNSAFE])
def test_converted_files_of_a_project_fit_together(name: str, rocm: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for path, text in {**TREES, **UNSAFE}[name].items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    (tree / "src").mkdir(exist_ok=True)
    (tree / "src" / "a.cu").write_text("void kernels();\n")
    (tree / "src" / "m.cpp").write_text("int main() {}\n")
    applied = pipeline.apply(tree, Config(arch=("gfx90a",), jobs=1, cache=False), unsafe=name in UNSAFE)
    for one in applied.conversions:
        (tree / one.path).write_bytes(one.after)
    assert_builds_for_hip(rocm, tree, "\n".join(one.after.decode() for one in applied.conversions))


def assert_builds_for_hip(rocm: Path, tree: Path, converted: str) -> None:
    """Configure and build a tree: `a.cu` is compiled as HIP, for the GPU."""
    log, settings = tree / "calls", stand_in_rocm.settings(rocm)
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "STAND_IN_LOG": str(log)}
    configure = ["cmake", "-S", ".", "-B", "made", *(f"-D{key}={value}" for key, value in settings.items())]
    for words in (configure, ["cmake", "--build", "made"]):
        done = subprocess.run(words, cwd=tree, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{converted}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    compiled = [line for line in log.read_text().splitlines() if "a.cu" in line and " -c " in line]
    assert compiled and all("-x hip" in line and "--offload-arch=gfx90a" in line for line in compiled)


@pytest.mark.parametrize(("option", "code"), [("-lineinfo", 1), ("a;b", 1), ("-arch=sm_60", 1), ("-O3", 0)])
def test_the_compiler_refuses_what_it_should(option: str, code: int, rocm: Path, tmp_path: Path) -> None:
    words = [str(rocm / "bin" / "clang++"), "-c", option, "-o", "a.o"]
    environment = {"STAND_IN_LOG": str(tmp_path / "calls"), "PATH": "/usr/bin:/bin"}
    assert subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, check=False).returncode == code


@pytest.mark.parametrize("name", KEPT)
def test_project_that_cannot_be_converted_whole_is_left_as_it_is(name: str) -> None:
    result = find_in_text(KEPT[name], "CMakeLists.txt")
    assert result.after == KEPT[name]
    assert "build/cmake-left-whole" in [finding.rule for finding in result.findings]
