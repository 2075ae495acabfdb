"""What counts when it is asked whether there is a port: not what a build leaves to CUDA by choice."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import KERNEL, facts, reported

from cudamigrate.reporting import headline, port_words, summary

KERNELS = "".join(f"__global__ void k{number}(float *a) {{ a[threadIdx.x] = 0; }}\n" for number in range(9))
BOTH = "#ifdef LIB_HIP\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n" + KERNEL
OLD = """\
project(p LANGUAGES CXX)
option(LIB_CUDA "the library for CUDA" OFF)
option(LIB_HIP "the library for HIP" OFF)
option({option} "the old programs" {default})
if(LIB_CUDA)
  enable_language(CUDA)
endif()
if(LIB_HIP)
  enable_language(HIP)
  add_definitions(-DLIB_HIP)
endif()
add_library(lib a.cu)
if({option})
  {setup}
  add_subdirectory(old)
endif()
"""


@pytest.mark.parametrize(
    ("option", "default", "setup", "port"),
    [
        ("LIB_OLD_CUDA", "OFF", "enable_language(CUDA)", True),
        ("LIB_OLD_CUDA", "ON", "enable_language(CUDA)", False),
        ("LIB_OLD", "OFF", "find_package(MPI)", False),  # the part needs what turns CUDA on
        ("LIB_CUDA", "OFF", "enable_language(CUDA)", False),  # what HIP has a sibling of
    ],
)
def test_an_old_part_that_an_option_of_its_own_leaves_to_cuda_does_not_count(
    tmp_path: Path, option: str, default: str, setup: str, port: bool
) -> None:
    build = OLD.format(option=option, default=default, setup=setup)
    old = {f"old/{name}.cu": "#include <cuda_runtime.h>\n" + KERNELS for name in "bcd"}
    old["old/CMakeLists.txt"] = "add_library(old b.cu c.cu d.cu)\n"
    found = facts(tmp_path, {"CMakeLists.txt": build, "a.cu": BOTH, **old})
    assert found.is_begun
    assert found.is_port is port
    assert found.aside == (old.keys() - {"old/CMakeLists.txt"} if port else set())


CHOOSES = (
    "project({0} LANGUAGES CXX)\nfind_package(CUDAToolkit QUIET)\nif(CUDAToolkit_FOUND)\n  enable_language(CUDA)\n"
    "  add_executable({0} {0}.cu)\nelse()\n  find_package(hip REQUIRED)\n  add_definitions(-DLIB_HIP)\n"
    "  add_executable({0} {0}.cu)\nendif()\n"
)
SKIPS = (
    "project({0} LANGUAGES CXX)\nfind_package(CUDAToolkit QUIET)\nif(NOT CUDAToolkit_FOUND)\n"
    "  message(WARNING skipped)\n  return()\nendif()\nenable_language(CUDA)\nadd_executable({0} {0}.cu)\n"
)


def _suite(chooses: int, skips: int, text: str = SKIPS) -> dict[str, str]:
    files = {}
    for number in range(chooses):
        files |= {f"b{number}/CMakeLists.txt": CHOOSES.format(f"b{number}"), f"b{number}/b{number}.cu": BOTH}
    for number in range(skips):
        code = "#include <cuda_runtime.h>\n" + KERNELS
        files |= {f"c{number}/CMakeLists.txt": text.format(f"c{number}"), f"c{number}/c{number}.cu": code}
    return files


@pytest.mark.parametrize(
    ("chooses", "skips", "text", "port"),
    [
        (3, 4, SKIPS, True),
        (3, 4, SKIPS.replace("if(NOT CUDAToolkit_FOUND)", "if(CUDAToolkit_FOUND)").replace("  return()", ""), False),
        (3, 4, SKIPS.replace("QUIET", "REQUIRED"), False),
        (3, 4, SKIPS.replace("WARNING skipped", "FATAL_ERROR needed"), False),
        (3, 7, SKIPS, False),  # a port of few
        (1, 2, SKIPS, False),
    ],
)
def test_projects_of_a_suite_that_are_skipped_without_cuda_do_not_count(
    tmp_path: Path, chooses: int, skips: int, text: str, port: bool
) -> None:
    found = facts(tmp_path, _suite(chooses, skips, text))
    assert found.is_begun
    assert found.is_port is port


def test_what_is_left_to_cuda_is_not_ported_and_not_priced(tmp_path: Path) -> None:
    report = reported(tmp_path, _suite(3, 4))
    assert report.port is not None
    assert (report.port.gaps, report.port.kernels, report.port.ported) == (0, 39, 3)
    assert "in programs that the build skips without CUDA" in report.port.unproven
    said = headline.sentence(report)
    assert said.startswith("Already ported, but for 36 kernels left to CUDA by choice: no gap was found by reading, ")
    assert "36 of 39 kernels left to CUDA by choice; " in "".join(summary.port_lines(report))


ALL_OF = (
    "project(p LANGUAGES CXX)\nfind_package(hip)\nfile(GLOB sources ${ROOT}/gpu/cuda/[^\\\\.]*.c)\n"
    "foreach(source ${sources})\n  file(RELATIVE_PATH name ${ROOT}/gpu/cuda ${source})\n"
    "  string(REPLACE cuda hip ${kind}_file ${name})\n"
    '  add_custom_command(OUTPUT ${${kind}_file} COMMAND hipify-perl --inplace "${${kind}_file}" VERBATIM)\n'
    "endforeach()\n"
)
HOST = "#include <cuda_runtime.h>\nvoid f(void *a) { cudaFree(a); }\n"


def test_a_build_that_hipifies_a_folder_hipifies_nothing_else(tmp_path: Path) -> None:
    gpu = {f"lib/gpu/cuda/{name}.c": HOST for name in ("a", "b", "c")}
    others = {"lib/gpu/cuda/.d.c": HOST, "tests/gpu/cuda/t.c": HOST, "tests/e.cu": KERNELS}
    found = facts(tmp_path, {**gpu, **others, "lib/gpu/hip/build.cmake": ALL_OF})
    assert found.hipified == dict.fromkeys(gpu, "lib/gpu/hip/build.cmake")
    assert found.hipify == ()
    assert found.is_port


def test_one_that_hipifies_a_few_sources_by_name_is_no_port_by_that(tmp_path: Path) -> None:
    gpu = {f"lib/gpu/cuda/{name}.c": HOST for name in ("a", "b", "c")}
    build = ALL_OF.replace("file(GLOB sources ${ROOT}/gpu/cuda/[^\\\\.]*.c)", "set(sources ${ROOT}/gpu/cuda/a.c)")
    found = facts(tmp_path, {**gpu, "e.cu": KERNELS, "lib/gpu/hip/build.cmake": build})
    assert found.hipified == {"lib/gpu/cuda/a.c": "lib/gpu/hip/build.cmake"}
    assert not found.is_port


def test_what_holds_a_variable_that_nothing_is_known_of_may_be_all(tmp_path: Path) -> None:
    build = ALL_OF.replace("/gpu/cuda/[^\\\\.]*.c)", "/gpu/cuda/*.c)\nlist(APPEND sources ${MORE})")
    found = facts(tmp_path, {"lib/gpu/cuda/a.c": HOST, "lib/gpu/hip/build.cmake": build})
    assert found.hipified == {}
    assert [one[:2] for one in found.hipify] == [("lib/gpu/hip/build.cmake", 8)]


TARGET = """\
#if defined(__HIPCC__)
#include "{0}"
#elif defined(__NVCC__)
#include "target_cuda.h"
#endif
"""
SIDES = {
    "target/target_hip.h": "#include <hip/hip_runtime.h>\n#define copy hipMemcpy\n",
    "target/target_cuda.h": "#include <cuda_runtime.h>\n#define copy cudaMemcpy\n",
    "Makefile": "CC = hipcc\n",
    **{f"{name}.c": '#include "target.h"\n' + KERNELS for name in "abc"},
}


@pytest.mark.parametrize(
    ("text", "port"),
    [
        (TARGET.format("target_hip.h"), True),
        (TARGET.format("target_other.h"), False),
        (TARGET.format("target_hip.h").replace("__HIPCC__", "__INTEL_COMPILER"), False),
        ("", False),
    ],
)
def test_what_includes_the_header_for_hip_in_its_branch_knows_hip(tmp_path: Path, text: str, port: bool) -> None:
    found = facts(tmp_path, {**SIDES, "target/target.h": text})
    assert found.is_begun
    assert found.is_port is port


SHIM = "#ifdef __HIPCC__\n#include <hip/hip_runtime.h>\n{names}#else\n#include <cuda_runtime.h>\n#endif\n"
GIVEN = "".join(f"#define cuda{name} hip{name}\n" for name in ("Malloc", "Free", "Memcpy", "MemcpyHostToDevice"))
USER = '#include "gpu.h"\n' + KERNEL + "void f(float *a) { cudaMalloc((void **)&a, 4); MORE cudaFree(a); }\n"


def test_a_shim_that_nothing_builds_answers_for_the_names_that_it_has(tmp_path: Path) -> None:
    shim = {"gpu.h": SHIM.format(names=GIVEN)}
    whole = {f"{n}.cu": USER.replace("MORE", "") for n in range(3)}
    more = " ".join(f"cuda{name}();" for name in ("DeviceReset", "GetLastError", "DeviceSynchronize", "ProfilerStart"))
    lacking = {f"{n}.cu": USER.replace("MORE", more) for n in range(3)}
    one = {f"{n}.cu": USER.replace("MORE", "cudaDeviceReset();") for n in range(3)}
    assert facts(tmp_path / "one", shim | one).is_port
    assert facts(tmp_path / "whole", shim | whole).is_port
    begun = facts(tmp_path / "lacking", shim | lacking)
    assert begun.is_begun and not begun.is_port


def test_with_a_build_for_hip_a_name_that_the_shim_lacks_is_a_gap(tmp_path: Path) -> None:
    lacking = {f"{n}.cu": USER.replace("MORE", "cudaDeviceReset();") for n in range(3)}
    build = {"Makefile": "HIPCC = hipcc\na: 0.cu 1.cu 2.cu\n\t$(HIPCC) 0.cu 1.cu 2.cu -o a\n"}
    assert facts(tmp_path, {"gpu.h": SHIM.format(names=GIVEN)} | lacking | build).is_port


TOOL = "#include <hip/hip_runtime.h>\n__global__ void tool() {}\n"
COMMON = "#ifdef FOR_HIP\n#include <hip/hip_runtime.h>\n#else\nint host;\n#endif\n"


@pytest.mark.parametrize(
    ("sources", "port"), [("", False), (" ../main/a.cu ../main/b.cu", True), (" $(wildcard ../main/*.cu)", True)]
)
def test_a_program_beside_one_that_is_ported_is_none_by_what_it_includes(
    tmp_path: Path, sources: str, port: bool
) -> None:
    kernels = {f"main/{n}.cu": '#include "../common.h"\n' + KERNEL.replace("k(", f"{n}(") for n in "ab"}
    builds = {
        "tool/Makefile": f"CXX = hipcc\nt: tool.hip{sources}\n\t$(CXX) -DFOR_HIP tool.hip{sources} -o t\n",
        "main/Makefile": "NVCC = nvcc\nm: a.cu b.cu\n\t$(NVCC) a.cu b.cu -o m\n",
    }
    tool = {"tool/tool.hip": '#include "../common.h"\n' + TOOL, "common.h": COMMON}
    assert facts(tmp_path, kernels | builds | tool).is_port is port


@pytest.mark.parametrize(("more", "whole"), [("", False), (" $(shell ls ../q/*.cu)", True)])
def test_a_program_of_a_folder_without_a_build_for_hip_is_not_ported_by_its_name(
    tmp_path: Path, more: str, whole: bool
) -> None:
    hip = "m: main.hip\n\thipcc -DFOR_HIP main.hip -o m\nmain.hip: main.cu\n\thipify-perl main.cu > main.hip\n"
    files = {"common.h": COMMON, "tool/tool.hip": '#include "../common.h"\n' + TOOL}
    files["tool/Makefile"] = f"CXX = hipcc\nt: tool.hip{more}\n\t$(CXX) -DFOR_HIP tool.hip{more} -o t\n"
    for folder in ("p0", "p1", "p2", "q"):
        files |= {f"{folder}/main.cu": '#include <cuda_runtime.h>\n#include "../common.h"\n' + KERNEL}
        files |= {f"{folder}/Makefile": "V = $(shell which nvcc)\nc: main.cu\n\t$(V) main.cu -o c\n"}
        files[f"{folder}/Makefile"] += hip if folder != "q" else ""
    report = reported(tmp_path, files)
    assert report.port is not None and report.port.gaps == 0
    assert ("in programs that no build for HIP has" in report.port.unproven) is not whole
    start = (
        "Already ported (3 of 4 kernels without a gap, 1 in files "
        if whole
        else "Ported, but for 1 kernel in programs that no build for HIP has: "
    )
    assert headline.sentence(report).startswith(start)
    said = summary.port_lines(report)[1]
    assert ("1 of 4 kernels in programs that no build for HIP has (q/main.cu); " in said) is not whole
    assert (port_words.but_for(report) + port_words.named(report)).endswith(" (q/main.cu)") is not whole
