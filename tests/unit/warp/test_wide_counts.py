"""Masks of the first `n` lanes where `n` may be all of them: 64 of a wave, and 32 where the one is cast."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

WAVE, SHIFT = "warp/wave-mask-shift", "warp/wide-shift"
HIP = """
#include <hip/hip_runtime.h>
#include <cstdint>
template <int Vendor> struct lanes;
template <> struct lanes<0> {{ __device__ static unsigned vote(bool one) {{ return __ballot_sync(-1u, one); }} }};
template <> struct lanes<1> {{ __device__ static unsigned long long vote(bool one) {{ return __ballot(one); }} }};
template <int V, typename Mask> __global__ void k(uint64_t *a, int size, int bits) {{
    {body}
}}
"""
CUDA = """
#include <cuda_runtime.h>
#include <cstdint>
__global__ void k(uint32_t *a, int size) {{
    uint32_t votes = __ballot_sync(0xffffffff, a[threadIdx.x] != 0);
    {body}
}}
"""


def rules(text: str, path: str = "a.h") -> list[str]:
    found = find_in_text(text, path, None).findings
    return [one.rule for one in found if one.rule in (WAVE, SHIFT)]


@pytest.mark.parametrize(
    "body",
    [
        "Mask votes = lanes<V>::vote(a[threadIdx.x] != 0); a[0] = votes & (((Mask)1 << size) - 1);",
        "uint64_t votes = __ballot(a[threadIdx.x] != 0), own = ((uint64_t)1 << size) - 1; a[0] = votes & own;",
        "uint64_t own = ((1ull << size) - 1) << (a[1] * size); a[0] = __ballot(a[2] != 0) & own;",
    ],
)
def test_a_mask_of_as_many_lanes_as_the_wave_has_is_empty(body: str) -> None:
    assert rules(HIP.format(body=body)) == [WAVE]


@pytest.mark.parametrize(
    "body",
    [
        "uint64_t own = (1ull << size) - 1; a[0] = a[1] & own;",  # bits of a word, no lanes
        "Mask votes = lanes<V>::vote(a[0] != 0); if (size < 64) a[0] = votes & (((Mask)1 << size) - 1);",
        "Mask votes = lanes<V>::vote(a[0] != 0); a[0] = votes & (((Mask)1 << (size & 31)) - 1);",
        "uint64_t votes = __ballot(a[0] != 0); a[0] = votes & (~0ull >> (64 - 8));",
    ],
)
def test_what_is_no_mask_of_lanes_or_bounded_stays_silent(body: str) -> None:
    assert rules(HIP.format(body=body)) == []


def test_votes_of_32_lanes_do_not_fill_64_bits() -> None:
    """Functions of the file with votes of 32 bits, in code that CUDA compiles too."""
    body = "uint64_t own = ((uint64_t)1 << size) - 1; a[0] = votes & own;"
    assert rules(CUDA.format(body=body), "a.cu") == []
    own = "__device__ unsigned vote(bool one) { return __ballot_sync(0xffffffff, one); }\n"
    assert rules(own + CUDA.format(body=body.replace("votes", "vote(a[0])")), "a.cu") == []


def test_a_one_that_is_cast_is_one() -> None:
    assert rules(CUDA.format(body="a[0] = votes & (((uint32_t)1 << size) - 1);"), "a.cu") == [SHIFT]
    assert rules(CUDA.format(body="a[0] = votes & (((uint32_t)2 << size) - 1);"), "a.cu") == []


def test_a_clamped_count_shows_by_itself_that_64_bits_are_shifted_by_64() -> None:
    clamped = "uint64_t own = (1ull << (size < 64 ? size : 64)) - 1; a[0] = own;"
    assert rules(CUDA.format(body=clamped), "a.cu") == [SHIFT]
    assert rules(CUDA.format(body=clamped.replace("64 ? size : 64", "63 ? size : 63")), "a.cu") == []
