"""Bounds of integers come from declarations, assignments and conditions, and from nothing else."""

import pytest
from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.value_ranges import ANY, Range, ValueRanges

WORDS = frozenset((b"__shfl_down_sync",))
_CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")


def read(code: str) -> list[Range]:
    """The range of what each call of `use` is given."""
    parsed = cuda.parse(SourceFile("k.cu", code.encode(), "cuda"), WORDS)
    calls = (
        call for call in _CALLS.below(parsed.tree.root_node) if text(call.child_by_field_name("function")) == b"use"
    )
    return [ValueRanges.of_file(parsed).of(_given(call)) for call in calls]


def _given(call: Node) -> Node:
    listed = call.child_by_field_name("arguments")
    assert listed is not None
    return listed.named_children[0]


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("use(7);", Range(7, 7)),
        ("use(-1);", Range(-1, -1)),
        ("use(a);", ANY),
        ("use(a & 15);", Range(0, 15)),
        ("use(u % 8);", Range(0, 7)),
        ("use(a % 8);", ANY),
        ("use(warpSize / 2);", Range(0, 16)),
        ("use(u);", Range(0, None)),
        ("const int l = threadIdx.x & 31; use(l ^ 1);", Range(0, 31)),
        ("const int l = threadIdx.x % 32; use(l - 1);", Range(-1, 30)),
        ("for (int o = 16; o > 0; o >>= 1) use(o);", Range(1, 16)),
        ("for (int o = warpSize / 2; o; o /= 2) use(o);", Range(1, 16)),
        ("for (int o = 16; o >= 1; o = o / 2) use(o);", Range(1, 16)),
        ("for (int o = 1; o < 32; o <<= 1) use(o);", Range(1, 31)),
        ("for (int o = 1; o < 32; o += o) use(o);", Range(1, 31)),
        ("for (int i = 0; i < 5; ++i) use(1 << i);", Range(1, 16)),
        ("for (int i = 0; i < a; ++i) use(1 << i);", Range(1, None)),
        ("int o = warpSize; while (o >>= 1) use(o);", Range(0, 16)),
        ("for (int m = -16; m; m /= 2) use(m);", ANY),
        ("for (int i = 4; i >= 0; i--) use(i);", Range(0, 4)),
        ("int d = 40; if (d < 32) use(d);", Range(40, 31)),
        ("int d = a; if (d < 32 && d > 3) use(d);", Range(4, 31)),
        ("int d = a; if (d < 32) { d += 9; use(d); }", ANY),
        ("int d = 4; set(&d); use(d);", ANY),
        ("use(min(a, 9));", Range(None, 9)),
        ("use(a ? 1 : 2);", Range(1, 2)),
        ("use((unsigned)a);", Range(0, None)),
        ("int d; d = 3; use(d);", Range(3, 3)),
    ],
)
def test_ranges(statement: str, found: Range) -> None:
    assert read(f"__device__ void f(int a, unsigned u) {{ {statement} }}") == [found]


def test_a_width_is_within_a_warp() -> None:
    code = "template <int W> __device__ int f(int v) { for (int o = W / 2; o; o /= 2) { use(o); "
    assert read(code + "v += __shfl_down_sync(~0u, v, o, W); } return v; }") == [Range(1, 16)]
    assert read(code + "v += __shfl_down_sync(~0u, v, o); } return v; }") == [ANY]


def test_what_a_local_function_is_called_with_bounds_its_parameter() -> None:
    code = "static __device__ int f(int d) { return use(d); } __device__ int g() { return f(3) + f(20); }"
    assert read(code) == [Range(3, 20)]
    assert read(code.removeprefix("static ")) == [ANY]
