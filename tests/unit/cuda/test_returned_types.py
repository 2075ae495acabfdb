"""Names behind an arrow: types that functions return, and members."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

NAMES = frozenset((b"cudaStream_t", b"cudaError_t"))


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("auto s() -> cudaStream_t;", 1),
        ("struct A { auto s(int a = 0) const noexcept -> cudaStream_t { return t; } int t; };", 1),
        ("template <int N> auto s() -> const cudaStream_t & { return t[N]; }", 1),
        ("auto s() -> ::cudaStream_t;", 1),
        ("auto f = [](int a) -> cudaError_t { return e; };", 1),
        ("auto s() -> std::vector<cudaStream_t>;", 1),
        ("int f(A *a) { return a->cudaStream_t; }", 0),
        ("int f() { return made()->cudaStream_t; }", 0),
        ("int f(A *a) { return a->cudaError_t(1); }", 0),
    ],
)
def test_use(code: str, found: int) -> None:
    parsed = cuda.parse(SourceFile("a.cu", f"#include <cuda_runtime.h>\n{code}\n".encode(), "cuda"), NAMES)
    assert (
        len([use for use in parsed.uses if use.kind == "name" and use.name in ("cudaStream_t", "cudaError_t")]) == found
    )
