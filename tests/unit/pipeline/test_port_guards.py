"""What decides whether a macro is a guard: what is around its branch, and where else it is defined or asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import BRANCHES, BUILD, KERNEL, facts, marks

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
    [("!defined(LIB_AMD)", True), ("!defined(__HIP_DEVICE_COMPILE__)", False), ("!defined(__AMDGCN__)", False)],
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
    build = "project(p LANGUAGES CXX)\nif(ENABLE_HIP)\n  message(STATUS x)\nendif()\n"
    files = {"CMakeLists.txt": build, "a.h": code, "b.h": code, "c.h": "void f(cudaStream_t);\n"}
    assert facts(tmp_path / "a", files).is_port is expected
    del files["b.h"]
    assert not facts(tmp_path / "b", files).is_port  # one file is little
