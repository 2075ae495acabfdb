"""A loop that waits for what a pointer in an object in shared memory points to waits for another block."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

SOURCE = """
struct Batch {{ volatile int *done; volatile int here[8]; volatile Batch *next; }};
__global__ void k(const Batch *batches, int n) {{
    __shared__ Batch s;
    if (threadIdx.x == 0) s = batches[blockIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {{
        while ({}) ;
    }}
}}
"""


@pytest.mark.parametrize(
    ("test", "whom"),
    [
        ("s.done[n - 1] < n", "another block or GPU"),
        ("*s.done < n", "another block or GPU"),
        ("s.here[n - 1] < n", "other threads of its block"),
        ("*(volatile int *)&s.done[n] < n", "another block or GPU"),
    ],
)
def test_who_is_waited_for_follows_from_the_member(test: str, whom: str) -> None:
    found = [one for one in find_in_text(SOURCE.format(test), "a.cu").findings if one.rule == "memory/block-spin"]
    assert [whom in one.message for one in found] == [True]
