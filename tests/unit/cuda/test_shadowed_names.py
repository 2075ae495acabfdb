"""Variables that have the name of a type of CUDA's."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config

HEAD = '#include <cuda_runtime.h>\n#include "cublas_v2.h"\n'


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        pytest.param("void f() {\n  int cublasStatus;\n  cublasStatus = made(cublasStatus);\n}", [], id="a variable"),
        pytest.param("int f(int cublasStatus) {\n  return cublasStatus + 1;\n}", [], id="a parameter"),
        pytest.param("cublasStatus_t cublasStatus;\nint f() {\n  return cublasStatus;\n}", [], id="of the file"),
        pytest.param("void f() { int cublasStatus; }\ncublasStatus g();", [4], id="outside of its scope"),
        pytest.param("void f() {\n  { int cublasStatus; }\n  cublasStatus last;\n}", [5], id="after its block"),
        pytest.param("void f(int cublasStatus);\ncublasStatus g();", [4], id="of a prototype"),
        pytest.param("void f() {\n  cublasStatus last;\n}", [4], id="none"),
    ],
)  # fmt: skip
def test_a_variable_hides_the_type_in_its_scope(code: str, lines: list[int], tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(HEAD + code + "\n")
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert [one.position.line for one in found if one.name == "cublasStatus"] == lines


LOCAL = "nvrtcResult f(nvrtcProgram p) {\n  nvrtcResult nvrtcGetPTX = %snvrtcGetPTX(p, 0);\n  return nvrtcGetPTX;\n}"


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        (LOCAL % "::", [3]),
        (LOCAL % "own::", []),
        ("int nvrtcGetPTX;\nint f() {\n  return ::nvrtcGetPTX;\n}", []),
    ],
)
def test_a_name_behind_a_double_colon_is_no_local_variable(code: str, lines: list[int], tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("#include <nvrtc.h>\n" + code + "\n")
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert [one.position.line for one in found if one.name == "nvrtcGetPTX"] == lines


STREAM = "struct CUstream_st;\ntypedef struct CUstream_st *cudaStream_t;\n"
GENERATOR = "struct curandGenerator_st;\ntypedef curandGenerator_st* curandGenerator_t;\n"


@pytest.mark.parametrize(
    ("declared", "name", "renamed"),
    [
        pytest.param(STREAM, "cudaStream_t", True, id="as CUDA declares it"),
        pytest.param('extern "C" {\n' + STREAM + "}\n", "cudaStream_t", True, id="for C"),
        pytest.param(GENERATOR.replace("f c", "f struct c"), "curandGenerator_t", True, id="a library's"),
        pytest.param(STREAM.replace("_st;", "_st { int number; };"), "cudaStream_t", False, id="with a body"),
        pytest.param("namespace own {\n" + STREAM + "}\n", "own::cudaStream_t", False, id="a namespace's"),
        pytest.param("typedef struct my_stream *cudaStream_t;\n", "cudaStream_t", False, id="another structure"),
    ],
)
def test_a_handle_that_is_declared_as_cuda_does_is_cudas_in_every_file(
    declared: str, name: str, renamed: bool, tmp_path: Path
) -> None:
    (tmp_path / "types.h").write_text("#pragma once\n" + declared)
    (tmp_path / "a.cu").write_text(f'#include "types.h"\n__global__ void k() {{}}\nvoid f({name} *p);\n')
    made = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}
    hip = name.replace("cuda", "hip").replace("curand", "hiprand")
    assert (f"void f({hip} *p);" in made.get("a.cu", ""), f"{hip};" in made.get("types.h", "")) == (renamed, renamed)


def lines_of(root: Path, code: str, name: str) -> list[int]:
    """The lines of a file with findings on a name; its code begins on the third."""
    (root / "a.cu").write_text(HEAD + code + "\n")
    found = pipeline.scan(root, Config(jobs=1)).findings
    return [one.position.line for one in found if one.name == name]


CALLED = "  return cudaFree(p);\n}\nint g(void *p) {\n  return cudaFree(p);\n}"


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        pytest.param(f"int f(int (*cudaFree)(void *), void *p) {{\n{CALLED}", [7], id="a pointer to a function"),
        pytest.param(f"int f(std::function<int(void *)> cudaFree, void *p) {{\n{CALLED}", [7], id="a parameter"),
        pytest.param(f"int f(void *p, int (*cudaFree)(void *) = none) {{\n{CALLED}", [7], id="with a default"),
        pytest.param(f"int f(void *p) {{ auto cudaFree = [](void *) {{ return 0; }};\n{CALLED}", [7], id="a lambda"),
        pytest.param(f"int f(void *p) {{ int (*cudaFree)(void *) = give;\n{CALLED}", [7], id="a local pointer"),
        pytest.param(f"int f(void *p) {{ for (auto cudaFree : all) cudaFree(p);\n{CALLED}", [4, 7], id="of a loop"),
        pytest.param(f"int f(int (*)(void *), void *p) {{\n{CALLED}", [4, 7], id="a parameter without a name"),
        pytest.param(f"int f(int (*cudaFree)(void *));\nint f(void *p) {{\n{CALLED}", [5, 8], id="of a prototype"),
        pytest.param("int f(int (*cudaFree)(void *)) {\n  return ::cudaFree(0);\n}", [4], id="CUDA's is named"),
        pytest.param(f"int f(void *p) {{ CHECKED cudaFree(p);\n{CALLED}", [3, 4, 7], id="a call behind a macro"),
    ],
)
def test_a_local_variable_is_called_by_its_name(code: str, lines: list[int], tmp_path: Path) -> None:
    assert lines_of(tmp_path, code, "cudaFree") == lines


@pytest.mark.parametrize(
    ("code", "name", "lines"),
    [
        ("int f() {\n  enum { cudaSuccess };\n  return cudaSuccess;\n}\nint g = cudaSuccess;", "Success", [7]),
        ("void f() {\n  using cudaStream_t = int;\n  cudaStream_t s;\n}\ncudaStream_t g();", "Stream_t", [7]),
        ("void f() {\n  struct cudaEvent_t { int i; };\n  cudaEvent_t e;\n}\ncudaEvent_t g();", "Event_t", [7]),
        ("template <class cudaArray_t>\nvoid f(cudaArray_t a);\ncudaArray_t g();", "Array_t", [5]),
        (
            "void f() {\n  struct S { int cudaFree(void *p) { return 0; } int g() { return cudaFree(0); } };\n}\n"
            "int g(void *p) { return cudaFree(p); }",
            "Free",
            [6],
        ),
        ("enum class E { cudaSuccess };\nint f() { return cudaSuccess; }", "Success", [4]),
        ("enum E { cudaSuccess };\nint f() { return cudaSuccess; }", "Success", []),
        ("void f() {\n  enum class E { cudaSuccess };\n  return cudaSuccess;\n}", "Success", [5]),
    ],
)  # fmt: skip
def test_what_a_function_declares_is_not_seen_outside_of_it(
    code: str, name: str, lines: list[int], tmp_path: Path
) -> None:
    assert lines_of(tmp_path, code, f"cuda{name}") == lines
