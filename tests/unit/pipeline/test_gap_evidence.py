"""A place that a port does not answer is a gap where it is shown to fail with HIP, and counted apart elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from porttrees import BRANCHES, BUILD, KERNEL, reported

from cudamigrate.model import Report
from cudamigrate.pipeline import gap_evidence as evidence
from cudamigrate.reporting.headline import sentence
from cudamigrate.reporting.summary import port_lines

PORT = {"a.cu": BRANCHES % "LIB_AMD" + KERNEL}
ASM = '__global__ void k(int *a) { asm("bar.arrive 1, 2;"); }\n'
BOTH = BUILD % "  set_source_files_properties(a.cu %s PROPERTIES LANGUAGE HIP)\n" + "add_library(l a.cu b.cu%s)\n"
SHIM = (
    "#pragma once\n#ifdef LIB_AMD\n#include <hip/hip_runtime.h>\nusing cudaError_t = hipError_t;\n"
    "#define cudaMalloc hipMalloc\n#define cudaFree hipFree\n#else\n#include <cuda_runtime.h>\n#endif\n"
)
WAVE = "#ifdef LIB_AMD\nconstexpr int kWave = 64;\n#else\nconstexpr int kWave = 32;\n#endif\n"


def gaps(report: Report) -> set[str]:
    return {f"{one.path} {one.rule}" for one in report.findings}


def unproven(report: Report) -> dict[str, tuple[str, ...]]:
    assert report.port is not None
    return dict(report.port.unproven)


def test_a_source_that_the_build_gives_to_hip_has_gaps_and_another_is_counted(tmp_path: Path) -> None:
    files = PORT | {"b.cu": "#include <cuda_runtime.h>\n" + ASM}
    named = reported(tmp_path / "a", {**files, "CMakeLists.txt": BOTH % ("b.cu", "")})
    assert {one.group for one in named.findings if one.path == "b.cu"} == {"ptx"}
    open_ = reported(tmp_path / "b", {**files, "CMakeLists.txt": BOTH % ("", "")})
    assert not open_.findings
    assert any("b.cu:2 ptx/" in place for place in unproven(open_)[evidence.UNSEEN])
    assert open_.port is not None and open_.port.gaps == 0
    assert open_.estimate is not None and not [one for one in open_.estimate.items if one.kind == "findings"]
    assert any("could not be judged" in line for line in port_lines(open_))
    assert (open_.port.kernels, open_.port.ported, open_.port.unseen) == (2, 1, ("b.cu",))
    bare = replace(open_, port=replace(open_.port, kernels=0, ported=0, unseen=()))
    assert not any("0 of 0 kernels" in line for line in port_lines(bare))
    count = sum(map(len, unproven(open_).values()))
    part = f"1 of 2 kernels without a gap, 1 {evidence.UNSEEN}"
    read = f"Already ported ({part}): no gap was found by reading, and nothing was compiled"
    assert sentence(open_) == f"{read}; {count} CUDA places could not be judged and no days are counted for them."
    assert any(
        line.startswith(f"1 of 2 kernels without a gap (50%), 1 {evidence.UNSEEN}") for line in port_lines(open_)
    )
    most = replace(open_, port=replace(open_.port, ported=0, unseen=("a.cu", "b.cu")))
    assert sentence(most).startswith(f"Ported in part (0 of 2 kernels without a gap, 2 {evidence.UNSEEN})")
    assert evidence.UNSEEN not in open_.port.covered  # the port does not answer it


@pytest.mark.parametrize(
    ("fetch", "gap"),
    [
        ("tex2D<float>(t, 1, 2)", True),
        ("look.tex2D(1, 2)", False),
        ("\n#ifdef LIB_MORE\ntex2D<float>(t, 1, 2)\n#endif\n", False),
    ],
)
def test_what_some_gpus_of_amd_refuse_is_a_gap_of_a_port_for_others(tmp_path: Path, fetch: str, gap: bool) -> None:
    kernel = f"template <typename T>\n__global__ void f(float *a, T t) {{ *a = {fetch}; }}\n"
    files = {"a.cu": PORT["a.cu"] + kernel, "CMakeLists.txt": BOTH % ("", "")}
    assert ("a.cu texture/fetch" in gaps(reported(tmp_path, files))) is gap


@pytest.mark.parametrize(
    ("include", "gap"),
    [
        ("", True),
        ("#ifdef LIB_AMD\n%s#endif\n", True),
        ("#ifdef LIB_MORE\n%s#endif\n", False),
        ("#ifndef LIB_MORE\n%s#endif\n", False),
    ],
)
def test_a_header_is_compiled_where_what_hip_compiles_includes_it(tmp_path: Path, include: str, gap: bool) -> None:
    line = '#include "b.cuh"\n'
    user = BRANCHES % "LIB_AMD" + (include % line if include else line) + KERNEL
    files = {"a.cu": user, "b.cuh": '#pragma once\n__global__ void f() { asm("bar.arrive 1, 2;"); }\n'}
    report = reported(tmp_path, {**files, "CMakeLists.txt": BUILD % "", "README": "LIB_MORE"})
    assert any(one.startswith("b.cuh ptx/") for one in gaps(report)) is gap


@pytest.mark.parametrize(
    ("condition", "gap"),
    [
        ("#if defined(LIB_AMD) || defined(LIB_MORE)", True),
        ("#ifdef LIB_MORE", False),
        ("#ifndef LIB_MORE", False),
        ("#if LIB_MORE > 2", False),
    ],
)
def test_a_condition_that_is_not_known_to_hold_with_hip_shows_nothing(
    tmp_path: Path, condition: str, gap: bool
) -> None:
    code = BRANCHES % "LIB_AMD" + f"{condition}\n{ASM}#endif\n"
    report = reported(tmp_path, {"a.cu": code, "CMakeLists.txt": BUILD % "", "README": "LIB_MORE"})
    assert any("ptx/" in one for one in gaps(report)) is gap
    assert (evidence.OPEN in unproven(report)) is not gap


CUDA_TOO = "if(WITH_AMD)\n%s\nelse()\nadd_definitions(-DLIB_GPU)\nendif()\n"


@pytest.mark.parametrize(
    ("build", "gap"),
    [
        ("add_definitions(-DLIB_GPU)", True),
        ("add_compile_definitions(LIB_GPU)", True),
        ("target_compile_definitions(other PRIVATE LIB_GPU)", False),
        ("if(MORE)\nadd_definitions(-DLIB_GPU)\nendif()", False),
        ("set(LIB_GPU ON)", False),
    ],
)
def test_a_macro_that_the_build_for_hip_always_gives(tmp_path: Path, build: str, gap: bool) -> None:
    code = BRANCHES % "LIB_AMD" + f'#ifdef LIB_GPU\n#include "b.cuh"\n{ASM}#endif\n'
    header = "#ifdef LIB_GPU\n" + ASM.replace("void k", "void h") + "#endif\n"
    files = {"a.cu": code, "b.cuh": header, "CMakeLists.txt": BUILD % "" + CUDA_TOO % build}
    report = reported(tmp_path, files)
    found = {one.path for one in report.findings if "ptx/" in one.rule}
    assert found == ({"a.cu", "b.cuh"} if gap else set())


def test_a_macro_that_a_build_beside_another_gives(tmp_path: Path) -> None:
    code = BRANCHES % "LIB_AMD" + f"#ifdef LIB_GPU\n{ASM}#endif\n"
    build = BUILD % "" + CUDA_TOO % "add_definitions(-DLIB_GPU)"
    files = {"in/a.cu": code, "in/CMakeLists.txt": build}
    assert any("ptx/" in one for one in gaps(reported(tmp_path / "a", files)))
    other = {**files, "out/CMakeLists.txt": BUILD % "" + "add_library(o o.cu)\n", "out/o.cu": KERNEL}
    assert not any("ptx/" in one for one in gaps(reported(tmp_path / "b", other)))


def test_sources_under_either_of_two_variables(tmp_path: Path) -> None:
    listed = "if(WITH_AMD OR WITH_CUDA)\nlist(APPEND S b.cu)\nendif()\n"
    sets = "foreach(f IN LISTS S)\nlist(APPEND CU ${f})\nendforeach()\n"
    build = BUILD % "" + listed + "if(WITH_AMD)\n" + sets
    build += "set_source_files_properties(${CU} PROPERTIES LANGUAGE HIP)\nendif()\nadd_library(l a.cu ${S})\n"
    files = PORT | {"b.cu": "#include <cuda_runtime.h>\n" + ASM}
    assert any("b.cu ptx/" in one for one in gaps(reported(tmp_path / "a", {**files, "CMakeLists.txt": build})))
    neither = build.replace("WITH_AMD OR WITH_CUDA", "WITH_MORE OR WITH_CUDA")
    assert not any("b.cu" in one for one in gaps(reported(tmp_path / "b", {**files, "CMakeLists.txt": neither})))


def test_a_macros_body_shows_nothing(tmp_path: Path) -> None:
    code = BRANCHES % "LIB_AMD" + '#define STOP asm volatile("bar.arrive 1, 2;")\n' + KERNEL
    report = reported(tmp_path, {"a.cu": code, "CMakeLists.txt": BUILD % ""})
    assert not report.findings


def test_a_name_is_a_gap_where_a_shim_gives_hip_the_others(tmp_path: Path) -> None:
    use = "void f(float *a) { cudaError_t e = cudaFree(a); cudaDeviceReset(); }\n" + KERNEL
    shim = reported(tmp_path / "a", {"gpu.h": SHIM, "a.cu": '#include "gpu.h"\n' + use})
    assert gaps(shim) == {"a.cu api/cudaDeviceReset"}
    alone = reported(tmp_path / "b", {"a.cu": BRANCHES % "LIB_AMD" + use, "CMakeLists.txt": BUILD % ""})
    assert not alone.findings
    assert len(unproven(alone)[evidence.REFUTED]) == 3


def test_lanes_are_a_gap_where_the_code_sees_the_ports_own_wave(tmp_path: Path) -> None:
    code = "__global__ void k(unsigned *a) { unsigned mask = __activemask(); a[0] = mask; }\n"
    files = {"w.h": "#pragma once\n" + BRANCHES % "LIB_AMD" + WAVE, "CMakeLists.txt": BOTH % ("b.cu", "")} | PORT
    sees = reported(tmp_path / "b", {**files, "b.cu": '#include "w.h"\n' + code})
    blind = reported(tmp_path / "c", {**files, "b.cu": code})
    assert "b.cu warp/active-mask" in gaps(sees)
    assert not blind.findings
    assert unproven(blind)[evidence.NO_WAVE] == ("b.cu:1 warp/active-mask",)


@pytest.mark.parametrize(
    ("switch", "gap"),
    [("LIB_CUDA", True), ("LIB_NVSHMEM", False), ("LIB_CUDA AND LIB_FFT", False), ("LIB_CUDA OR LIB_FFT", False)],
)
def test_what_an_option_leaves_to_cuda_is_counted(tmp_path: Path, switch: str, gap: bool) -> None:
    build = (
        "project(p LANGUAGES CXX)\nif(LIB_HIP)\n  enable_language(HIP)\n  add_definitions(-DLIB_HIP)\nendif()\n"
        "if(LIB_CUDA)\n  enable_language(CUDA)\nendif()\nif(LIB_NVSHMEM)\n  find_package(CUDAToolkit)\nendif()\n"
        f"add_library(g a.cu)\nif({switch})\n  target_sources(g PRIVATE b.cu)\nendif()\n"
    )
    text = "#include <cuda_runtime.h>\nvoid f() { cudaDeviceReset(); cudaDeviceSynchronize(); }\n" + KERNEL
    files = {"a.cu": BRANCHES % "LIB_HIP" + KERNEL, "b.cu": text, "CMakeLists.txt": build}
    assert (gaps(reported(tmp_path, files)) == {"b.cu build/left-to-cuda"}) is gap


@pytest.mark.parametrize(
    ("condition", "counted"),
    [
        ("defined(LIB_AMD) && defined(__HIP_PLATFORM_NVIDIA__)", False),
        ("defined(__HIP_PLATFORM_NVCC__)", False),
        ("defined(LIB_OTHER)", True),
    ],
)
def test_what_hip_compiles_for_nvidia_is_not_amds(tmp_path: Path, condition: str, counted: bool) -> None:
    code = BRANCHES % "LIB_AMD" + f"#if {condition}\n{ASM}#endif\n"
    report = reported(tmp_path, {"a.cu": code, "CMakeLists.txt": BUILD % "", "README": "LIB_OTHER"})
    assert not report.findings
    assert bool(unproven(report)) is counted


def test_tests_and_examples_that_hip_lacks_are_counted(tmp_path: Path) -> None:
    cuda = "#include <cuda_runtime.h>\n" + KERNEL + "void f() { cudaDeviceSynchronize(); }\n"
    hip = "#include <hip/hip_runtime.h>\n__global__ void k(float *a) {}\nint w = __any(1);\n"
    for folder, gap in (("src", True), ("tests", False)):
        files = {
            f"{folder}/hip/a.hip.cpp": hip,
            f"{folder}/cuda/a.cu": cuda,
            f"{folder}/cuda/b.cu": cuda.replace("k(", "l("),
        }
        report = reported(tmp_path / folder, {**files, "CMakeLists.txt": BUILD % ""})
        assert (gaps(report) == {f"{folder}/cuda/b.cu build/left-to-cuda"}) is gap
        assert (evidence.ASIDE in unproven(report)) is not gap


@pytest.mark.parametrize(
    ("cuda", "hip", "gap"),
    [
        ("__global__ void l(float *a) {}\n", "", True),
        ("", "", False),  # no kernel: another file may do what is in it
        ("__global__ void k(float *a) {}\n", "", False),  # HIP's side has that kernel
        ("__global__ void k_cuda(float *a) {}\n", "__global__ void k_hip(float *a) {}\n", False),
        ("__global__ void l(float *a) {}\n", "__global__ void m(float *a) {}\n", False),  # a file of its own
    ],
)
def test_a_kernel_that_hips_folder_lacks_is_a_gap(tmp_path: Path, cuda: str, hip: str, gap: bool) -> None:
    head = "#include <cuda_runtime.h>\nvoid f() { cudaDeviceSynchronize(); }\n"
    one = "#include <hip/hip_runtime.h>\n__global__ void k(float *a) {}\nint w = __any(1);\n"
    files = {"s/hip/a.hip.cpp": one, "s/cuda/a.cu": head + KERNEL, "s/cuda/b.cu": head + cuda}
    files |= {"s/hip/own.hip.cpp": "#include <hip/hip_runtime.h>\n" + hip} if hip else {}
    report = reported(tmp_path, {**files, "CMakeLists.txt": BUILD % ""})
    assert (gaps(report) == {"s/cuda/b.cu build/left-to-cuda"}) is gap
    assert (evidence.OTHERWISE in unproven(report)) is not gap


@pytest.mark.parametrize(("other", "gap"), [("", True), ("b_hip.cpp", True), ("mine_hip.cpp", False)])
def test_a_source_for_hip_without_a_namesake_may_do_the_work(tmp_path: Path, other: str, gap: bool) -> None:
    build = (
        "project(p LANGUAGES CXX)\nif(LIB_HIP)\n  enable_language(HIP)\n  add_definitions(-DLIB_HIP)\n"
        f"  list(APPEND MORE {other})\nendif()\nif(LIB_CUDA)\n  enable_language(CUDA)\n"
        "  list(APPEND MORE b_cuda.cu c_cuda.cu)\nendif()\nadd_library(g a.cu ${MORE})\n"
    )
    text = "#include <cuda_runtime.h>\nvoid f() { cudaDeviceReset(); cudaDeviceSynchronize(); }\n" + KERNEL
    kernels = "".join(KERNEL.replace("k(", f"k{number}(") for number in range(4))
    files = {"a.cu": BRANCHES % "LIB_HIP" + kernels, "c_cuda.cu": text, "CMakeLists.txt": build}
    files |= {"b_cuda.cu": text} | ({other: "#include <hip/hip_runtime.h>\nhipStream_t s;\n"} if other else {})
    assert ("c_cuda.cu build/left-to-cuda" in gaps(reported(tmp_path, files)) or not other) is gap


def test_sources_that_one_command_leaves_to_cuda_are_one_gap(tmp_path: Path) -> None:
    build = (BUILD % "  add_library(g a.cu)\n").replace("(CUDA)\n", "(CUDA)\n  add_library(g a.cu b.cu c.cu)\n")
    build = build.replace("if(WITH_AMD)", "if(WITH_HIP)").replace("else()", "endif()\nif(WITH_CUDA)")
    kernels = "".join(KERNEL.replace("k(", f"k{number}(") for number in range(3))
    files = {"b.cu": KERNEL, "c.cu": KERNEL.replace("k(", "l(")}
    files = {path: text + "void f() { cudaDeviceSynchronize(); }\n" for path, text in files.items()}
    files["a.cu"] = BRANCHES % "LIB_AMD" + kernels
    report = reported(tmp_path, {**files, "CMakeLists.txt": build})
    assert report.port is not None and report.port.gaps == len(report.findings) == 1
    assert "2 files" in report.findings[0].message


def test_images_and_kernels_in_python_are_not_shown_to_be_used_with_hip(tmp_path: Path) -> None:
    python = 'import cupy\n\nkernel = cupy.RawKernel("__global__ void k(double *a) { a[0] = CUDART_INF; }", "k")\n'
    files = {"Dockerfile": "FROM nvidia/cuda:12.4.0-devel-ubuntu22.04\n", "a.py": python}
    shimmed = {"shim.h": SHIM, "a.cu": '#include "shim.h"\n' + BRANCHES % "LIB_AMD" + KERNEL}  # no build is read
    report = reported(tmp_path / "a", shimmed | files)
    assert not report.findings
    found = unproven(report)
    assert any("Dockerfile:1" in place for place in found[evidence.NO_MACHINE])
    assert any("a.py:" in place for place in found[evidence.NOT_RUN])
    alone = reported(tmp_path / "b", files | {"a.cu": KERNEL})
    assert any(finding.path == "Dockerfile" for finding in alone.findings)


@pytest.mark.parametrize(
    ("condition", "gap"),
    [
        ("#ifdef __HIP_PLATFORM_HCC__", True),
        ("#ifndef __HIP_PLATFORM_HCC__ // AMD", True),
        ("#if defined(LIB_AMD) && defined(__HIP_PLATFORM_HCC__)", True),
        ("#if defined(__HIP_PLATFORM_HCC__) && LIB_HIP_OLDER_THAN(5, 5)", False),  # releases that have the macro
        ("#if defined(__HIP_PLATFORM_HCC__) || defined(LIB_AMD)", False),
    ],
)
def test_the_macro_of_old_releases_is_a_gap_where_it_decides(tmp_path: Path, condition: str, gap: bool) -> None:
    code = BRANCHES % "LIB_AMD" + f"{condition}\nint a;\n#else\nint b;\n#endif\n"
    report = reported(tmp_path, {"a.cu": code, "CMakeLists.txt": BUILD % "", "README": "LIB_HIP_OLDER_THAN"})
    assert (gaps(report) == {"a.cu build/old-platform-macro"}) is gap
    assert bool(unproven(report)) is not gap


@pytest.mark.parametrize(
    ("command", "gap"),
    [
        ("include(/opt/rocm/hip/cmake/FindHIP.cmake)", True),
        ("include(/opt/rocm/hip/cmake/FindHIP.cmake OPTIONAL)", False),
        ("list(APPEND CMAKE_PREFIX_PATH /opt/rocm/hip /opt/rocm)", False),
        ('message(STATUS "HIP is not in /opt/rocm/hip")', False),
    ],
)
def test_a_folder_that_is_gone_is_a_gap_where_the_build_needs_a_file_of_it(
    tmp_path: Path, command: str, gap: bool
) -> None:
    report = reported(tmp_path, {**PORT, "CMakeLists.txt": BUILD % f"  {command}\n"})
    assert (gaps(report) == {"CMakeLists.txt build/cmake-rocm-folder"}) is gap


def test_a_makefile_for_files_that_a_port_leaves_to_cuda_is_not_edited(tmp_path: Path) -> None:
    build = (
        (BUILD % "").replace("(CUDA)\n", "(CUDA)\n  add_library(g b.cpp)\n").replace("else()", "endif()\nif(WITH_CUDA)")
    )
    host = "#include <cuda_runtime.h>\nvoid f() { cudaDeviceSynchronize(); }\n"
    files = {"CMakeLists.txt": build.replace("WITH_AMD", "WITH_HIP"), "b.cpp": host}
    files |= {"Makefile": "%.o: %.cpp\n\t$(CXX) -c $< -o $@\n"}
    report = reported(tmp_path / "a", {**PORT, **files})
    assert gaps(report) == {"b.cpp build/left-to-cuda"}
    alone = reported(tmp_path / "b", {"b.cpp": host, "Makefile": files["Makefile"]})
    assert "Makefile build/make-host-headers" in gaps(alone)


@pytest.mark.parametrize(
    ("inside", "outside", "gap"),
    [
        ("add_definitions(-D__HIP_PLATFORM_HCC__)", "", True),
        ('set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -D__HIP_PLATFORM_HCC__=1")', "", True),
        ('set(OWN_FLAGS "-D__HIP_PLATFORM_HCC__=1")', 'set(CMAKE_CXX_FLAGS "${OWN_FLAGS} ${CMAKE_CXX_FLAGS}")', True),
        ("list(APPEND OWN_FLAGS\n    -D__HIP_PLATFORM_HCC__)", "add_compile_options(${OWN_FLAGS})", True),
        ("list(APPEND OWN_FLAGS -D__HIP_PLATFORM_HCC__)", "", False),
        ("list(APPEND OWN_FLAGS -D__HIP_PLATFORM_HCC__)", 'set(HIP_HIPCC_FLAGS "${OWN_FLAGS}")', False),
        ("target_compile_options(kernels PRIVATE -D__HIP_PLATFORM_HCC__)", "", False),
        ("add_definitions(-D__HIP_PLATFORM_HCC__ -D__HIP_PLATFORM_AMD__)", "", False),
    ],
)
def test_hips_old_platform_is_a_gap_where_the_compiler_of_the_host_gets_it(
    tmp_path: Path, inside: str, outside: str, gap: bool
) -> None:
    build = BUILD % f"  {inside}\n  add_definitions(-DLIB_AMD)\n" + outside
    report = reported(tmp_path, {**PORT, "CMakeLists.txt": build})
    assert ({one.rule for one in report.findings} == {"build/flag-platform-hcc"}) == gap
    assert any("flag-platform-hcc" in place for place in unproven(report).get(evidence.UNDECIDED, ())) != gap


def test_a_file_that_says_nothing_of_a_port_may_include_one_on_a_condition(tmp_path: Path) -> None:
    files = {
        "shim.h": SHIM,
        "a.cu": '#include "shim.h"\n#include "all.h"\n' + KERNEL,
        "b.h": '#include "shim.h"\ncudaMemPool_t pool;\n',
        "CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n",
        "all.h": '#ifndef ALL_H\n#define ALL_H\n#include "c.h"\n#endif\n',
    }
    optional = '#ifndef C_H\n#define C_H\n#ifdef LIB_OTHER\n#include "d.h"\n#endif\n#endif\n// -DLIB_OTHER\n'
    d = "cudaMemPool_t more;\n"
    always = optional.replace("#ifdef LIB_OTHER\n", "").replace("#endif\n#endif", "#endif")
    there = reported(tmp_path / "a", {**files, "c.h": always, "d.h": d})
    absent = reported(tmp_path / "b", {**files, "c.h": optional, "d.h": d})
    assert gaps(there) - gaps(absent) == {"d.h api/cudaMemPool_t"}
    assert any(place.startswith("d.h:1 ") for place in unproven(absent)[evidence.UNSEEN])
