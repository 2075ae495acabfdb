"""What decides for whom code of a port is: the uses of a macro, the values and options of builds, other choices."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import BRANCHES, BUILD, KERNEL, facts, marks, scanned

CHECK = "#define LIB_CHECK(call) do { cublasStatus_t s = call; if (s) abort(); } while (0)\n"
TREE = {"CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n", "a.h": BRANCHES % "LIB_AMD"}
FOR_CUDA = '#include "c.h"\n#ifndef LIB_AMD\nvoid f(cublasHandle_t h) { LIB_CHECK(cublasDestroy(h)); }\n#endif\n'


def rules(folder: Path, files: dict[str, str]) -> set[str]:
    return {one.rule for one in scanned(folder, {**TREE, **files}).findings}


@pytest.mark.parametrize(
    ("more", "gap"),
    [
        ("", False),
        ("void g(int s) { LIB_CHECK(s); }\n", True),  # both sides use it
        ("#ifdef LIB_AMD\nvoid g(int s) { LIB_CHECK(s); }\n#endif\n", True),
        ("#define LIB_TWICE(call) LIB_CHECK(call); LIB_CHECK(call)\n", True),  # which a user of the library may use
        (
            "#define LIB_TWICE(call) LIB_CHECK(call); LIB_CHECK(call)\n"
            "#ifndef LIB_AMD\nvoid g(cublasHandle_t h) { LIB_TWICE(cublasDestroy(h)); }\n#endif\n",
            False,
        ),
        ("#ifdef LIB_CHECK\n#undef LIB_CHECK\n#endif\n", False),
        ("// LIB_CHECK(s)\n", False),
    ],
)
def test_the_uses_of_a_macro_say_for_whom_its_body_is(tmp_path: Path, more: str, gap: bool) -> None:
    found = rules(tmp_path, {"c.h": CHECK, "d.cpp": FOR_CUDA + more})
    assert ("api/cublasStatus_t" in found) is gap


def test_a_macro_that_nothing_uses_is_a_gap(tmp_path: Path) -> None:
    assert "api/cublasStatus_t" in rules(tmp_path, {"c.h": CHECK, "d.cpp": '#include "c.h"\n'})


@pytest.mark.parametrize(
    ("given", "gap"),
    [
        ("-DLIB_AMD -DCUDA_VERSION=11000", False),
        ("-DLIB_AMD -DCUDA_VERSION=9000", True),
        ("-DLIB_AMD -DCUDA_VERSION", True),  # set to what no one knows
    ],
)
def test_a_build_for_hip_says_what_cudas_version_is(tmp_path: Path, given: str, gap: bool) -> None:
    code = "#if CUDA_VERSION >= 11000\nint f();\n#else\ncudaArray_t f();\n#endif\n"
    make = f"a.o: a.cc\n\thipcc {given} -c a.cc\n"
    found = scanned(tmp_path, {"a.h": BRANCHES % "LIB_AMD", "Makefile": make, "b.h": code}).findings
    assert any(one.rule == "api/cudaArray_t" for one in found) is gap


@pytest.mark.parametrize(
    ("condition", "guard"),
    [("LIB_WITH_AMD", True), ("LIB_WITH_NV OR LIB_WITH_AMD", False), ("NOT LIB_WITH_NV", True)],
)
def test_an_option_of_either_vendor_is_no_guard(tmp_path: Path, condition: str, guard: bool) -> None:
    build = BUILD % "  add_definitions(-DLIB_AMD)\n" + f"if({condition})\n  set(LIB_GPU On)\nendif()\n"
    nested = "#ifdef LIB_COHERENT\n#ifdef LIB_GPU\nhipStream_t s;\n#endif\n#endif\n"
    found = marks(tmp_path, {"CMakeLists.txt": build, "a.h": BRANCHES % "LIB_AMD", "b.cpp": nested})
    assert ("?LIB_GPU" in found) is guard


@pytest.mark.parametrize(
    ("header", "other", "expected"),
    [
        ("<nvtx3/nvToolsExt.h>", "", True),
        ("<lib/ranges.h>", "", False),  # HIP may have it, too
        ("<nvtx3/nvToolsExt.h>", "#ifdef LIB_RANGES\nhipStream_t s;\n#endif\n", False),  # HIP's code needs it
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_choice_beside_hips_in_one_chain_is_cudas(
    tmp_path: Path, header: str, other: str, expected: bool, first: bool
) -> None:
    nv = f"LIB_RANGES)\n#include {header}\n"
    amd = "LIB_AMD)\n#include <roctracer/roctx.h>\n"
    chain = f"#if defined({nv if first else amd}#elif defined({amd if first else nv}#endif\n"
    found = "-LIB_RANGES" in marks(tmp_path, {**TREE, "b.cpp": chain + other})
    assert found is (expected and first)  # after HIP's branch it may be set with HIP, and does nothing


def test_a_macro_of_cudas_side_may_be_needed_by_cudas_headers(tmp_path: Path) -> None:
    given = "#if !defined(LIB_AMD) && CUDART_VERSION >= 11070\n#define LIB_CUB\n#endif\n"
    used = '#include "b.h"\n#ifdef LIB_CUB\n#include <cub/cub.cuh>\nusing namespace cub;\n#endif\n'
    assert "-LIB_CUB" in marks(tmp_path / "a", {**TREE, "b.h": given, "c.cu": used})
    more = '#include "b.h"\n#ifdef LIB_CUB\n#define CUB_NEWER\n#endif\n#ifdef CUB_NEWER\nint a;\n#endif\n'
    found = marks(tmp_path / "c", {**TREE, "b.h": given, "c.cu": used, "d.cu": BRANCHES % "LIB_AMD" + more})
    assert "-CUB_NEWER" in found
    free = given.replace("!defined(LIB_AMD) && ", "")
    assert "-LIB_CUB" not in marks(tmp_path / "b", {**TREE, "b.h": free, "c.cu": used})


SHIM = "#pragma once\n" + "".join(
    f"#define cuda{one} hip{one}\n" for one in ("Malloc", "Free", "Stream_t", "Memcpy", "Error_t")
)


def test_a_shim_reaches_a_header_that_says_nothing_of_a_port(tmp_path: Path) -> None:
    build = {"CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n"}
    common = '#ifdef LIB_AMD\n#include "vendors/hip.h"\n#else\n#include <cuda_runtime.h>\n#endif\n'
    files = {
        **build,
        "vendors/hip.h": SHIM,
        "common.h": common,
        "plain.cuh": "inline void get(void **p) { cudaMalloc(p, 4); }\n",
    }
    user = '#include "common.h"\n#include "plain.cuh"\n'
    assert not [one for one in scanned(tmp_path / "a", {**files, "a.cpp": user}).findings if one.path == "plain.cuh"]
    alone = {**files, "a.cpp": '#include "common.h"\n'}
    assert [one for one in scanned(tmp_path / "b", alone).findings if one.path == "plain.cuh"]


def test_sources_that_another_folders_build_names_for_hip_are_not_cudas_alone(tmp_path: Path) -> None:
    files = {
        "nv/CMakeLists.txt": "if(NV)\n  enable_language(CUDA)\n  add_definitions(-DX)\n  add_library(l a.cu)\nendif()",
        "amd/CMakeLists.txt": "enable_language(HIP)\nadd_library(l ../nv/a.cu)\n",
        "nv/a.cu": BRANCHES % "LIB_AMD",
        "CMakeLists.txt": BUILD % "",
    }
    assert facts(tmp_path / "a", files).cuda_only == {}
    del files["amd/CMakeLists.txt"]
    assert set(facts(tmp_path / "b", files).cuda_only) == {"nv/a.cu"}


@pytest.mark.parametrize(
    ("option", "rule"),
    [
        ("--amdgpu-target=gfx906", "build/flag-amdgpu-target"),
        ("-D__HIP_PLATFORM_HCC__=1", "build/flag-platform-hcc"),
        ("-L${ROCM_PATH}/hip/lib", "build/cmake-rocm-folder"),
        ("--offload-arch=gfx906", ""),
        ("-L${ROCM_PATH}/lib", ""),
    ],
)
def test_what_a_hip_of_years_ago_knew_is_a_gap_of_the_build(tmp_path: Path, option: str, rule: str) -> None:
    build = BUILD % f"  add_definitions(-DLIB_AMD)\n  list(APPEND HIP_CLANG_FLAGS {option})\n"
    found = scanned(tmp_path, {**TREE, "CMakeLists.txt": build}).findings
    assert [one.rule for one in found if one.path == "CMakeLists.txt" and one.outcome != "fine"] == [rule] * bool(rule)


REMOVING = """project(p CXX)
set(SOURCES a.cu b.cu c.cpp)
if(WITH_CUDA)
  enable_language(CUDA)
  if(WITH_DNN)
    list(APPEND SOURCES b_dnn.cu)
    list(REMOVE_ITEM SOURCES b.cu)
  endif()
