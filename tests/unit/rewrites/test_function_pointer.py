"""A kernel passed to a C function of HIP's is cast once, and never before a directive."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

CALL = """#include <cuda_runtime.h>
void f(int n) { cudaFuncSetAttribute(%s, cudaFuncAttributeMaxDynamicSharedMemorySize, n); }
"""


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("k<float>", "reinterpret_cast<const void*>(k<float>)"),
        ("(const void *)k", "(const void *)k"),
        (
            "\n#ifdef A\n  reinterpret_cast<const void *>(a)\n#else\n  b\n#endif\n",
            "\n#ifdef A\n  reinterpret_cast<const void *>(a)\n#else\n  b\n#endif\n",
        ),
    ],
)
def test_the_kernel_is_cast_where_it_is_not(given: str, expected: str) -> None:
    after = find_in_text(CALL % given, "a.cu").after
    assert f"hipFuncSetAttribute({expected}, hipFuncAttribute" in after


def test_a_kernel_that_a_conditional_chooses_is_left_and_reported() -> None:
    text = CALL % "\n#ifdef A\n  a\n#else\n  b\n#endif\n"
    result = find_in_text(text, "a.cu")
    assert "cudaFuncSetAttribute(\n#ifdef A\n  a\n#else\n  b\n#endif\n," in result.after
    assert [one.fix for one in result.findings if one.name == "cudaFuncSetAttribute"] == [None]
