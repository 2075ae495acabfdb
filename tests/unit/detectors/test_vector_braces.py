"""Vectors in braces that have fewer values than components."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

RULE = "math/vector-braces"
KERNEL = "#include <cuda_runtime.h>\n__device__ void k(float x, float4 v) {{ {} }}\n"


def converted(statement: str) -> str:
    after = find_in_text(KERNEL.format(statement)).after
    return after.partition("float4 v) { ")[2].removesuffix(" }\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("float4 a{1.0f};", "float4 a{1.0f, 0, 0, 0};"),
        ("const double2 a = {-1.};", "const double2 a = {-1., 0};"),
        ("uchar4 a = {1, 2};", "uchar4 a = {1, 2, 0, 0};"),
        ("v = float4{.5f};", "v = float4{.5f, 0, 0, 0};"),
        ("uint4 a = {0}, b{v}, c, d = {2};", "uint4 a = {0, 0, 0, 0}, b{v}, c, d = {2, 0, 0, 0};"),
        ("int3 a = {f(1, 2), 2};", "int3 a = {f(1, 2), 2, 0};"),
    ],
)
def test_the_others_become_zero(before: str, after: str) -> None:
    assert converted(before) == after


@pytest.mark.parametrize(
    "statement",
    [
        "float4 a{v};",
        "float4 a = {};",
        "float2 a = {x, x};",
        "float4 a[2] = {v};",
        "float4 a = {{1, 2}, 3};",
        "auto f = [] () -> float4 { return 1, 2; };",
        "my_float4 a = {1};",
        "my::float4 a = {1};",
        "float4 a(v);",
    ],
)
def test_what_is_whole_or_no_list_of_values_stays(statement: str) -> None:
    assert converted(statement) == statement
    assert RULE not in {one.rule for one in find_in_text(KERNEL.format(statement)).findings}


@pytest.mark.parametrize(
    ("statement", "said"), [("float4 a{1};", "gives that to all"), ("float4 a = {1};", "is refused by HIP")]
)
def test_it_says_what_hip_does(statement: str, said: str) -> None:
    (one,) = [found for found in find_in_text(KERNEL.format(statement)).findings if found.rule == RULE]
    assert said in one.message
