"""What a rule with `once` finds in one function is one finding, which says how many places there are."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "#include <hip/hip_runtime.h>\n"
ADD = "atomicAdd(a, 1.0f);"


def messages(code: str, rule: str) -> list[str]:
    return [one.message for one in find_in_text(HEAD + code, "a.cu", None).findings if one.rule == rule]


def test_the_first_place_stands_for_all_of_a_function() -> None:
    code = f"__global__ void f(float *a) {{ {ADD} {ADD} {ADD} }}\n__global__ void g(float *a) {{ {ADD} }}\n"
    found = messages(code, "memory/float-atomic")
    assert [" This is one of 3 places of `f`." in one for one in found] == [True, False]


def test_fragments_of_a_function_are_one_finding() -> None:
    code = "__device__ void f() { wmma::fill_fragment(c, 0); wmma::mma_sync(c, a, b, c); }\n"
    assert len(messages(code, "library/matrix-fragments")) == 1


@pytest.mark.parametrize(
    ("code", "count"),
    [
        (f"__global__ void k(float *a) {{ {ADD} {ADD} }}", 1),
        (f"__global__ void k(float *a) {{ {ADD} }} __global__ void l(float *a) {{ {ADD} }}", 2),
        (f"__global__ void k(float *a, double *b) {{ {ADD} atomicAdd(b, 1.0); {ADD} }}", 2),
    ],
)
def test_other_functions_and_other_words_are_other_findings(code: str, count: int) -> None:
    assert len(messages(code, "memory/float-atomic")) == count


def test_what_has_no_such_key_is_one_finding_for_each_place() -> None:
    code = (
        "__global__ void k(unsigned *a, unsigned n) { a[0] = a[1] >> (32 - (n & 31)); a[1] = a[2] >> (32 - (n & 31)); }"
    )
    assert len(messages(code, "warp/wide-shift")) == 2
