"""HIP's headers of small floating-point types, in files that name a type and read no header of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

TORCH = "#include <torch/extension.h>\n"
USES = "__global__ void k(__nv_bfloat16 *x) { x[0] = x[1]; }\n"
HEADER = "#pragma once\ninline __device__ __nv_bfloat162 both(nv_bfloat162 a) { return a; }\n"
OWN = "#include <cuda_bf16.h>\n"


def found(root: Path, files: dict[str, str]) -> list[str]:
    written(root, files)
    report = pipeline.scan(root, Config(jobs=1))
    return [one.path for one in report.findings if one.rule == "build/number-type-include"]


@pytest.mark.parametrize(
    ("files", "needing"),
    [
        ({"a.cu": TORCH + USES}, ["a.cu"]),
        ({"a.cu": TORCH + "#include <cuda_fp16.h>\n#define PICK(T) using T = nv_bfloat16;\n"}, ["a.cu"]),
        ({"a.cu": TORCH + "__global__ void k(__nv_fp8_e4m3 *x) { x[0] = x[1]; }\n"}, ["a.cu"]),
        ({"a.cu": "#define PICK(T) using T = nv_half;\n#include <cuda_bf16.h>\n" + USES}, ["a.cu"]),
        ({"a.cu": "#define PICK(T) using T = nv_half;\n#include <cuda_fp16.h>\n"}, []),
        ({"a.cu": TORCH + OWN + USES}, []),
        ({"a.cu": TORCH + "#include <cuda_bf16.hpp>\n" + USES}, []),
        ({"a.cu": "#include <cublas_v2.h>\n" + USES}, []),  # another finding gives it
        ({"a.cu": '#include "b.h"\n' + USES, "b.h": OWN}, []),
        ({"a.cu": '#include "b.h"\n' + USES, "b.h": "#ifdef BF16\n" + OWN + "#endif\n"}, []),
        ({"a.cu": '#include "b.h"\n' + USES, "b.h": "// none\n"}, ["a.cu"]),
        ({"a.cu": TORCH + '#include "b.cuh"\n' + USES, "b.cuh": HEADER}, ["b.cuh"]),  # and by it the other
        ({"a.cu": OWN + '#include "b.cuh"\n', "b.cuh": HEADER}, []),
        ({"a.cu": OWN + '#include "b.cuh"\n', "c.cu": '#include "b.cuh"\n', "b.cuh": HEADER}, ["b.cuh"]),
        ({"b.cuh": HEADER}, ["b.cuh"]),
        ({"a.cuh": '#include "b.cuh"\n' + HEADER, "b.cuh": HEADER}, ["b.cuh"]),
        ({"a.cu": "struct __nv_bfloat16 { short bits; };\n" + USES}, []),  # the project's own
        ({"a.cu": "#ifdef USE_ROCM\n#else\n" + USES + "#endif\n"}, []),  # HIP never reads it
        ({"a.cu": "// __nv_bfloat16\n__global__ void k();\n"}, []),
    ],
)
def test_files_that_name_the_type(tmp_path: Path, files: dict[str, str], needing: list[str]) -> None:
    assert found(tmp_path, files) == needing


def test_the_include_is_added_before_headers_of_the_project(tmp_path: Path) -> None:
    written(tmp_path, {"a.cu": '#include <vector>\n#include "b.h"\n' + USES, "b.h": "int f();\n"})
    (finding,) = (
        one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule == "build/number-type-include"
    )
    assert finding.fix is not None
    assert [edit.replacement for edit in finding.fix.edits] == [b"#include <hip/hip_bf16.h>\n"]
    assert finding.message.startswith("Nothing that this file includes is the header of `__nv_bfloat16`")


SOLVER = "#include <cusolverDn.h>\n"
FFT = "void f(cufftComplex *a) { cufftHandle h; cufftExecC2C(h, a, a, CUFFT_FORWARD); }\n"
BLAS = "void f() { cublasHandle_t h; cublasCreate(&h); }\n"


@pytest.mark.parametrize(
    ("files", "needing"),
    [
        ({"a.cu": "#include <cutil_inline.h>\n" + FFT}, ["a.cu"]),
        ({"a.cu": '#include <cutil_inline.h>\n#include "b.h"\n', "b.h": FFT}, ["b.h"]),
        ({"a.cu": SOLVER + BLAS}, ["a.cu"]),
        ({"a.cu": "#include <cusolverSp.h>\nvoid f() { cusparseHandle_t h; cusparseCreate(&h); }\n"}, ["a.cu"]),
        ({"a.cu": SOLVER + "#include <cublas_v2.h>\n" + BLAS}, []),
        ({"a.cu": SOLVER + "void f() { cublasFillMode_t m = CUBLAS_FILL_MODE_LOWER; }\n"}, []),  # hipSOLVER has it
        ({"a.cu": SOLVER + '#include "b.h"\n' + BLAS, "b.h": "#include <cublas_v2.h>\n"}, []),
        ({"a.cu": SOLVER + '#include "cutil_inline.h"\n' + FFT, "cutil_inline.h": "#include <cufft.h>\n"}, []),
        ({"a.cu": "#include <some/library.h>\n" + FFT + BLAS}, []),  # nobody knows what that brings
        ({"a.cu": "#include <cutil_inline.h>\n" + BLAS}, []),
    ],
)
def test_the_header_of_a_library_that_another_one_brought_for_cuda(
    files: dict[str, str], needing: list[str], tmp_path: Path
) -> None:
    report = pipeline.scan(written(tmp_path, files), Config(jobs=1))
    found = [one for one in report.findings if one.rule == "build/library-include"]
    assert [one.path for one in found] == needing
    assert all(one.automatic for one in found)