elseif(WITH_HIP)
  enable_language(HIP)
  add_definitions(-DLIB_AMD)
  list(REMOVE_ITEM SOURCES a.cu)
endif()
add_library(p ${SOURCES})
"""


def test_sources_that_a_build_takes_out_for_hip_and_those_that_take_the_place_of_others(tmp_path: Path) -> None:
    code = BRANCHES % "LIB_AMD"
    files = {"CMakeLists.txt": REMOVING, **dict.fromkeys(("a.cu", "b.cu", "b_dnn.cu", "c.cpp"), code)}
    found = facts(tmp_path / "a", files)
    assert (set(found.cuda_only), found.equivalents) == ({"a.cu", "b_dnn.cu"}, {"b_dnn.cu": "b.cu"})
    files["CMakeLists.txt"] = REMOVING.replace("REMOVE_ITEM SOURCES b.cu", "REMOVE_ITEM OTHERS b.cu")
    assert facts(tmp_path / "b", files).equivalents == {}
    files["CMakeLists.txt"] = REMOVING.replace("REMOVE_ITEM SOURCES a.cu", "APPEND SOURCES a.cu")
    assert set(facts(tmp_path / "c", files).cuda_only) == {"b_dnn.cu"}


CHOOSING = """project(p CXX)
add_definitions(-DLIB_AMD)
if(GPU_LANG STREQUAL "HIP")
  enable_language(HIP)
  list(REMOVE_ITEM HIP_SOURCES b.cu)
  add_library(slow b.cu)
