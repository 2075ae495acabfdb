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
        "typedef enum { NCCL_INIT = 0x1 } Log;",
        "enum Log : int { first = 1,  // one, two\n  NCCL_INIT\n};",
        "static decltype(auto) ncclGinCall(Own &&x);",
        "#define PARAM(name) int64_t ncclParam##name();",
        "TEST(cudaKernelTest, sums_up)\n{\n}",
    ],
)
def test_declared_names_are_found(text: str) -> None:
    assert list(own_names.declared(text.encode()))


@pytest.mark.parametrize(
    "text",
    [
        "return cudaFoo(p);",
        "x = cudaFoo(p);",
        "f(cudaFoo(p));",
        "else cudaFoo(p);",
        "cuda_stream s;",
        "o.cudaFoo();",
        "if (f(enum_x)) { g(1, NCCL_INIT); }",
        "f((enum Log)NCCL_INIT, NCCL_COLL);",
        "x = ncclParam(name);",
        "  if (cudaFoo) {",
        "  while (cudaFoo) {",
        "  CHECK(cudaFoo);\n  { g(); }",
        "  CHECK(cudaFoo == 0) {",
    ],
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


def test_names_that_a_macro_makes_are_known_by_their_beginning() -> None:
    assert "ncclParam##" in [one.name for one in own_names.declared(b"#define P(n) int ncclParam ## n();")]


def test_a_row_of_comments_before_something_else_is_passed_over() -> None:
    comments = b"/* one ** */ // two\n" * 60
    assert not list(own_names.declared(b"enum E {" + comments + b"other };"))
    assert {one.name for one in own_names.declared(b"enum E {" + comments + b"cudaMine };")} == {"cudaMine"}
