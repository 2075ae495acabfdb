"""Launches for all the shared memory that a block may have, and those whose code looks at the number."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

RULE = "memory/whole-shared-memory"
CODE = """
#include <cuda_runtime.h>
template <int N> __global__ void gemm(const float *a, float *b, int bytes = 0) {{
    extern __shared__ float tiles[];
    float *second = tiles + N * 4096;
    second[threadIdx.x] = a[threadIdx.x];
    b[threadIdx.x] = second[threadIdx.x];
}}
void check(int bytes);
void run(const float *a, float *b, cudaDeviceProp prop, int needed) {{
    {before}
    cudaFuncSetAttribute(gemm<4>, cudaFuncAttributeMaxDynamicSharedMemorySize, {amount});
    gemm<4><<<1, 256, {amount}>>>(a, b);
    {after}
}}
"""
ASKED = "int all = 0; cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);"


def reported(before: str = ASKED, amount: str = "all", after: str = "") -> list[str]:
    text = CODE.format(before=before, amount=amount, after=after)
    found = find_in_text(text, "a.cu", None).findings
    return [text[one.span.start : one.span.end] for one in found if one.rule == RULE]


@pytest.mark.parametrize(
    ("before", "amount"),
    [
        (ASKED, "all"),
        ("", "prop.sharedMemPerBlockOptin"),
        (ASKED + " if (all <= 0) return;", "all"),
        ("size_t all = prop.sharedMemPerBlockOptin;", "all"),
        (ASKED + " const size_t bytes = all;", "bytes"),
        (ASKED.replace("int all = 0;", "int all;"), "(size_t)all"),
        ("int all; cuDeviceGetAttribute(&all, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0);", "all"),
    ],
)
def test_a_launch_for_all_there_is_cannot_fail(before: str, amount: str) -> None:
    assert reported(before, amount) == [amount]


@pytest.mark.parametrize(
    ("before", "amount", "after"),
    [
        (ASKED + " if (all < needed) return;", "all", ""),  # the code looks whether it is enough
        (ASKED + " check(all);", "all", ""),
        (ASKED + " const size_t bytes = all; check(all);", "bytes", ""),
        (ASKED, "all", "gemm<2><<<1, 256, all>>>(a, b, all);"),  # the kernel is told
        (ASKED, "all / 2", ""),
        (ASKED, "std::min(all, needed)", ""),
        (ASKED.replace("Optin", ""), "all", ""),  # 48 KiB on NVIDIA's GPUs
        (ASKED.replace("int all = 0;", "int all = needed;"), "all", ""),
        ("", "needed", ""),
    ],
)
def test_what_may_fit_itself_to_the_number_stays_silent(before: str, amount: str, after: str) -> None:
    assert reported(before, amount, after) == []


def test_a_kernel_that_stays_within_the_limit_is_right() -> None:
    text = CODE.format(before=ASKED, amount="all", after="")
    small = text.replace("float *second = tiles + N * 4096;", "").replace("second[", "tiles[")
    assert RULE not in {one.rule for one in find_in_text(small, "a.cu", None).findings}
    far = small.replace("tiles[threadIdx.x]", "tiles[threadIdx.x * 32]")
    assert RULE in {one.rule for one in find_in_text(far, "a.cu", None).findings}
