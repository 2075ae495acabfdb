"""Names that a port's shim makes names of a library of AMD's whose header nothing includes."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import BUILD, reported

SHIM = (
    "#pragma once\n#include <hip/hip_runtime.h>\n#define cudaError_t hipError_t\n#define cudaFree hipFree\n"
    "#define cudaMalloc hipMalloc\n#define CUDA_C_32F HIPBLAS_C_32F\n#define cublasHandle_t hipblasHandle_t\n"
)
TYPES = (
    '#pragma once\n#ifdef __HIPCC__\n#include "shim.h"\n#else\n#include <cuda_runtime.h>\n'
    "#include <cublas_v2.h>\n#endif\n#include <complex>\ninline int kind() { return CUDA_C_32F; }\n"
)
USER = (
    '#include <vector>\n#include "types.h"\nvoid f(float *a) { cudaError_t e = cudaFree(a); }\n'
    "__global__ void k(float *a) { a[threadIdx.x] = 0; }\n"
)
TREE = {
    "shim.h": SHIM,
    "types.h": TYPES,
    "a.cu": USER,
    "CMakeLists.txt": BUILD % "  set_source_files_properties(a.cu PROPERTIES LANGUAGE HIP)\n" + "add_library(p a.cu)\n",
}


def found(folder: Path, **changed: str) -> list[str]:
    names = {name.replace("_", "."): text for name, text in changed.items()}
    return [
        one.message for one in reported(folder, {**TREE, **names}).findings if one.rule == "build/port-missing-header"
    ]


def test_a_name_of_a_library_without_its_header_is_a_gap(tmp_path: Path) -> None:
    (said,) = found(tmp_path)
    assert "`CUDA_C_32F` becomes `HIPBLAS_C_32F`" in said and "`<hipblas/hipblas.h>`" in said and "types.h:9." in said


def test_a_file_whose_users_include_the_shim_before_it_sees_it_too(tmp_path: Path) -> None:
    types = "#pragma once\ninline int kind() { return CUDA_C_32F; }\ninline int also() { return CUDA_C_32F; }\n"
    (said,) = found(tmp_path, types_h=types, a_cu='#include "shim.h"\n' + USER)
    assert "types.h:2 and in 1 more place." in said


def test_the_port_has_that_gap_alone(tmp_path: Path) -> None:
    port = reported(tmp_path, TREE).port
    assert port is not None and port.gaps == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"shim_h": SHIM.replace("#include <hip/", "#include <hipblas/hipblas.h>\n#include <hip/")},
        {"other_h": "#include <hipblas.h>\n"},
        {"shim_h": SHIM.replace("HIPBLAS_C_32F", "HIP_C_32F")},
        {"shim_h": SHIM + "#define HIPBLAS_C_32F HIP_C_32F\n"},
        {"types_h": TYPES.replace("<complex>", "<torch/extension.h>")},  # which may include it
        {"types_h": TYPES + "enum { HIPBLAS_C_32F };\n"},
        {"types_h": TYPES.replace("inline int", "#ifdef WITH_BLAS\ninline int") + "#endif\n"},
        {"types_h": TYPES.replace("inline int kind() { return CUDA_C_32F; }", "#define KIND CUDA_C_32F")},
        {"CMakeLists_txt": TREE["CMakeLists.txt"] + 'add_compile_options("-include" "all.h")\n'},
    ],
)
def test_what_may_be_declared_is_none(changed: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, **changed) == []
