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
