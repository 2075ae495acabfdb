"""Which loops run a product of matrices, where a helper of a header is called in a loop of another file."""

from __future__ import annotations

from pathlib import Path

from cudamigrate.config import Config
from cudamigrate.model import Finding
from cudamigrate.pipeline import run

PRODUCT = """#pragma once
__device__ inline void product(float (&c)[4], const unsigned (&a)[2], unsigned b) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(b));
}
__device__ inline void twice(float (&c)[4], const unsigned (&a)[2], unsigned b) { product(c, a, b); product(c, a, b); }
"""
KERNEL = """#include "parts/all.cuh"
__global__ void multiply(float *d, int n) {
    float c[4] = {};
    unsigned a[2] = {1, 2};
    for (int i = 0; i < n; ++i) {
        CALL(c, a, i);
    }
    d[threadIdx.x] = c[0];
}
"""


def _products(folder: Path, files: dict[str, str]) -> list[Finding]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    found = run.scan(folder, Config(jobs=1)).findings
    return [one for one in found if one.rule == "ptx/matrix-function" or one.name.endswith("mma_sync")]


def _message(folder: Path, files: dict[str, str]) -> str:
    (product,) = _products(folder, files)
    return product.message.partition(". It is hot: ")[2]


def test_a_loop_of_another_file_is_named_with_the_calls_that_lead_there(tmp_path: Path) -> None:
    files = {"parts/product.cuh": PRODUCT, "parts/all.cuh": '#include "product.cuh"\n'}
    (product,) = _products(tmp_path, {**files, "k.cu": KERNEL.replace("CALL", "twice")})
    assert product.message.endswith(". It is hot: 2 times in the text of the loop in line 5 of `multiply` in k.cu.")
    assert [(one.path, one.line, one.text) for one in product.trace] == [
        ("k.cu", 6, "`multiply` calls `twice`"),
        ("k.cu", 5, "this loop runs it"),
    ]


def test_calls_are_followed_through_several_headers(tmp_path: Path) -> None:
    tile = '#include "product.cuh"\n__device__ inline void tile(float (&c)[4], const unsigned (&a)[2], unsigned b)\n'
    files = {"parts/product.cuh": PRODUCT, "parts/all.cuh": tile + "{ product(c, a, b); twice(c, a, b); }\n"}
    said = _message(tmp_path, {**files, "k.cu": KERNEL.replace("CALL", "tile")})
    assert said == "3 times in the text of the loop in line 5 of `multiply` in k.cu."


def test_a_function_of_the_same_name_in_a_file_that_does_not_see_the_header_is_another(tmp_path: Path) -> None:
    own = "__device__ void product(float *c, unsigned *a, int b);\n" + KERNEL.partition("\n")[2]
    assert _message(tmp_path, {"parts/product.cuh": PRODUCT, "k.cu": own.replace("CALL", "product")}) == ""


def test_a_header_of_the_same_name_in_another_folder_is_another(tmp_path: Path) -> None:
    own = '#include "all.cuh"\n__device__ void product(float *c, unsigned *a, int b);\n' + KERNEL.partition("\n")[2]
    files = {"parts/product.cuh": PRODUCT, "parts/all.cuh": '#include "product.cuh"\n', "x/all.cuh": ""}
    assert _message(tmp_path, {**files, "x/k.cu": own.replace("CALL", "product")}) == ""


def test_nothing_is_said_where_no_loop_calls_the_helper(tmp_path: Path) -> None:
    once = KERNEL.replace("CALL(c, a, i);", "").replace("d[threadIdx.x]", "product(c, a, 1);\n    d[threadIdx.x]")
    files = {"parts/product.cuh": PRODUCT, "parts/all.cuh": '#include "product.cuh"\n'}
    assert _message(tmp_path, {**files, "k.cu": once}) == ""


def test_a_helper_beside_its_loop_and_one_elsewhere_are_both_counted(tmp_path: Path) -> None:
    near = "__global__ void near(float *d) {\n    float c[4]; unsigned a[2];\n    while (*d) product(c, a, 1);\n}\n"
    files = {"parts/product.cuh": PRODUCT + near, "parts/all.cuh": '#include "product.cuh"\n'}
    said = _message(tmp_path, {**files, "k.cu": KERNEL.replace("CALL", "twice")})
    assert said == "2 times in the text of the loop in line 5 of `multiply` in k.cu and 1 more."


def test_warp_matrix_functions_of_cpp_are_followed_too(tmp_path: Path) -> None:
    header = """#include <mma.h>
    using namespace nvcuda;
    typedef wmma::fragment<wmma::accumulator, 16, 16, 16, float> Sum;
    template <typename A, typename B> __device__ void product(Sum &c, const A &a, const B &b) {
        wmma::mma_sync(c, a, b, c);
    }
    """
    kernel = KERNEL.replace("CALL", "product")
    said = _message(tmp_path, {"parts/all.cuh": header, "k.cu": kernel})
    assert said == "once in the text of the loop in line 5 of `multiply` in k.cu."
    inside = header + "__global__ void k(Sum *c) {\n for (;;)\n  wmma::mma_sync(*c, *c, *c, *c);\n}\n"
    found = _products(tmp_path / "inside", {"k.cu": inside})
    assert ["line 8 of `k`." in one.message for one in found] == [False, True]
