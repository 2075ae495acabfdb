"""Of which integer type an expression is."""

from __future__ import annotations

import pytest
from tree_sitter import Node

from cudamigrate.analysis import integer_types
from cudamigrate.analysis.constant_values import Values
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.syntax import tree_sitter_nodes

KERNEL = """
using Word = std::uint64_t;
typedef struct {{ Word own; }} Held;
union Pair {{ uint64_t both; uint32_t half[2]; }};
struct Around {{ Pair pair; struct {{ int inner; }}; }};
struct Other {{ using T = Held; }};
__device__ Word next(int n);
__device__ Word next(int n) {{ return n; }}
__device__ Word *many(int n) {{ return nullptr; }}
__device__ unsigned long long everywhere;
struct int2 {{ int x; }};
__device__ int either(int n) {{ return n; }}
__device__ short either(short n) {{ return n; }}
template <typename T> __device__ void one(T x) {{}}
__global__ void k(int n, unsigned u, const size_t *s, short h, long long w, int64_t i, float f, uint8_t *b, Own o,
                  Pair pair, Around *at, Held this_word, T given) {{
    __shared__ union {{ uint64_t both; uint32_t half[2]; }} shared;
    auto c = u + 1;
    auto same = b[1];
    const uchar4 *pixels = nullptr; short2 corner; uint2 extent; dim3 size; longlong2 far; float2 at_float; int2 own;
    result({0});
}}
"""
CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")


@pytest.mark.parametrize(
    ("expression", "spelled"),
    [
        ("n - 1", "int"),
        ("threadIdx.x * 2", "unsigned int"),
        ("n + blockDim.x * 4u", "unsigned int"),
        ("s[n]", "unsigned long"),
        ("s[n] - (long long)n", "unsigned long long"),
        ("s[n] - i", "unsigned long"),
        ("h", "int"),
        ("b[0] + h", "int"),
        ("-(u)", "unsigned int"),
        ("c << i", "unsigned int"),
        ("u < 3", "int"),
        ("static_cast<unsigned int>(w)", "unsigned int"),
        ("(long)n", "long"),
        ("0x7fu", "unsigned int"),
        ("10'000ll", "long long"),
        ("w", "long long"),
        ("pair.both", "unsigned long"),
        ("pair.half[n]", "unsigned int"),
        ("at->pair.both >> 1", "unsigned long"),
        ("this_word.own", "unsigned long"),
        ("shared.both", "unsigned long"),
        ("next(n)", "unsigned long"),
        ("everywhere", "unsigned long long"),
        ("u ? *s : u", "unsigned long"),
        ("max(u - 1, 0)", "unsigned int"),
        ("min(n, max(n, 1))", "int"),
        ("std::max(u, 1u)", None),
        ("max(n, f)", None),
        ("pair", None),  # a union
        ("pair.half", None),  # an array
        ("pair.other", None),
        ("given.own", None),  # `T` is an alias elsewhere, and a template's parameter here
        ("many(n)", None),  # a pointer
        ("f", None),
        ("f * 2", None),
        ("1.0", None),
        ("0xffffffff", None),  # `unsigned int`, for its value
        ("o", None),
        ("s", None),  # a pointer
        ("n[0]", None),
        ("other(n)", None),
        ("unseen", None),
    ],
)
def test_types_of_expressions(expression: str, spelled: str | None) -> None:
    found = integer_types.of(*argument(expression))
    assert (found.spelled if found else None) == spelled


@pytest.mark.parametrize(
    ("expression", "spelled"),
    [
        ("b[n]", "unsigned char"),
        ("(*b)", "unsigned char"),
        ("b[n] + 0", "int"),
        ("-b[n]", "int"),
        ("h", "short"),
        ("n ? h : h", "short"),
        ("n ? h : b[0]", "int"),
        ("min(b[0], b[1])", "unsigned char"),
        ("min(b[0], h)", "int"),
        ("static_cast<signed char>(n)", "signed char"),
        ("(int8_t)n", "signed char"),
        ("(char)n", "char"),
        ("(unsigned short)n", "unsigned short"),
        ("n < 3", "bool"),
        ("same", "unsigned char"),
        ("pixels[n].x", "unsigned char"),
        ("pixels->w", "unsigned char"),
        ("corner.y", "short"),
        ("extent.y", "unsigned int"),
        ("size.z", "unsigned int"),
        ("far.x", "long long"),
        ("pixels.x", None),  # a pointer
        ("pixels[n].s0", None),
        ("own.x", "int"),  # a class of the file
        ("at_float.x", None),
        ("either(n)", "int"),  # one of `short` and `int`: what arithmetic makes of both
    ],
)
def test_types_that_are_not_promoted(expression: str, spelled: str | None) -> None:
    found = integer_types.exact(*argument(expression))
    assert (found.spelled if found else None) == spelled


def argument(expression: str) -> tuple[Values, Node | None]:
    parsed = cuda.parse(SourceFile("a.cu", KERNEL.format(expression).encode(), "cuda"), frozenset())
    call = next(one for one in CALLS.below(parsed.tree.root_node) if (one.text or b"").startswith(b"result"))
    (given,) = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    return Values.of(parsed), given
