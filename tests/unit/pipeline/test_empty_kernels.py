"""Kernels of which a type check saw nothing are counted, and the verdict says so."""

from __future__ import annotations

import pytest

from cudamigrate.model import SourceFile
from cudamigrate.model.verification import Verdict, Verification
from cudamigrate.pipeline import empty_kernels
from cudamigrate.verification.text import details, render_short

KERNEL = "template <int N>\n__global__ void k(int *a) {\n%s  *a = N;\n#endif\n}\n"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (KERNEL % "#if __CUDA_ARCH__ >= 700  // newer\n", 1),
        (KERNEL % "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700\n" * 2, 2),
        (KERNEL % "#if __CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__)\n", 0),
        (KERNEL % "#if __CUDA_ARCH__ < 700\n", 0),
        (KERNEL % "#if __CUDA_ARCH__ >= 700\n  *a = 1;\n#else\n", 0),
        (KERNEL % "  int b;\n#if __CUDA_ARCH__ >= 700\n", 0),
        (KERNEL.replace("__global__", "__device__") % "#if __CUDA_ARCH__ >= 700\n", 0),
        ("__global__ void k();\n" + KERNEL.replace("__global__", "") % "#if __CUDA_ARCH__ >= 700\n", 0),
    ],
)
def test_a_kernel_is_empty_where_a_test_leaves_out_all_of_it(text: str, count: int) -> None:
    assert empty_kernels.of({"a.cu": SourceFile("a.cu", text.encode(), "cuda")}) == ({"a.cu": count} if count else {})


def test_the_verdict_says_that_nothing_was_checked() -> None:
    said = "1 file that type-checks has 2 kernels with an empty body on AMD, by a test of `__CUDA_ARCH__`: a.cu"
    verdicts = (Verdict("a.cu", "declarations"), Verdict("b.cu", "failed"))
    judged = Verification(None, verdicts, empty=(("a.cu", 2), ("b.cu", 1)))
    assert said in render_short(judged).splitlines() and said in details(judged)
    assert said not in render_short(Verification(None, verdicts, empty=(("b.cu", 1),)))
