"""A function that has the name of HIP's own, which its PTX becomes a call of, would call itself."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

SELF = """__device__ int __clz(int a)
{
  int r;
  asm("clz.b32 %0, %1;" : "=r"(r) : "r"(a));
  return r;
}
"""


@pytest.mark.parametrize(
    ("code", "written"),
    [
        (SELF, [b"#ifndef __HIP_PLATFORM_AMD__\n", b"#endif\n"]),
        ("namespace own {\n" + SELF + "}\n", [b"r = ::__clz(int(a))"]),
        (SELF.replace("int __clz", "int leading"), [b"r = __clz(int(a))"]),
    ],
)
def test_what_hip_has_by_that_name_is_called_or_left_to_it(code: str, written: list[bytes]) -> None:
    found = find_in_text("#include <cuda_runtime.h>\n" + code, "a.cu", None).findings
    (fix,) = [one.fix for one in found if one.rule.startswith("ptx/")]
    assert fix is not None and [edit.replacement for edit in fix.edits] == written