endif()
%s
add_library(p c.cpp ${MORE})
"""


@pytest.mark.parametrize(
    ("block", "for_cuda"),
    [
        ('if(GPU_LANG STREQUAL "CUDA")\n  list(APPEND MORE a.cu)\nendif()', {"a.cu"}),
        ("if(GPU_LANG STREQUAL CUDA AND WITH_FAST)\n  set(FAST a.cu)\nendif()", {"a.cu"}),
        ('if("${GPU_LANG}" STREQUAL "cuda")\n  if(FAST)\n    set(FAST a.cu)\n  endif()\nendif()', {"a.cu"}),
        ('if(GPU_LANG STREQUAL "CUDA" OR GPU_LANG STREQUAL "HIP")\n  list(APPEND MORE a.cu)\nendif()', set()),
        ('if(NOT GPU_LANG STREQUAL "CUDA")\n  list(APPEND MORE a.cu)\nendif()', set()),
        ('if(FLAVOUR STREQUAL "CUDA")\n  list(APPEND MORE a.cu)\nendif()', set()),  # not what may be HIP
        ('if(GPU_LANG STREQUAL "CUDA")\nelse()\n  list(APPEND MORE a.cu)\nendif()', set()),
    ],
)
def test_a_variable_that_names_hip_elsewhere_chooses_what_is_for_cuda(
    tmp_path: Path, block: str, for_cuda: set[str]
) -> None:
    code = BRANCHES % "LIB_AMD"
    files = {"CMakeLists.txt": CHOOSING % block, **dict.fromkeys(("a.cu", "b.cu", "c.cpp"), code)}
    assert set(facts(tmp_path, files).cuda_only) == for_cuda


def test_a_class_of_the_project_has_its_name_where_the_class_stands(tmp_path: Path) -> None:
    own = "struct __nv_fp8_e4m3 {\n  unsigned char raw;\n};\nusing pair = vec<__nv_fp8_e4m3, 2>;\n"
    assert scanned(tmp_path / "a", {"a.hpp": own}).findings == ()
    other = "struct holder {\n  __nv_fp8_e4m3 raw;\n};\n"
    assert scanned(tmp_path / "b", {"a.hpp": other}).findings


SETUP = """
from setuptools import setup
import torch
from torch.utils.cpp_extension import CUDAExtension
macros = []
if %s:
    macros += [("LIB_AMD", None)]
