"""Lock-free queues: lanes that take a part of one try again, and wait for nobody."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import reported

QUEUE = """\
#include <cuda_runtime.h>
__device__ int kFree;
class Queue {{
public:
    volatile unsigned long long front, rear;
    __device__ void take(unsigned long long most, unsigned long long &start, unsigned long long &count);
}};
__device__ void Queue::take(unsigned long long most, unsigned long long &start, unsigned long long &count) {{
    unsigned long long old;
    do {{
        old = {read};
        __threadfence();
        unsigned long long here = rear - old;
        count = here < most ? here : most;
        if (count == 0) break;
        start = atomicCAS((unsigned long long *)&front, (unsigned long long)old, (unsigned long long)(old + count));
    }} while (old != start);
}}
"""


LOCK = """\
__device__ int mutex, total;
__global__ void k() {
    int old, start;
    do { old = mutex; start = atomicCAS(&mutex, 0, 1); } while (start != 0);
    total += 1;
    atomicExch(&mutex, 0);
}
"""


@pytest.mark.parametrize(("code", "found"), [(QUEUE.format(read="front"), 0), (LOCK, 1)])
def test_an_exchange_for_what_the_turn_read_there_waits_for_nobody(tmp_path: Path, code: str, found: int) -> None:
    findings = reported(tmp_path, {"a.cu": code}).findings
    assert sum(one.rule in ("memory/block-spin", "warp/lane-spin") for one in findings) == found
