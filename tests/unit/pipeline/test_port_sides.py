"""Which side of a port code is on, where the build, an include or a declaration says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import BRANCHES, BUILD, KERNEL, facts, marks, reported, scanned

ASM = '__device__ void wait() { asm volatile("bar.sync 1, 32;"); }\n'
HIP_SIDE = (
    '#include <hip/hip_runtime.h>\n#if LIB_ON_NV\n#include "common/memory.nv.inc"\n'
    "#else\n__device__ void wait();\n#endif\n"
)
BUILDS_HIP = (
    "project(p LANGUAGES CXX)\nenable_language(HIP)\nset(LIB_ON_NV 0)\n%sset(LIB_ON_NV 1)\n"
    "else()\nset(LIB_ON_AMD 1)\nendif()\n"
)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ('if(CMAKE_HIP_COMPILER_ID STREQUAL "NVIDIA")\n', "-LIB_ON_NV"),
        ('if("${HIP_PLATFORM}" MATCHES nvidia)\n', "-LIB_ON_NV"),
        ("if(LIB_KIND STREQUAL NVIDIA)\n", ""),
    ],
)
def test_what_hip_sets_for_nvidia_is_a_guard_for_cuda(tmp_path: Path, condition: str, expected: str) -> None:
    code = "#if LIB_ON_NV\nint a;\n#else\nint b;\n#endif\n"
    found = marks(tmp_path, {"a.cu": code + KERNEL, "CMakeLists.txt": BUILDS_HIP % condition})
    assert found == ({expected} if expected else set())


def test_a_file_that_hip_includes_for_nvidia_alone_is_of_cudas_side(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": BUILDS_HIP % 'if(CMAKE_HIP_COMPILER_ID STREQUAL "NVIDIA")\n',
        "common/memory.nv.inc": ASM,
        "hip/memory.hip.hpp": HIP_SIDE,
        "cuda/memory.cuh": '#include <cuda_runtime.h>\n#include "common/memory.nv.inc"\n',
    }
    assert "common/memory.nv.inc" in facts(tmp_path / "a", files).equivalents
    shared = {**files, "common/all.hpp": '#include "common/memory.nv.inc"\n' + BRANCHES % "LIB_AMD"}
    assert "common/memory.nv.inc" not in facts(tmp_path / "b", shared).equivalents


def test_a_header_that_only_files_with_an_equivalent_include_is_of_their_side(tmp_path: Path) -> None:
    files = {
        "include/asm.h": ASM,
        "src/cuda/load.cuh": '#include <cuda_runtime.h>\n#include "asm.h"\n',
        "src/hip/load.cuh": "#include <hip/hip_runtime.h>\n",
    }
    assert "include/asm.h" in facts(tmp_path / "a", files).equivalents
    other = {**files, "src/all.cuh": '#include "asm.h"\n' + BRANCHES % "LIB_AMD"}
    assert "include/asm.h" not in facts(tmp_path / "b", other).equivalents


def test_a_name_after_the_vendors_has_its_equivalent_beside_it(tmp_path: Path) -> None:
    speaks = {"gpu/hiputils.h": "#include <hip/hip_runtime.h>\n", "gpu/cudautils.cuh": "cudaStream_t s;\n"}
    assert facts(tmp_path / "a", speaks).equivalents == {"gpu/cudautils.cuh": "gpu/hiputils.h"}
    apart = {"hip_a/hiputils.h": speaks["gpu/hiputils.h"], "gpu/cudautils.cuh": speaks["gpu/cudautils.cuh"]}
    assert facts(tmp_path / "b", apart).equivalents == {}


def test_ranges_of_nvtx_have_their_equivalent_in_roctx(tmp_path: Path) -> None:
    files = {"hip/base/roctx.hip.cpp": "#include <hip/hip_runtime.h>\n", "cuda/base/nvtx.cpp": "cudaStream_t s;\n"}
    assert facts(tmp_path, files).equivalents == {"cuda/base/nvtx.cpp": "hip/base/roctx.hip.cpp"}


PORT = {"CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n", "a.cu": BRANCHES % "LIB_AMD" + KERNEL}


def test_a_type_that_the_project_declares_itself_is_no_gap(tmp_path: Path) -> None:
    code = "struct CUstream_st;\nstruct Queue { CUstream_st *stream; };\n"
    assert scanned(tmp_path / "a", {**PORT, "b.cuh": code}).findings == ()
    found = scanned(tmp_path / "b", {**PORT, "b.cuh": code.partition("\n")[2]}).findings
    assert {one.name for one in found} == {"CUstream_st"}


def test_a_condition_that_goes_on_in_a_second_line_is_one_too(tmp_path: Path) -> None:
    code = "#if !(defined(LIB_OLD) || \\\n  (defined(CUDA_VERSION) && CUDA_VERSION < 12020))\nint a;\n#endif\n"
    found = scanned(tmp_path, {**PORT, "b.cu": BRANCHES % "LIB_AMD" + code + KERNEL.replace("k(", "l(")}).findings
    assert [one.rule for one in found] == []


def test_a_kernel_ends_where_its_brace_is_closed(tmp_path: Path) -> None:
    inside = (
        "RESOLVE(int, a[0], auto b = reinterpret_cast<const int*>(a + 1); for (int i = 0; i < 3; i += 1) { b[i]; });"
    )
    code = f"#include <cuda_runtime.h>\n__global__ void k(int *a)\n{{\n{inside}\n}}\n"
    host = "template <class T>\nint go(int* __restrict__ a)\n{\n    k<<<1, 1>>>(a);\n    return 0;\n}\n"
    found = scanned(tmp_path, {"a.cu": code + host}).findings
    assert "launch/dynamic-parallelism" not in {one.rule for one in found}


CHOICE = (
    "#if defined(LIB_AMD)\n#include <hip/hip_runtime.h>\n#define HIP_OR_CUDA(a, b) a\n"
    "#else\n#include <cuda_runtime.h>\n#define HIP_OR_CUDA(a, b) b\n#endif\n"
)


def test_a_macro_may_give_hip_one_argument_and_cuda_another(tmp_path: Path) -> None:
    code = "void f() { HIP_OR_CUDA(hipDeviceReset(), cudaDeviceReset()); }\n"
    files = {**PORT, "choice.cuh": CHOICE, "b.cu": '#include "choice.cuh"\n' + code + KERNEL.replace("k(", "l(")}
    assert scanned(tmp_path / "a", files).findings == ()
    swapped = {**files, "choice.cuh": CHOICE.replace("b) a", "b) b")}  # the same argument for both vendors
    assert {one.name for one in scanned(tmp_path / "b", swapped).findings} == {"cudaDeviceReset"}


def test_a_macro_that_chooses_between_hip_code_is_no_guard(tmp_path: Path) -> None:
    half = (
        "#ifdef LIB_%s\n#ifdef LIB_ONE\nusing n = %sFloatComplex;\n#else\nusing n = %sDoubleComplex;\n#endif\n#endif\n"
    )
    code = half % ("CUDA", "cu", "cu") + half % ("AMD", "hip", "hip")
    assert "LIB_ONE" not in {mark.lstrip("?!-") for mark in marks(tmp_path, {**PORT, "n.cuh": code})}


def test_macros_of_two_gpus_in_one_chain_are_both_hips(tmp_path: Path) -> None:
    half = "#if defined(GPU_A)\nx = __builtin_amdgcn_rcpf(x);\n#%s\nx = __builtin_amdgcn_sqrtf(x);\n#endif\n"
    chain = {**PORT, "n.cuh": half % "elif defined(GPU_B)"}
    assert {"?GPU_A", "?GPU_B"} <= set(marks(tmp_path / "a", chain))
    other = {**PORT, "n.cuh": half % "else"}  # HIP code with and without it
    assert "GPU_A" not in {mark.lstrip("?!-") for mark in marks(tmp_path / "b", other)}


def test_a_macro_that_both_vendors_need_is_no_guard(tmp_path: Path) -> None:
    both = "#ifdef LIB_GPU\nvoid %s() {\nHIP_OR_CUDA(hipDeviceReset(),\n  cudaDeviceReset());\n}\n#endif\n"
    files = {**PORT, "choice.cuh": CHOICE, "c.cpp": both % "f" + both % "g"}
    assert "LIB_GPU" not in {mark.lstrip("?!-") for mark in marks(tmp_path, files)}


def test_what_a_file_for_hip_defines_too_is_not_cudas(tmp_path: Path) -> None:
    files = {
        **PORT,
        "lib/gpu_cuda.hpp": "#ifdef LIB_AMD\n#else\n#include <cuda_runtime.h>\n#define LIB_BOTH\n#endif\n",
        "lib/gpu_hip.hpp": "#ifdef LIB_AMD\n#include <hip/hip_runtime.h>\n#define LIB_BOTH\n#endif\n",
        "lib/use.cpp": "#ifdef LIB_BOTH\nint a;\n#endif\n" + BRANCHES % "LIB_AMD",
    }
    assert "-LIB_BOTH" not in marks(tmp_path / "a", files)
    del files["lib/gpu_hip.hpp"]
    assert "-LIB_BOTH" in marks(tmp_path / "b", files)


def test_what_only_hip_and_its_own_macros_ask_for_is_hips(tmp_path: Path) -> None:
    asked = "(defined(LIB_AMD) && HIP_VERSION < 60500000 || defined(%s))"
    code = "__device__ int f(int v, int w) { return __shfl(v, 0, w); }\n"
    file = BRANCHES % "LIB_AMD" + f"#if {asked}\n{code}#endif\n"
    files = {**PORT, "b.cuh": file % "HIP_DISABLE_WARP_SYNC_BUILTINS"}
    assert scanned(tmp_path / "a", files).findings == ()
    found = scanned(tmp_path / "b", {**files, "b.cuh": file % "LIB_OLD"}).findings
    assert {one.rule for one in found} == {"warp/legacy-shuffle"}


@pytest.mark.parametrize(("files", "port"), [(("rocmmem.c", "rocm_copy.c"), True), (("rocmmem.c",), False)])
def test_a_side_of_its_own_is_a_port_whose_kernels_are_cudas_alone(
    tmp_path: Path, files: tuple[str, ...], port: bool
) -> None:
    hip = "#include <hip/hip_runtime.h>\nint f(void *p) { return hipFree(p); }\n"
    cuda = "#include <cuda_runtime.h>\nint f(void *p) { return cudaFree(p); }\n"
    tree = {
        "CMakeLists.txt": BUILD % "",
        "src/cuda/cudamem.c": cuda,
        "src/cuda/cuda_copy.c": cuda,
        "src/cuda/test.cu": KERNEL,
        "src/cuda/more.cu": KERNEL,
        **{f"src/rocm/{name}": hip for name in files},
    }
    found = facts(tmp_path, tree)
    assert found.is_port is port
    assert found.equivalents.get("src/cuda/cudamem.c") == "src/rocm/rocmmem.c"


@pytest.mark.parametrize(
    ("build", "answered"),
    [
        ('set(SRC "${CMAKE_CURRENT_LIST_DIR}/ask.cpp")\ntry_run(R C ${CMAKE_BINARY_DIR} ${SRC})\n', True),
        ("try_run(R C ${CMAKE_BINARY_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/ask.cpp)\n", True),
        ("try_run(R C ${CMAKE_BINARY_DIR} ask.cpp)\nadd_executable(ask ask.cpp)\n", False),
        ('set(SRC "ask.cpp")\n', False),
    ],
)
def test_what_a_build_only_tries_is_no_gap(tmp_path: Path, build: str, answered: bool) -> None:
    probe = "#include <cuda_runtime.h>\nint main() { int n; return cudaGetDeviceCount(&n); }\n"
    files = {
        "CMakeLists.txt": BUILD % "",
        "a.cu": BRANCHES % "LIB_AMD" + KERNEL,
        "cmake/ask.cmake": build,
        "cmake/ask.cpp": probe,
    }
    left = [one for one in scanned(tmp_path, files).findings if one.path == "cmake/ask.cpp"]
    assert (left == []) is answered


@pytest.mark.parametrize(
    ("library", "left"), [("optix_stubs.h", {"library/optix"}), ("mine.h", {"api/cuCtxSynchronize"})]
)
def test_names_beside_a_library_without_an_equivalent_are_no_gaps_of_their_own(
    tmp_path: Path, library: str, left: set[str]
) -> None:
    code = f"#ifdef WITH_RAYS\n#include <{library}>\nvoid f() {{ cuCtxSynchronize(); }}\n#endif\n"
    build = BUILD % "" + 'option(WITH_RAYS "" OFF)\n'
    files = {"CMakeLists.txt": build, "a.cu": BRANCHES % "LIB_AMD" + KERNEL, "rays.cpp": code}
    assert {one.rule for one in scanned(tmp_path, files).findings if one.path == "rays.cpp"} == left


SHARED = {
    "CMakeLists.txt": BUILD % "",
    "cuda/a.cu": KERNEL,
    "hip/a.hip.cpp": '#include <hip/hip_runtime.h>\n#include "both/x.h"\n#include "both/y.h"\n' + KERNEL,
    "cuda/solver/launch.instantiate.cu": "void f(cudaStream_t s);\n",
    "both/solver/launch.instantiate.cpp": '#include "both/z.h"\nvoid f(stream s);\n',
    "both/x.h": '#include "both/z.h"\n',
    "both/y.h": "int y;\n",
    "both/z.h": "int z;\n",
    "cpu/solver/launch.instantiate.cpp": "void f();\n",
    "cpu/x.h": "int x;\n",
}


def test_a_namesake_in_a_folder_that_hips_side_uses_is_the_equivalent(tmp_path: Path) -> None:
    found = facts(tmp_path / "a", SHARED)
    assert found.lacking == {}
    assert found.equivalents["cuda/solver/launch.instantiate.cu"] == "both/solver/launch.instantiate.cpp"
    for_cpu = {path: text for path, text in SHARED.items() if path != "both/solver/launch.instantiate.cpp"}
    assert set(facts(tmp_path / "b", for_cpu).lacking) == {"cuda/solver/launch.instantiate.cu"}


def test_a_folder_in_a_folder_for_hip_mirrors_the_one_in_the_folder_for_cuda(tmp_path: Path) -> None:
    names = ("Factory", "Kernels", "Plans")
    cuda = {f"cuda/src/My{name}.cpp".replace("My", "MyCuda"): "void f() { check(CUDA_SUCCESS); }\n" for name in names}
    hip = {f"hip/src/MyHip{name}.cpp": "void f() { check(0); }\n" for name in names}
    tree = {"CMakeLists.txt": BUILD % "", "a.cu": BRANCHES % "LIB_AMD" + KERNEL}
    assert [one.path for one in scanned(tmp_path / "a", {**tree, **cuda, **hip}).findings] == []
    one = {"hip/src/MyHipPlans.cpp": "void f() { check(0); }\n"}  # no mirror
    assert len(scanned(tmp_path / "b", {**tree, **cuda, **one}).findings) >= 2


def test_a_path_with_hips_name_inside_of_words_is_the_equivalent(tmp_path: Path) -> None:
    hip = "#include <hip/hip_runtime.h>\n" + KERNEL
    files = {
        **{f"mat/seqcuda/{name}cuda.cu": "#include <cuda_runtime.h>\n" + KERNEL for name in ("sell", "aij", "dense")},
        **{f"mat/seqhip/{name}hip.hip.cxx": hip for name in ("sell", "aij", "dense")},
    }
    found = facts(tmp_path / "a", files)
    assert found.equivalents["mat/seqcuda/sellcuda.cu"] == "mat/seqhip/sellhip.hip.cxx"
    assert found.is_port  # no build is read, and yet kernels of three files are there for HIP
    assert (
        "mat/seqcuda/othercuda.cu"
        not in facts(tmp_path / "b", {**files, "mat/seqcuda/othercuda.cu": KERNEL}).equivalents
    )
    two = {path: text for path, text in files.items() if "dense" not in path}
    assert not facts(tmp_path / "c", two).is_port


def test_where_few_files_have_kernels_files_are_counted(tmp_path: Path) -> None:
    sides = {
        f"src/modes/{vendor}/{name}.cpp": f"#include <{header}>\nvoid {name}() {{}}\n"
        for vendor, header in (("cuda", "cuda_runtime.h"), ("hip", "hip/hip_runtime.h"))
        for name in ("stream", "memory", "device", "kernel")
    }
    files = {
        **sides,
        "CMakeLists.txt": BUILD % "  add_library(a src/modes/hip/stream.cpp)\n",
        "examples/add.cu": KERNEL,
    }
    assert facts(tmp_path / "a", files).is_port
    others = {f"src/{name}.cpp": "#include <cuda_runtime.h>\ncudaStream_t s;\n" for name in "abcdefghij"}
    assert not facts(tmp_path / "b", {**files, **others}).is_port
    words = {f"src/{name}.cpp": "struct cudaCallNode {};\n" for name in "abcdefghij"}
    assert facts(tmp_path / "c", {**files, **words}).is_port


@pytest.mark.parametrize(("library", "port"), [("libamdhip64.so.6", True), ("libcuda.so.1", False)])
def test_code_that_loads_hips_runtime_needs_no_build_for_it(tmp_path: Path, library: str, port: bool) -> None:
    files = {
        "src/ext_cuda.c": '#include <cuda.h>\nvoid *load() { return dlopen("libcuda.so.1", 1); }\nCUresult s;\n',
        "src/ext_hip.c": f'void *open_hip() {{ return hc_dlopen("{library}"); }}\nhipError_t s;\n',
        "src/run.c": "#include <cuda.h>\nvoid f() { cuInit(0); }\n",
    }
    assert facts(tmp_path, files).is_port == port


MODEL = (
    "macro(setup)\n  enable_language(CUDA)\n"
    '  set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -arch=sm_70 -use_fast_math")\nendmacro()\n'
)


@pytest.mark.parametrize(
    ("cuda", "hip", "build", "other", "answered"),
    [
        ("src/cuda", "src/hip", "src/cuda/model.cmake", "src/hip/model.cmake", True),
        ("src/CUDA", "src/HIP", "src/CUDA/model.cmake", "src/HIP/model.cmake", True),
        ("src/cuda", "src/hip", "src/cuda/model.cmake", "src/hip/other.cmake", False),
        ("src/cuda", "src/hip", "src/model.cmake", "src/hip/model.cmake", False),
    ],
)
def test_what_builds_cudas_folder_has_its_equivalent_in_hips(
    tmp_path: Path, cuda: str, hip: str, build: str, other: str, answered: bool
) -> None:
    files = {build: MODEL, other: "macro(setup)\nendmacro()\n"}
    for name in ("a", "b", "c"):
        files[f"{cuda}/{name}.cpp"] = "#include <cuda_runtime.h>\n" + KERNEL.replace("k(", f"{name}(")
        files[f"{hip}/{name}.cpp"] = "#include <hip/hip_runtime.h>\n" + KERNEL.replace("k(", f"{name}(")
    report = reported(tmp_path, files)
    assert report.port is not None
    assert {one.path for one in report.findings} == (set() if answered else {build})


def test_a_macro_of_a_sycl_compiler_is_no_guard(tmp_path: Path) -> None:
    code = "#ifdef %s\n#include <hip/hip_fp16.h>\n#else\nusing half = sycl::half;\n#endif\n"
    assert marks(tmp_path / "a", {"a.cpp": code % "__HIPSYCL__", "b.cpp": code % "__ADAPTIVECPP__"}) == set()
    assert marks(tmp_path / "b", {"a.cpp": code % "OWN_HALF"}) == {"?OWN_HALF"}


def test_a_port_of_calls_alone_is_one(tmp_path: Path) -> None:
    calls = "#include <%s>\nvoid f(%sStream_t s) { %sStreamSynchronize(s); }\n"
    files = {
        "CMakeLists.txt": "project(p CXX)\nif(WITH_A)\n  find_package(rocprofiler-sdk REQUIRED)\nendif()\n",
        "src/trace_rocm.cpp": calls % ("hip/hip_runtime.h", "hip", "hip"),
        "src/trace_cuda.cpp": calls % ("cuda_runtime.h", "cuda", "cuda"),
        "src/cupti/other.cpp": calls % ("cuda_runtime.h", "cuda", "cuda"),
    }
    report = reported(tmp_path, files)
    assert report.port is not None and not report.findings
    assert report.estimate is not None and report.estimate.category == "ported"