setup(ext_modules=[CUDAExtension("lib", ["a.cu"], define_macros=macros)])
"""
HIP_CODE = "#ifdef LIB_AMD\n#include <hip/hip_fp16.h>\n#else\n#include <cuda_fp16.h>\n#endif\n"
WARP = "__global__ void k(float *a) { a[0] = __shfl_down_sync(0xffffffff, a[1], 16); }\n"


@pytest.mark.parametrize(
    ("asked", "code", "expected"),
    [
        ("torch.version.hip", HIP_CODE + WARP, True),
        ("torch.version.hip", WARP, False),  # nothing is written for HIP
        ("torch.cuda.is_available()", HIP_CODE + WARP, False),  # nothing is built for it
    ],
)
def test_an_extension_that_builds_for_rocm_itself_is_a_port(
    tmp_path: Path, asked: str, code: str, expected: bool
) -> None:
    assert facts(tmp_path, {"setup.py": SETUP % asked, "a.cu": code}).is_port is expected


LOADED = """
import torch
from torch.utils.cpp_extension import load
print("on %s" % ("ROCm" if torch.version.hip else "CUDA"))
flags = ["-O3"{more}]
ext = load(name="ext", sources=["a.cu"], extra_cuda_cflags=["-lineinfo"] + {given}, extra_cflags=flags)
"""


@pytest.mark.parametrize(
    ("given", "more", "code", "expected"),
    [
        ('(["-DFAST"] if torch.version.hip else [])', "", HIP_CODE + WARP, True),
        ("[]", ', "-DROCM" if torch.version.hip else "-DCUDA"', HIP_CODE + WARP, True),
        ('(["-DFAST"] if torch.version.hip else [])', "", WARP, False),  # nothing is written for HIP
        ("[]", "", HIP_CODE + WARP, False),  # it only says so
        ('(["-DFAST"] if torch.version.cuda else [])', "", HIP_CODE + WARP, False),
    ],
)
def test_an_extension_that_is_built_as_it_is_loaded_for_rocm_itself_is_a_port(
    tmp_path: Path, given: str, more: str, code: str, expected: bool
) -> None:
    build = LOADED.replace("{more}", more).replace("{given}", given)
    assert facts(tmp_path, {"ext.py": build, "a.cu": code}).is_port is expected


def test_another_program_that_asks_for_rocm_makes_an_extension_no_port(tmp_path: Path) -> None:
    files = {"setup.py": SETUP % "torch.cuda.is_available()", "tools/setup.py": SETUP % "torch.version.hip"}
    assert facts(tmp_path / "a", {**files, "a.cu": HIP_CODE}).is_port  # it builds an extension, too
    files["tools/setup.py"] = "import torch\nfrom setuptools import setup\nif torch.version.hip:\n    setup()\n"
    assert not facts(tmp_path / "b", {**files, "a.cu": HIP_CODE}).is_port


@pytest.mark.parametrize(
    ("otherwise", "gap"),
    [("#define ON_CUDA(x)\n", False), ("#define ON_CUDA(x) x\n", True), ("#define ON_CUDA(x) (x)\n", True)],
)
def test_a_macro_that_drops_its_argument_for_hip(tmp_path: Path, otherwise: str, gap: bool) -> None:
    code = "#ifdef __CUDACC__\n#include <cuda_runtime.h>\n#endif\n"
    code += f"#ifdef __CUDA_ARCH__\n#define ON_CUDA(x) x\n#else\n{otherwise}#endif\n"
    used = "__device__ inline void f(cudaArray_t a) { ON_CUDA(cudaGetDevice(0);) }\n"
    found = scanned(tmp_path, {**TREE, "b.cuh": code + used}).findings
    assert any(one.name == "cudaGetDevice" for one in found) is gap


@pytest.mark.parametrize(("wide", "narrow", "found"), [("64", "32", True), ("64", "64", False), ("32", "32", False)])
def test_a_build_may_say_how_wide_the_wave_is(tmp_path: Path, wide: str, narrow: str, found: bool) -> None:
    build = f'if(AMD)\n  enable_language(HIP)\n  set(LIB_WARP {wide} CACHE STRING "")\nelse()\n'
    build += f'  enable_language(CUDA)\n  set(LIB_WARP {narrow} CACHE STRING "")\nendif()\n'
    waves = facts(tmp_path, {"CMakeLists.txt": build, "config.h.in": "#cmakedefine LIB_WARP @LIB_WARP@\n"}).waves
    assert ("LIB_WARP" in waves) is found


@pytest.mark.parametrize(("condition", "expected"), [("gpu_lib_HIP_ENABLE", True), ("gpu_lib_TESTS", False)])
def test_a_library_may_turn_hip_on(tmp_path: Path, condition: str, expected: bool) -> None:
    build = f"project(p LANGUAGES CXX)\nif({condition})\n  add_subdirectory(hip)\nendif()\n"
    files = {"CMakeLists.txt": build, "a.h": BRANCHES % "LIB_AMD", "b.cpp": BRANCHES % "LIB_AMD"}
    assert facts(tmp_path / "a", files).is_port is expected
    del files["b.cpp"]
    assert not facts(tmp_path / "b", files).is_port  # one file is little


@pytest.mark.parametrize(
    ("amd", "nv", "expected"),
    [
        ("#include <hiprand_kernel.h>", "#include <curand_kernel.h>", True),
        ("#define LIB_INIT hiprand_init", "#define LIB_INIT curand_init", True),
        ("#define LIB_INIT hiprandom", "#define LIB_INIT curandom", False),
        ('#include "hiprandom.h"', '#include "random.h"', False),
    ],
)
def test_names_of_libraries_tell_the_sides(tmp_path: Path, amd: str, nv: str, expected: bool) -> None:
    code = f"#include <cuda_runtime.h>\n#ifdef LIB_X\n{amd}\n#else\n{nv}\n#endif\nvoid f(cudaStream_t);\n"
    assert ("LIB_X" in marks(tmp_path, {"a.cuh": code})) is expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("$<$<BOOL:${NV}>:LIB_GPU LIB_NV> $<$<BOOL:${AMD}>:LIB_GPU LIB_AMD>", {"-LIB_NV", "LIB_AMD"}),
        ("$<$<BOOL:${NV}>:LIB_NV> $<$<BOOL:${TESTS}>:LIB_AMD>", set()),  # nothing is for HIP
        ("LIB_NV LIB_AMD", set()),
    ],
)
def test_what_cmake_gives_under_a_variable(tmp_path: Path, given: str, expected: set[str]) -> None:
    build = (
        "project(p LANGUAGES CXX)\nif(NV)\n  enable_language(CUDA)\nendif()\nif(AMD)\n  enable_language(HIP)\nendif()\n"
        f"target_compile_definitions(l PUBLIC {given})\n"
    )
    asked = "hipStream_t s;\n" + "".join(f"#ifdef LIB_{one}\nint {one};\n#endif\n" for one in ("NV", "AMD", "GPU"))
    assert marks(tmp_path, {"CMakeLists.txt": build, "a.cpp": asked}) == expected


def test_a_template_of_a_header_defines_macros_too(tmp_path: Path) -> None:
    given = "#cmakedefine LIB_AMD\n#if !defined(LIB_AMD) && defined(__CUDACC__)\n#define LIB_NV\n#endif\n"
    used = "#ifdef LIB_NV\n#include <cuda.h>\n#endif\n#ifdef LIB_AMD\n#include <hip/hip_runtime.h>\n#endif\n"
    build = {"CMakeLists.txt": BUILD % ""}
    assert "-LIB_NV" in marks(tmp_path, {**build, "config.h.in": given, "a.h": BRANCHES % "LIB_AMD", "b.h": used})


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("rocsolver.hpp", True),
        ("rocblas.hpp", False),  # another library
        ("solver_more.hpp", False),
    ],
)
def test_names_that_differ_by_the_library_are_two_sides(tmp_path: Path, other: str, expected: bool) -> None:
    files = {
        "CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n",
        "a.h": BRANCHES % "LIB_AMD",
        "cusolver.hpp": "#include <cusolverDn.h>\ninline cusolverStatus_t s;\n",
        other: "#include <rocsolver/rocsolver.h>\ninline rocblas_status s;\n",
    }
    assert (facts(tmp_path, files).equivalents.get("cusolver.hpp") == other) is expected


REVERSED = {
    "gpu.h": """\
