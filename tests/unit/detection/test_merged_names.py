"""Definitions and cases that differ by CUDA's names alone are reported before a compiler says that they are one."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.edits import apply

INCLUDES = "#include <cuda.h>\n#include <cuda_runtime.h>\n#include <cusolverDn.h>\n"
RUNTIME = "const char *text(cudaError_t e) { return cudaGetErrorName(e); }\n"
DRIVER = "const char *text(CUresult e) { return 0; }\n"
SWITCH = "const char *text(cusolverStatus_t e) { switch (e) {\n%s} return 0; }\n"


def found(root: Path, code: str) -> list[tuple[str, int, str, bool]]:
    """Rule, line, resolution and whether there is a fix, of each such finding."""
    (root / "a.cu").write_text(INCLUDES + code)
    findings = pipeline.scan(root, Config(jobs=1)).findings
    return [
        (one.rule, one.position.line - 3, one.resolution, one.fix is not None)
        for one in findings
        if one.rule.startswith("build/merged-")
    ]


@pytest.mark.parametrize(
    ("code", "line"),
    [
        pytest.param(RUNTIME + DRIVER, 2, id="overloads"),
        pytest.param(DRIVER + RUNTIME, 2, id="the other way round"),
        pytest.param(f"{RUNTIME}#ifdef WITH_DRIVER\n{DRIVER}#endif\n", 3, id="one in a conditional"),
        pytest.param(f"namespace a {{\n{RUNTIME}}}\nnamespace a {{\n{DRIVER}}}\n", 5, id="in one namespace"),
        pytest.param(
            "template <class T> struct kind;\ntemplate <> struct kind<CUresult> { int a; };\n"
            "template <> struct kind<cudaError_t> { int b; };\n",
            3,
            id="specialisations",
        ),
        pytest.param(
            "template <class T> int kind();\ntemplate <> int kind<CUresult>() { return 1; }\n"
            "template <> int kind<cudaError_t>() { return 2; }\n",
            3,
            id="specialised functions",
        ),
        pytest.param("void put(CUdeviceptr p) { p += 1; }\nvoid put(void *at) {}\n", 2, id="an address"),
        pytest.param(
            "struct A {\n void f(CUresult, int *p) { }\n void f(cudaError_t e, int *q) { e; }\n};\n", 3, id="members"
        ),
    ],
)
def test_definitions_that_are_one_in_hip_are_found(tmp_path: Path, code: str, line: int) -> None:
    assert found(tmp_path, code) == [("build/merged-definition", line, "manual", False)]


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(RUNTIME + DRIVER.replace(" { return 0; }", ";"), id="a declaration"),
        pytest.param(f"#ifdef X\n{RUNTIME}#else\n{DRIVER}#endif\n", id="one or the other"),
        pytest.param(RUNTIME + f"namespace a {{\n{DRIVER}}}\n", id="another namespace"),
        pytest.param(RUNTIME + DRIVER.replace("text", "words"), id="another name"),
        pytest.param(RUNTIME + DRIVER.replace("CUresult e", "CUresult e, int n"), id="more types"),
        pytest.param(RUNTIME + DRIVER.replace("CUresult", "cusolverStatus_t"), id="a type of its own"),
        pytest.param(f"struct A {{\n{RUNTIME}}};\nstruct B {{\n{DRIVER}}};\n", id="two classes"),
        pytest.param("struct A { void f(CUresult e) {} void f(cudaError_t e) const {} };\n", id="const"),
        pytest.param(f"{RUNTIME}#ifndef __HIP_PLATFORM_AMD__\n{DRIVER}#endif\n", id="CUDA's alone"),
        pytest.param(RUNTIME + RUNTIME, id="one before too"),
    ],
)
def test_neighbours_are_left_alone(tmp_path: Path, code: str) -> None:
    assert found(tmp_path, code) == []


def test_a_copy_is_left_out_for_amd(tmp_path: Path) -> None:
    code = "int fails(cudaError_t e) { return e != 0; }\nint fails(CUresult e) { return e != 0; }\n"
    assert found(tmp_path, code) == [("build/merged-definition", 2, "automatic", True)]
    (made,) = pipeline.apply(tmp_path, Config(jobs=1)).conversions
    guarded = "#ifndef __HIP_PLATFORM_AMD__\nint fails(hipError_t e) { return e != 0; }\n#endif\n"
    assert made.after.decode().endswith("int fails(hipError_t e) { return e != 0; }\n" + guarded)


BY_REFERENCE = (
    "void raise(CUresult e, const char &t) { if (e) throw t; }\n"
    "void raise(cudaError_t e, const char &t) { raise(static_cast<CUresult>(e), t); }\n"
    "void raise(CUresult e, char &&t) { if (e) throw t; }\n"
    "void raise(cudaError_t e, char &&t) { return raise(static_cast<CUresult>(e), t); }\n"
)


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        pytest.param("int fails(cudaError_t e) { return e != 0; }\nint fails(CUresult r) { return r != 0; }\n", [2]),
        pytest.param(
            "int fails(CUresult e) { return e != 0; }\n"
            "int fails(cudaError_t e) { return static_cast<CUresult>(e) != 0; }\n",
            [2],
            id="a cast to the type that it has",
        ),
        pytest.param(BY_REFERENCE, [2, 4], id="by reference"),
    ],
)
def test_what_is_the_same_in_hip_is_left_out(tmp_path: Path, code: str, lines: list[int]) -> None:
    assert found(tmp_path, code) == [("build/merged-definition", line, "automatic", True) for line in lines]


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("f(CUresult a, int b) { return b; }\nint f(cudaError_t b, int a) { return b; }", id="other roles"),
        pytest.param("f(CUresult e) { return 1; }\nint f(cudaError_t e) { return f(CUDA_SUCCESS); }", id="not its own"),
        pytest.param("f(CUresult e, T t) { return t.e; }\nint f(cudaError_t r, T t) { return t.r; }", id="members"),
    ],
)
def test_what_says_something_else_is_a_decision(tmp_path: Path, code: str) -> None:
    assert found(tmp_path, f"int {code}\n") == [("build/merged-definition", 2, "manual", False)]


def test_an_own_argument_by_name_goes_where_const_references_go(tmp_path: Path) -> None:
    other = BY_REFERENCE.replace("const char &t) { if (e) throw t; }", "const char &t) { if (e) throw 1; }")
    assert [one[2] for one in found(tmp_path, other)] == ["automatic", "manual"]


def test_a_label_alone_goes_and_another_case_is_a_decision(tmp_path: Path) -> None:
    both = "case CUSOLVER_STATUS_INVALID_VALUE:\ncase CUSOLVER_STATUS_IRS_PARAMS_INVALID:\n return 0;\n"
    assert found(tmp_path, SWITCH % both) == [("build/merged-case", 3, "automatic", True)]
    source = tmp_path / "a.cu"
    fixes = [one.fix for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule == "build/merged-case"]
    made = apply(source.read_bytes(), [one for one in fixes if one is not None]).data
    assert made == source.read_bytes().replace(b"case CUSOLVER_STATUS_IRS_PARAMS_INVALID:\n", b"")
    apart = both.replace("VALUE:", "VALUE: return 1;")
    assert found(tmp_path, SWITCH % apart) == [("build/merged-case", 3, "manual", False)]
    other = both.replace("CUSOLVER_STATUS_IRS_PARAMS_INVALID", "CUSOLVER_STATUS_INTERNAL_ERROR")
    assert found(tmp_path, SWITCH % other) == []


@pytest.mark.parametrize(
    "code",
    [
        RUNTIME + "const char *text(CUresult e) {",
        "case CUDA_SUCCESS: case",
        "struct <CUresult> {",
        "void (CUresult) {} template <> void ;",
    ],
)
def test_broken_code_is_borne(tmp_path: Path, code: str) -> None:
    assert isinstance(found(tmp_path, code), list)


GUARDED = "#ifdef __cuda_cuda_h__\n// the driver's\n%s#endif\n"


@pytest.mark.parametrize(
    ("code", "dead"),
    [
        pytest.param(RUNTIME + GUARDED % DRIVER, True, id="nothing else in it"),
        pytest.param(RUNTIME + GUARDED % (DRIVER + "int more() { return 1; }\n"), False, id="more in it"),
        pytest.param(RUNTIME + GUARDED.replace("#endif", "#else\nint no;\n#endif") % DRIVER, False, id="an else"),
        pytest.param(GUARDED % DRIVER, False, id="no other definition"),
    ],
)
def test_a_block_behind_a_guard_of_cudas_stays_unread_where_it_is_a_second_definition(
    code: str, dead: bool, tmp_path: Path
) -> None:
    (tmp_path / "a.cu").write_text(INCLUDES + code)
    report = pipeline.scan(tmp_path, Config(jobs=1))
    rules = {one.rule for one in report.findings}
    assert ("api/__cuda_cuda_h__" not in rules) is dead
    made = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}
    assert ("#ifdef __cuda_cuda_h__" in made["a.cu"]) is dead
    assert ("build/merged-definition" in rules) is (not dead and RUNTIME in code)
