"""What decides whether a macro is a guard: what is around its branch, and where else it is defined or asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import BRANCHES, BUILD, KERNEL, facts, marks, reported

COPY = "#ifdef LIB_CHECKS\nhipMemcpy(a, b, n, hipMemcpyDefault);\n#endif\n"
TREE = {"CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n", "a.h": BRANCHES % "LIB_AMD"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"#ifdef LIB_RUN\nhipStream_t s;\n{COPY}#endif\n", {"?LIB_RUN"}),
        (f"#ifdef LIB_RUN\nint s;\n{COPY}#endif\n", {"?LIB_CHECKS"}),  # nothing else of it is HIP's
        (f"#ifndef LIB_A_H\n#define LIB_A_H\n{COPY}#endif\n", {"?LIB_CHECKS"}),
    ],
)
def test_a_choice_within_code_for_hip_is_no_guard(tmp_path: Path, text: str, expected: set[str]) -> None:
    assert marks(tmp_path, {"a.cuh": text}) == expected


PLAIN = "#ifndef LIB_PLAIN\n#define LIB_PLAIN\n#endif\n"


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("", True),
        (PLAIN + "#ifdef LIB_PLAIN\nint x;\n#endif\n", False),  # a source that shows nothing of HIP defines it, too
        ("#ifdef LIB_PLAIN\nint x;\n#endif\n", True),  # only asks for it
    ],
)
def test_a_macro_of_cudas_side_is_defined_nowhere_else(tmp_path: Path, other: str, expected: bool) -> None:
    code = f"#ifdef LIB_AMD\nhipStream_t s;\n#else\n{PLAIN}#endif\n#ifdef LIB_PLAIN\nint y;\n#endif\n"
    assert ("-LIB_PLAIN" in marks(tmp_path, {**TREE, "b.cpp": code, "c.cpp": other})) is expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("!defined(LIB_AMD)", True),
        ("!defined(__HIP_DEVICE_COMPILE__)", False),
        ("!defined(__AMDGCN__)", False),
        ("!defined(__CUDACC__) && !defined(__HIPCC__)", False),
        ("defined(__CUDACC__) && !defined(__HIPCC__)", True),
    ],
)
def test_hips_pass_for_the_host_defines_what_that_for_the_device_does_not(
    tmp_path: Path, condition: str, expected: bool
) -> None:
    code = f"#if {condition}\n#define LIB_TASKS\n#endif\n#ifdef LIB_TASKS\nint t;\n#endif\n{KERNEL}"
    assert ("-LIB_TASKS" in marks(tmp_path, {**TREE, "b.h": code})) is expected


APART = "#ifdef LIB_NV\n#include <cuda_runtime.h>\n#endif\n#ifdef LIB_AMD\n#include <hip/hip_runtime.h>\n#endif\n"
KNOWN = "#ifdef LIB_NV\ncudaStream_t s;\n#elif defined(USE_HIP)\nhipStream_t s;\n#endif\n"
ALONE = "#ifdef LIB_AMD\n#include <hip/hip_runtime.h>\n#endif\n"


@pytest.mark.parametrize(("code", "expected"), [(APART, True), (KNOWN, True), (ALONE, False)])
def test_a_build_that_is_asked_for_hip_where_files_have_code_for_both(
    tmp_path: Path, code: str, expected: bool
) -> None:
    build = "project(p LANGUAGES CXX)\nif(ENABLE_HIP)\n  add_subdirectory(hip)\nendif()\n"
    files = {"CMakeLists.txt": build, "a.h": code, "b.h": code, "c.h": "void f(cudaStream_t);\n"}
    assert facts(tmp_path / "a", files).is_port is expected
    del files["b.h"]
    assert not facts(tmp_path / "b", files).is_port  # one file is little


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("LIB_ON && kFast", True),
        ("LIB_ON == 1", True),
        ("0.25 * LIB_ON", False),
        ("LIB_ON * 2", False),
        ("x[0]", False),
        ("0 op LIB_ON", False),
        ("!(LIB_ON)", True),
    ],
)
def test_a_constant_of_a_guard_is_true_or_false(tmp_path: Path, value: str, expected: bool) -> None:
    code = "#ifdef LIB_AMD\n#define LIB_ON 1\n#else\n#define LIB_ON 0\n#endif\n"
    found = marks(tmp_path, {**TREE, "b.cuh": f"{code}const auto kSide = {value};\n{KERNEL}"})
    assert any(mark.endswith("kSide") for mark in found) is expected


def test_what_a_build_hipifies_by_name_is_left_alone_and_the_rest_is_not(tmp_path: Path) -> None:
    build = "project(p LANGUAGES CXX)\nfind_package(hip)\nexecute_process(COMMAND hipify-perl -o a.cpp a.cu)\n"
    code = f"void f() {{ cudaDeviceReset(); }}\n{KERNEL}"
    more = {f"{name}.cu": code for name in "bcd"}
    report = reported(tmp_path, {"CMakeLists.txt": build, "a.cu": code, **more})
    assert report.port is None  # one of four kernels
    assert {one.path for one in report.findings if one.fix} >= {"b.cu", "c.cu", "d.cu"}
    assert not any(one.path == "a.cu" and one.fix for one in report.findings)