#pragma once
#ifdef AX_HIP
#include <hip/hip_runtime.h>
#define cudaMalloc hipMalloc
#define cudaFree hipFree
#define cudaMemcpy hipMemcpy
#else
#include <cuda_runtime.h>
#define hipLaunchKernelGGL(F, G, B, M, S, ...) F<<<G, B, M, S>>>(__VA_ARGS__)
#endif
""",
    "solve.cu": """\
#include "gpu.h"
__global__ void step(float *a) { a[threadIdx.x] += 1; }
void run(float *a) {
#ifdef AX_DUST
    hipLaunchKernelGGL(step, dim3(1), dim3(64), 0, 0, a);
#endif
}
""",
}


def test_a_launch_that_is_also_defined_for_cuda_tells_no_vendor(tmp_path: Path) -> None:
    assert marks(tmp_path, REVERSED) == {"AX_HIP"}


def test_a_name_of_hip_alone_tells_it(tmp_path: Path) -> None:
    only_hip = REVERSED["gpu.h"].replace("#define hipLaunchKernelGGL", "#define LAUNCH")
    assert "?AX_DUST" in marks(tmp_path, {**REVERSED, "gpu.h": only_hip})


CUB = "#ifdef LIB_AMD\n#include <hipcub/hipcub.hpp>\nnamespace cub = hipcub;\n#else\n#include <cub/cub.cuh>\n#endif\n"


@pytest.mark.parametrize(("header", "gaps"), [(CUB, 0), ("#include <cub/cub.cuh>\n", 1)])
def test_a_header_that_gives_one_name_to_hip_covers_it_where_it_is_included(
    tmp_path: Path, header: str, gaps: int
) -> None:
    use = "typedef cub::BlockReduce<int, 256> Reduce;\n"
    files = TREE | {"own/cub.hpp": header, "a.cu": '#include "own/cub.hpp"\n' + use, "b.cu": '#include "a.h"\n' + use}
    found = [one.path for one in scanned(tmp_path, files).findings if one.name == "cub"]
    assert found.count("a.cu") == gaps
    assert found.count("b.cu") == 1  # it does not include the header


def test_a_member_that_is_gone_from_a_namespace_is_not_said_to_lack_in_a_shim(tmp_path: Path) -> None:
    given = "".join(f"#define cuda{name} hip{name}\n" for name in ("Malloc", "Free", "Memcpy"))
    shim = f"#ifdef LIB_AMD\n#include <hip/hip_runtime.h>\n{given}#endif\n"
    use = '#include "shim.h"\n#include "cub.hpp"\nint f(int a) { return cub::Sum()(a, a); }\n'
    found = scanned(tmp_path, TREE | {"shim.h": shim, "cub.hpp": CUB, "a.cu": use}).findings
    assert [one.message.partition(" ")[0] for one in found if one.name == "cub::Sum"] == ["Gap"]


@pytest.mark.parametrize(
    ("languages", "otherwise", "told"),
    [
        pytest.param("CXX CUDA", "", True, id="whatever is chosen"),
        pytest.param("CXX", "else()\n  enable_language(CUDA)\n", False, id="where HIP is not"),
        pytest.param("CXX CUDA", "  return()\n", False, id="it may be left before"),
    ],
)
def test_a_choice_of_hip_that_needs_nvcc_is_a_gap(tmp_path: Path, languages: str, otherwise: str, told: bool) -> None:
    chosen = "if(USE_HIP)\n  enable_language(HIP)\n  add_definitions(-DUSE_HIP)\n"
    shim = BRANCHES % "USE_HIP" + "#ifdef USE_HIP\n#define cudaFree hipFree\n#endif\n"
    files = {
        "CMakeLists.txt": f"project(p LANGUAGES {languages})\n{chosen}{otherwise}endif()\n",
        "gpu.h": shim,
        "a.cu": f'#include "gpu.h"\n{KERNEL}void f(void *p) {{ cudaFree(p); }}\n',
    }
    assert ("build/cmake-port-language" in rules(tmp_path, files)) is told
