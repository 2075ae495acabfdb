"""Names of CUDA's form that text declares, and includes that may declare others."""

from __future__ import annotations

import pytest

from cudamigrate.cuda import own_names
from cudamigrate.cuda.parsed_file import Include
from cudamigrate.model import Span


@pytest.mark.parametrize(
    "text",
    [
        "struct cudaStyleOptions { int a; };",
        "class cublasMMWrapper;",
        "int cudaMallocAndCopy(void **p);",
        "cudaError_t *cudaMallocAndCopy (void **p);",
        "#define CUBLAS_CHECK(x) (x)",
        "typedef struct { int a; } cudaThing;",
        "using cudaThing = int;",
        "std::vector<int> cudaThings;",
        "enum class cudaMode { off };",
    ],
)
def test_declared_names_are_found(text: str) -> None:
    assert list(own_names.declared(text.encode()))


@pytest.mark.parametrize(
    "text",
    ["return cudaFoo(p);", "x = cudaFoo(p);", "f(cudaFoo(p));", "else cudaFoo(p);", "cuda_stream s;", "o.cudaFoo();"],
)
def test_uses_are_no_declarations(text: str) -> None:
    assert not list(own_names.declared(text.encode()))


@pytest.mark.parametrize(
    ("path", "quoted", "others"),
    [
        ("vector", False, False),
        ("stdio.h", False, False),
        ("cuda_runtime.h", False, False),
        ("cub/cub.cuh", False, False),
        ("mine.h", True, False),
        ("torch/extension.h", False, True),
        ("opencv2/core.hpp", False, True),
    ],
)
def test_headers_of_others_may_declare_names(path: str, quoted: bool, others: bool) -> None:
    include = Include(path, Span(0, 1), Span(0, 1), quoted, False)
    assert own_names.from_elsewhere([include]) is others
