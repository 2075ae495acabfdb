"""References to `warpSize`: 32 is no place in memory, and is written where a reference to a constant may have it."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

BODY = (
    "float v = o[threadIdx.x]; for (int d = w / 2; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);"
    " if (threadIdx.x % w == 0) o[threadIdx.x / w] = v;"
)


def converted(begin: str) -> str:
    text = f"__global__ void k(float *o) {{ {begin} {BODY} }}\n"
    return find_in_text(text, "a.cu").after


@pytest.mark.parametrize(
    ("begin", "after"),
    [
        ("auto &w = warpSize;", "const auto &w = 32;"),
        ("const int &w = warpSize;", "const int &w = 32;"),
        ("const auto &w = warpSize;", "const auto &w = 32;"),
        ("auto &&w = warpSize;", "auto &&w = 32;"),
        ("int w = warpSize;", "int w = 32;"),
    ],
)
def test_a_reference_is_one_to_a_constant(begin: str, after: str) -> None:
    assert after in converted(begin)
    assert ", 32)" in converted(begin)


@pytest.mark.parametrize("begin", ["const int *p = &warpSize; int w = *p;", "auto &a = warpSize, &w = warpSize;"])
def test_an_address_leaves_the_function_as_it_is(begin: str) -> None:
    text = f"__global__ void k(float *o) {{ {begin} {BODY} }}\n"
    found = find_in_text(text, "a.cu")
    assert "warpSize" in found.after and "__shfl_down_sync" in found.after
    assert any(one.rule == "warp/unconverted-lanes" for one in found.findings)


def test_without_a_call_of_its_own_too() -> None:
    text = "__device__ int use(const int *p);\n__global__ void k(int *o) { o[0 / warpSize] = use(&warpSize); }\n"
    found = find_in_text(text, "a.cu")
    assert "&32" not in found.after
    assert [one.rule for one in found.findings if one.group == "warp"] == ["warp/unconverted-lanes"]
