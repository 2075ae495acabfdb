"""Bounds of integers come from declarations, assignments and conditions, and from nothing else."""

import pytest
from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.integer_ranges import ANY, UINT_MAX, Range
from cudamigrate.warp.value_ranges import ValueRanges

WORDS = frozenset((b"__shfl_down_sync",))
_CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")


def read(code: str) -> list[Range]:
    """The range of what each call of `use` is given."""
    parsed = cuda.parse(SourceFile("k.cu", ("__device__ int use(int); " + code).encode(), "cuda"), WORDS)
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
        ("use(u);", Range(0, UINT_MAX)),
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
        ("use((unsigned)a);", Range(0, UINT_MAX)),
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


HELPERS = """
__device__ void next(int &d);
__device__ int twice(int d);
__device__ int seen(const int &d);
#define GROW d += 9
#define SAME(x) (x)
struct Guard;
"""


@pytest.mark.parametrize(
    "statement",
    [
        "int d = 3; next(d); use(d);",
        "int d = 3; unseen(d); use(d);",
        "int d = 3; Guard g(d); use(d);",
        "int d = 3; Guard g{d}; use(d);",
        "int d = 3; Guard g(a, d); use(d);",
        "int d = 3; int &e = d; e = 40; use(d);",
        "int d = 3; auto &&e = d; e = 40; use(d);",
        'int d = 3; asm("add.s32 %0, %1, 40;" : "=r"(d) : "r"(a)); use(d);',
        "int d = 3; atomicAdd(&d, 40); use(d);",
        "int d = 3; int *p = &d; if (d < 32) { *p = -40; use(d); }",
        "int d = 3; auto f = [&](int by) { d -= by; }; if (d > 2) { f(a); use(d); }",
        "int d = 3; auto f = [&e = d] { e = 40; }; f(); use(d);",
        "int d = 3, e = 4; (a ? d : e) = 40; use(d);",
        "int d = 3; GROW; use(d);",
        "int d = 3; for (int i = 0; i < a; ++i) { if (d < 32) { for (;;) { use(d); d -= 40; } } }",
    ],
)
def test_what_others_may_write_has_no_bounds(statement: str) -> None:
    assert not read(HELPERS + f"__device__ void f(int a) {{ {statement} }}")[0].within(0, 31)


@pytest.mark.parametrize(
    "statement",
    [
        "int d = 3; twice(d); use(d);",
        "int d = 3; seen(d); use(d);",
        "const int d = 3; unseen(d); use(d);",
        "int d = 3; const int &e = d; use(d);",
        'int e, d = 3; asm("add.s32 %0, %1, 40;" : "=r"(e) : "r"(d)); use(d);',
        "int e, d = 3; atomicAdd(&e, d); use(d);",
        "int d = 3; auto f = [&](int by) { return by + d; }; f(d); use(d);",
        "int d = 3, e = (a ? d : 4); use(d);",
        "int d = 3; SAME(a); use(d);",
        "int d = 3; printf(0, d); __shfl_down_sync(~0u, d, d); use(d);",
    ],
)
def test_what_takes_a_value_writes_nothing(statement: str) -> None:
    assert read(HELPERS + f"__device__ void f(int a) {{ {statement} }}")[0].within(0, 31)


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("use(max(l - 3u, 0u));", ANY),
        ("use(max(int(l) - 3, 0));", Range(0, 28)),
        ("use((l - 3u) / 4);", ANY),
        ("use((threadIdx.x - 32) % 32);", ANY),
        ("unsigned d = l - 3; use(d);", Range(0, UINT_MAX)),
        ("unsigned d = l - 3; use(d >> 27);", Range(0, 31)),
        ("auto d = l - 3; if (d >= 0) use(d);", ANY),
        ("unsigned char d = l * 16 + 16; use(d / 8);", Range(0, 31)),
        ("signed char d = l * 5; use(d);", Range(-128, 127)),
        ("short d = threadIdx.x; use(d);", Range(0, 1023)),
        ("T d = threadIdx.x; use(d);", ANY),
        ("T d = l; use(d);", Range(0, 31)),
        ("int d = l * 2654435761u; use(d);", ANY),
        ("use((l * 2654435761u) >> 27);", Range(0, 31)),
        ("int d = blockIdx.x * blockDim.x + threadIdx.x; use(d % 32);", Range(0, 31)),
        ("int d = 40; unsigned e = 50; if (d > e) use(d);", Range(51, 40)),
        ("int d = a; if (d >= 0u) use(d & 63);", Range(0, 63)),
        ("int d = a; if (d >= 0u && d < 32) use(d);", Range(None, 31)),
    ],
)
def test_what_overflows_has_all_values_of_its_type(statement: str, found: Range) -> None:
    code = "template <typename T> __device__ void f(int a) { const unsigned l = threadIdx.x & 31; "
    assert read(code + statement + " }") == [found]
