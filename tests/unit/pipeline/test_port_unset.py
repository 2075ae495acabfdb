"""What no build of a port reaches is no gap: macros that nothing sets, branches ruled out, headers never included."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from porttrees import BRANCHES, BUILD, KERNEL, facts, scanned

from cudamigrate.analysis.port_unset import dead, spoken
from cudamigrate.model import SourceFile

TIMER = "#ifdef LIB_TIMER\nvoid t() { cuCtxSynchronize(); }\n#endif\n"
TREE = {"CMakeLists.txt": BUILD % "", "a.cu": BRANCHES % "LIB_AMD" + KERNEL, "t.cpp": "#include <cuda.h>\n" + TIMER}


def left(folder: Path, files: dict[str, str]) -> set[str]:
    return {one.name for one in scanned(folder, {**TREE, **files}).findings}


def test_code_under_a_macro_that_nothing_sets_is_no_gap_and_counted(tmp_path: Path) -> None:
    report = scanned(tmp_path, TREE)
    assert report.port is not None and report.port.covered["under a macro that nothing sets"] == 1
    assert "cuCtxSynchronize" not in {one.name for one in report.findings}


@pytest.mark.parametrize(
    "files",
    [
        {"b.h": "#define LIB_TIMER 1\n"},
        {"CMakeLists.txt": BUILD % "" + "add_definitions(-DLIB_TIMER)\n"},
        {"CMakeLists.txt": BUILD % "" + 'foreach(one TIMER LOG)\n  option(LIB_${one} "" OFF)\nendforeach()\n'},
        {"README.md": "Configure with `-DLIB_TIMER=ON` to measure.\n"},
        {"INSTALL": "LIB_TIMER  measures each call\n"},
        {"b.cpp": '#include <string>\nstd::string options = "-DLIB_TIMER";\n'},
        {"b.cpp": '#include <map>\nstd::map<const char *, int> defines = {{"LIB_TIMER", 1}};\n'},
        {"b.cpp": "// Compile with -DLIB_TIMER to measure.\nint b;\n"},
        {"b.cpp": "#include <lib/base.h>\nint b;\n"},  # a foreign header, which may define it
        {"config.h.in": "#cmakedefine LIB_TIMER\n"},
    ],
)
def test_a_macro_that_something_names_keeps_its_gaps(tmp_path: Path, files: dict[str, str]) -> None:
    assert "cuCtxSynchronize" in left(tmp_path, files)


@pytest.mark.parametrize("text", ["// #define LIB_TIMER\nint b;\n", "#ifdef LIB_TIMER\nint c;\n#endif  // LIB_TIMER\n"])
def test_asking_again_and_a_definition_in_a_comment_set_nothing(tmp_path: Path, text: str) -> None:
    assert "cuCtxSynchronize" not in left(tmp_path, {"b.cpp": text})


@pytest.mark.parametrize("macro", ["_LIB_TIMER", "HAVE_TIMER", "TIMER_VERSION", "HIP_TIMER", "timer", "__linux__"])
def test_what_compilers_scripts_and_headers_set_is_never_unset(tmp_path: Path, macro: str) -> None:
    found = facts(tmp_path, {**TREE, "t.cpp": "#include <cuda.h>\n" + TIMER.replace("LIB_TIMER", macro)})
    assert macro not in found.unset


def test_the_guard_of_the_port_is_never_unset(tmp_path: Path) -> None:
    assert facts(tmp_path, TREE).unset == {"LIB_TIMER"}


WIDE = "#pragma once\n__device__ double sum(double a, double b) { return __dadd_rn(a, b); }\n"


def test_a_header_that_only_an_unset_macro_includes_is_no_gap(tmp_path: Path) -> None:
    user = BRANCHES % "LIB_AMD" + '#ifdef LIB_WIDE\n#include "wide.h"\n#endif\n' + KERNEL
    report = scanned(tmp_path / "a", {**TREE, "a.cu": user, "wide.h": WIDE})
    assert "wide.h" not in {one.path for one in report.findings}
    assert report.port is not None and report.port.covered["in a header that HIP's side never includes"] >= 1
    plain = {"b.cu": BRANCHES % "LIB_AMD" + '#include "wide.h"\n' + KERNEL}
    kept = scanned(tmp_path / "b", {**TREE, "a.cu": user, "wide.h": WIDE, **plain})
    assert "wide.h" in {one.path for one in kept.findings}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("#define FAST\n#ifdef FAST\nint a;\n#else\nint b;\n#endif\n", [(5, 5)]),
        ("#define FAST 0\n#if FAST\nint a;\n#elif X\nint c;\n#else\nint b;\n#endif\n", [(3, 3)]),
        ("#if A\n#define FAST\n#ifdef FAST\nint a;\n#else\nint b;\n#endif\n#endif\n", [(6, 6)]),
        ("#define FAST 1\n#ifndef FAST\nint a;\n#endif\n", [(3, 3)]),
        ("#if A\n#define FAST\n#endif\n#ifdef FAST\nint a;\n#else\nint b;\n#endif\n", []),  # A decides
        ("#define FAST\n#undef FAST\n#ifdef FAST\nint a;\n#else\nint b;\n#endif\n", []),
        ("#if A\n#undef FAST\n#endif\n#ifdef FAST\nint a;\n#else\nint b;\n#endif\n#define FAST\n", []),
        ("#define FAST (N > 2)\n#if FAST\nint a;\n#else\nint b;\n#endif\n", []),
        ("#define FAST\n#if defined(FAST) && X\nint a;\n#else\nint b;\n#endif\n", []),
        ("#define FAST(x) x\n#if FAST(1)\nint a;\n#else\nint b;\n#endif\n", []),
    ],
)
def test_a_branch_that_the_file_rules_out_itself(text: str, lines: list[tuple[int, int]]) -> None:
    assert list(dead(SourceFile("a.cpp", text.encode(), "cxx"))) == lines


def test_a_gap_in_a_branch_that_the_file_rules_out_is_answered(tmp_path: Path) -> None:
    code = "#include <cuda.h>\n%s#ifdef LIB_FAST\nint a;\n#else\nvoid t() { cuCtxSynchronize(); }\n#endif\n"
    assert "cuCtxSynchronize" not in left(tmp_path / "a", {"t.cpp": code % "#define LIB_FAST\n"})
    kept = {"t.cpp": code % "", "README.md": "LIB_FAST\n"}
    assert "cuCtxSynchronize" in left(tmp_path / "b", kept)


SET = "project(l LANGUAGES CXX)\nif(AMD)\n  enable_language(HIP)\nendif()\nadd_library(l %s)\n"


def test_a_folder_that_the_build_around_it_leaves_out_is_no_gap(tmp_path: Path) -> None:
    names = [f"{part}/{name}.cu" for part in ("x", "y", "z") for name in (f"{part}a", f"{part}b")]
    files = dict.fromkeys(names, BRANCHES % "LIB_AMD") | {
        "CMakeLists.txt": SET % " ".join(names),
        "speed/measure.cpp": "#include <cuda.h>\nvoid f() { cuCtxSynchronize(); }\n",
    }
    assert facts(tmp_path / "a", files).unbuilt == {"speed/measure.cpp"}
    for number, change in enumerate(
        (
            {"CMakeLists.txt": SET % " ".join((*names, "speed/measure.cpp"))},
            {"speed/CMakeLists.txt": "file(GLOB ALL *.cpp)\nadd_executable(m ${ALL})\n"},
            {"CMakeLists.txt": SET % " ".join((*names, "${KIND}/measure.cpp"))},
            {"x/xa.cu": BRANCHES % "LIB_AMD" + '#include "../speed/measure.cpp"\n'},
            {"Make.package": "sources += measure.cpp\n"},
        )
    ):
        assert facts(tmp_path / f"b{number}", files | change).unbuilt == frozenset()


def test_a_header_of_the_project_is_no_librarys(tmp_path: Path) -> None:
    code = '#include "nvshmem_pool.h"\n#include <cuda.h>\n%s'
    own = {"nvshmem_pool.h": "#pragma once\nvoid pool();\n", "p.cpp": code % ""}
    found = scanned(tmp_path / "a", {**TREE, **own}).findings
    assert "library/nvshmem" not in {one.rule for one in found}
    used = scanned(tmp_path / "b", {**TREE, **own, "p.cpp": code % "void f() { nvshmem_init(); }\n"}).findings
    assert [one.excerpt.strip() for one in used if one.rule == "library/nvshmem"] == ["void f() { nvshmem_init(); }"]
    foreign = scanned(tmp_path / "c", {**TREE, "p.cpp": code % ""}).findings
    assert "library/nvshmem" in {one.rule for one in foreign}


def test_a_load_that_hip_has_for_half_compiles_in_what_its_build_compiles(tmp_path: Path) -> None:
    load = "template <class T> __global__ void k(T *a) { a[0] = %s(a + 1); }\n"
    files = {"CMakeLists.txt": BUILD % "", "a.cu": BRANCHES % "LIB_AMD" + load % "__ldcs"}
    assert "__ldcs" not in {one.name for one in scanned(tmp_path / "a", files).findings}
    files["a.cu"] = BRANCHES % "LIB_AMD" + load % "__ldlu"  # HIP has it for no type
    assert "__ldlu" in {one.name for one in scanned(tmp_path / "b", files).findings}


OWN = "#ifdef %s\n#include <cuda_runtime.h>\nvoid f(void **p) { cudaMalloc(p, 4); }\n#endif\n"
VENDORS = (
    "project(l LANGUAGES CXX)\nif(USE_NV)\n  enable_language(CUDA)\n  add_compile_definitions(%s)\nendif()\n"
    "if(USE_AMD)\n  enable_language(HIP)\n  add_compile_definitions(__AMD)\nendif()\n"
)


def test_a_macro_that_looks_like_the_compilers_is_the_projects_where_its_build_sets_it(tmp_path: Path) -> None:
    code = "#ifdef __AMD\n#include <hip/hip_runtime.h>\n#endif\n"
    for name, known in (("__CUDA", True), ("__CUDA_NO_HALF__", False), ("NDEBUG", False)):
        files = {"CMakeLists.txt": VENDORS % name, "a.cpp": code + OWN % name, "b.cpp": code}
        assert (f"-{name}" in facts(tmp_path / name, files).marks) is known


def test_a_makefile_that_chooses_by_name_sets_macros_for_cuda_in_its_branch(tmp_path: Path) -> None:
    make = "ifeq ($(GPU), %s)\n  CC = %s\n  OPTIONS += -DLIB_NV\nendif\n"
    build = BUILD % "  add_definitions(-DLIB_AMD)\n"
    files = {"CMakeLists.txt": build, "a.cpp": BRANCHES % "LIB_AMD" + OWN % "LIB_NV"}
    assert "-LIB_NV" in facts(tmp_path / "a", {**files, "Makefile": make % ("CUDA", "nvcc")}).marks
    assert "-LIB_NV" not in facts(tmp_path / "b", {**files, "Makefile": make % ("CUDA", "mpicc")}).marks


REFUSES = (
    "project(l LANGUAGES CXX)\nif(LIB_NV)\n  enable_language(CUDA)\nendif()\n"
    "if(LIB_AMD)\n  enable_language(HIP)\n  add_definitions(-DLIB_AMD)\nendif()\n"
    "if(LIB_RING)\n  %s\nendif()\nconfigure_file(config.h.in config.h)\nadd_library(l a.cu ring.cpp)\n"
)


def test_what_a_build_refuses_without_cuda_is_cudas(tmp_path: Path) -> None:
    files = {
        "config.h.in": "#cmakedefine LIB_RING\n#cmakedefine LIB_HIP_RING\n",
        "a.cu": BRANCHES % "LIB_AMD" + KERNEL,
        "ring.cpp": OWN % "LIB_RING",
    }
    for number, (inside, known) in enumerate(
        (
            ('if(NOT LIB_NV)\n    message(FATAL_ERROR "no")\n  endif()', True),
            ('if(NOT LIB_NV)\n    message(STATUS "no")\n  endif()', False),
            ('if(NOT LIB_MPI)\n    message(FATAL_ERROR "no")\n  endif()', False),
            ('if(LIB_NV)\n    message(FATAL_ERROR "no")\n  endif()', False),
        )
    ):
        found = facts(tmp_path / str(number), {**files, "CMakeLists.txt": REFUSES % inside})
        assert ("-LIB_RING" in found.marks) is known
    joined = REFUSES % 'set(x y)\nendif()\nif(LIB_RING AND NOT LIB_NV)\n  message(FATAL_ERROR "no")'
    assert "-LIB_RING" in facts(tmp_path / "joined", {**files, "CMakeLists.txt": joined}).marks


def test_headers_that_the_other_side_lacks_are_one_gap_with_what_includes_them(tmp_path: Path) -> None:
    body = "__device__ float %s(float a) { return __shfl_xor(a, 1); }\n"
    files = {
        "CMakeLists.txt": BUILD % "",
        **{f"cuda/{name}.cuh": body % name for name in ("a", "b", "c")},
        **{f"hip/{name}.cuh": "#include <hip/hip_runtime.h>\n" + body % name for name in ("a", "b", "c")},
        "cuda/mma/all.cuh": '#include "small.cuh"\n' + body % "all",
        "cuda/mma/small.cuh": body % "small",
        "cuda/mma/alone.cuh": body % "alone",
    }
    found = [one.path for one in scanned(tmp_path, files).findings if one.rule == "build/left-to-cuda"]
    assert found == ["cuda/mma/all.cuh", "cuda/mma/alone.cuh"]


def test_names_of_fftw_are_cufft_s_where_something_includes_its_wrapper(tmp_path: Path) -> None:
    plan = "#include <%s>\nvoid f() { fftw_plan_many_dft(1, 0); cuCtxSynchronize(); }\n"
    rule = "api/fftw-without-counterpart"
    found = scanned(tmp_path / "a", {**TREE, "p.cpp": plan % "fftw3.h"})
    assert rule not in {one.rule for one in found.findings}
    wrapped = scanned(tmp_path / "b", {**TREE, "p.cpp": plan % "cufftw.h"})
    assert rule in {one.rule for one in wrapped.findings}


def test_a_member_that_begins_like_a_librarys_function_is_none(tmp_path: Path) -> None:
    code = "#include <cuda.h>\nvoid f() { use(%s); }\n"
    for name, found in (("nvshmem_team_", False), ("nvshmem_team", True)):
        report = scanned(tmp_path / name, {**TREE, "p.cpp": code % name})
        assert ("library/nvshmem" in {one.rule for one in report.findings}) is found


@given(
    name=st.text("AB_", min_size=1, max_size=8),
    parts=st.lists(st.text("AB_", max_size=3), min_size=2, max_size=4),
)
def test_a_name_that_a_build_may_put_together_counts_as_spoken(name: str, parts: list[str]) -> None:
    expected = bool("".join(parts).strip("_")) and fnmatchcase(name, "*".join(parts))
    made = "${kind}".join(parts)
    assert (name in spoken(f"set({made})".encode(), {name})) is (expected or name in parts)


def test_what_is_spoken_of_several_macros() -> None:
    text = b"set(USE_${kind} 1) cmake -DWITH_A {x}_LAST FOO"
    every = {"USE_", "USE_GPU", "ME_USE_GPU", "WITH_A", "WITH_AB", "IT_LAST", "LASTS", "FOO", "FOOT"}
    assert spoken(text, every) == {"USE_", "USE_GPU", "WITH_A", "IT_LAST", "FOO"}
