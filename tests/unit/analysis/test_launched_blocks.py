"""In which blocks a file launches kernels: members and parameters of type `dim3`."""

from __future__ import annotations

import pytest

from cudamigrate.analysis.launched_blocks import blocks
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

HEAD = "struct P { dim3 grid, block; int threads; };\n__global__ void k(float *a) { a[threadIdx.x] = 1; }\n"
UNSEEN = (0, 0, 3)


def launched(text: str) -> list[tuple[object, object, int]]:
    parsed = cuda.parse(SourceFile("a.cu", (HEAD + text).encode(), "cuda"), frozenset())
    return [(one.width, one.height, one.dimensions) for one in blocks(parsed)]


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("void f() { P p; p.block = dim3(16, 8); k<<<1, p.block>>>(a); }", (16, 8, 2)),
        ("void f() { P p; p.threads = 128; k<<<1, p.threads>>>(a); }", (128, 1, 1)),
        ("void f() { P p; p.threads = 128; if (c) { k<<<1, p.threads>>>(a); } }", (128, 1, 1)),
        ("void f() { P p; p.grid = 7; p.block = dim3(32, 4, 2); k<<<p.grid, p.block>>>(a); }", (32, 4, 3)),
    ],
)
def test_a_member_that_is_given_one_value_has_it(text: str, block: tuple[int, int, int]) -> None:
    assert launched(text) == [block]


@pytest.mark.parametrize(
    "text",
    [
        "void f(P p) { k<<<1, p.block>>>(a); }",
        "void f(P *p) { k<<<1, p->block>>>(a); }",
        "void f(dim3 b) { k<<<1, b>>>(a); }",
        "struct R { dim3 block; void f() { k<<<1, block>>>(a); } };",
        "void f() { P p; p.block = dim3(16, 8); p.block.x = 8; k<<<1, p.block>>>(a); }",
        "void f() { P p; if (c) p.block = dim3(16, 8); k<<<1, p.block>>>(a); }",
        "void f() { P p; k<<<1, p.block>>>(a); p.block = dim3(16, 8); }",
        "void f() { P p; p.block = 64; set(p); k<<<1, p.block>>>(a); }",
        "void f() { P p; p.block = 64; set(&p); k<<<1, p.block>>>(a); }",
        "void f() { P p; p.block = 64; p = q; k<<<1, p.block>>>(a); }",
        "void f() { P p; p.block = 64; p.block = 32; k<<<1, p.block>>>(a); }",
        "void f() { P p = q; p.block = 64; k<<<1, p.block>>>(a); }",
    ],
)
def test_what_is_not_seen_of_a_block_is_not_taken_for_one(text: str) -> None:
    assert launched(text) == [UNSEEN]


def test_a_number_that_is_not_seen_is_a_block_of_one_dimension() -> None:
    assert launched("void f(int n) { k<<<1, n>>>(a); }") == [(0, 1, 1)]
    assert launched("void f() { dim3 b; b.x = 8; b.y = 8; k<<<1, b>>>(a); }") == [(0, 0, 2)]
