"""How findings about elements of shared memory speak of the blocks that they are shown for."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

KERNEL = """#include <hip/hip_runtime.h>
__global__ void {bounds}k(float *a) {{
    __shared__ float s[{size}];
    int lane = threadIdx.x % warpSize;
    s[lane] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[{size} - 1 - lane];
}}
"""
LAUNCH = "void run(float *a) { k<<<1, 512>>>(a); }\n"
UNSEEN = "(the size of its blocks is not seen)"


def messages(bounds: str = "", size: int = 64, more: str = "") -> list[str]:
    """The messages about elements, in the order of the file."""
    found = find_in_text(KERNEL.format(bounds=bounds, size=size) + more, "k.hip").findings
    return [one.message.partition(": ")[0] for one in found if one.rule in ("warp/lane-element", "warp/lane-past-end")]


@pytest.mark.parametrize(
    ("bounds", "more", "block"),
    [
        ("", LAUNCH, "a block of 512"),
        ("__launch_bounds__(64) ", LAUNCH, "a block of 512"),
        ("__launch_bounds__(4 * 32) ", "", "a block of 128, the most that `__launch_bounds__` lets in"),
        ("", "", f"a block of more than 64 threads {UNSEEN}"),
        ("__launch_bounds__(THREADS) ", "", f"a block of more than 64 threads {UNSEEN}"),
    ],
)
def test_a_finding_says_which_blocks_it_is_about(bounds: str, more: str, block: str) -> None:
    assert messages(bounds, more=more) == [f"Threads 0 and 64 of {block} both write `s[lane]`"]


def test_no_block_is_larger_than_its_bound() -> None:
    assert messages("__launch_bounds__(64) ") == []
    assert messages("__launch_bounds__(32) ", size=32) == []


@pytest.mark.parametrize(("more", "where"), [("", f", in a block of more than 32 threads {UNSEEN}"), (LAUNCH, "")])
def test_an_index_past_the_end_says_so_too(more: str, where: str) -> None:
    found = [one for one in messages(size=32, more=more) if "up to" in one]
    assert [f"is up to element 63 on a wave of 64 lanes{where}, and `s` has 32" in one for one in found] == [True]
