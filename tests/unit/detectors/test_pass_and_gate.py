"""A test for the device pass around one for newer GPUs: both are converted, or words say what stays out."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

CODE = """#include <cuda_runtime.h>
__device__ int count(int *p) {
OUTER
#if __CUDA_ARCH__ >= 700
  NEW
#else
  return atomicAdd(p, 1);
#endif
OTHER
}
"""
ELSE = "#else\n  int v = *p; *p += 1; return v;\n#endif"


def made(outer: str, new: str, other: str) -> tuple[str, list[str]]:
    code = CODE.replace("OUTER", outer).replace("NEW", new).replace("OTHER", other)
    found = find_in_text(code, "a.cu", None)
    return found.after, [one.message for one in found.findings if one.rule == "build/older-path"]


def test_the_test_around_is_named() -> None:
    after, older = made("#ifdef __CUDA_ARCH__", "return fast(p);", ELSE)
    assert "__HIP_DEVICE_COMPILE__" not in after
    assert len(older) == 1 and "is compiled once the test in line 3 lets AMD in." in older[0]


@pytest.mark.parametrize(("outer", "other"), [("", ""), ("#ifdef FAST", "#endif"), ("#if 1", "#endif")])
def test_without_a_test_for_the_pass_the_branch_is_compiled(outer: str, other: str) -> None:
    _, older = made(outer, "return fast(p);", other)
    assert len(older) == 1 and "is compiled. That" in older[0]


def test_the_other_branch_of_a_test_for_the_host_is_closed_too() -> None:
    code = CODE.replace("OUTER", "#ifndef __CUDA_ARCH__\n  return *p;\n#else").replace("NEW", "return fast(p);")
    found = find_in_text(code.replace("OTHER", "#endif"), "a.cu", None).findings
    assert any("once the test in line 3 lets AMD in" in one.message for one in found)
