"""Members by which a library's objects wait are waits, where the class of the object is seen."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

DECLARED = """\
#include <cuda/atomic>
using flag_t = cuda::atomic<int, cuda::thread_scope_block>;
struct Mail { flag_t ready; float value; };
__device__ void until(flag_t& flag) { flag.wait(0, cuda::memory_order_acquire); }
struct Event { __device__ void wait(int) { } };
"""
WAITING = {
    "element": "flag_t* f, float* a) { if (threadIdx.x >> 5) f[0].wait(0); }",
    "reference": "int* f, float* a) { cuda::atomic_ref<int> r(f[0]); if (threadIdx.x >> 5) r.wait(0); }",
    "temporary": "int* f, float* a) { if (threadIdx.x >> 5) cuda::atomic_ref<int>(f[0]).wait(0); }",
    "member": "Mail* f, float* a) { if (threadIdx.x >> 5) f->ready.wait(0); }",
    "called": "flag_t* f, float* a) { if (threadIdx.x >> 5) until(f[0]); }",
    "standard": "cuda::std::atomic_flag* f, float* a) { if (threadIdx.x >> 5) f->wait(false); }",
}
OTHERS = {
    "all": "flag_t* f, float* a) { f[0].wait(0); }",
    "full waves": "flag_t* f, float* a) { if (threadIdx.x >> 6) f[0].wait(0); }",
    "own class": "Event* f, float* a) { if (threadIdx.x >> 5) f[0].wait(0); }",
    "told": "flag_t* f, float* a) { if (threadIdx.x >> 5) { f[0].store(1); f[0].notify_all(); } }",
}


def waits(kernel: str) -> bool:
    """Whether a kernel, at whose end every thread writes, is said to wait for its own wave."""
    found = find_in_text(f"{DECLARED}__global__ void k({kernel[:-1]} a[threadIdx.x] = 1; }}\n", "a.cu", None).findings
    return "warp/waits-for-own-wave" in {one.rule for one in found}


@pytest.mark.parametrize("name", WAITING)
def test_a_part_of_a_wave_that_waits_by_an_object_is_found(name: str) -> None:
    assert waits(WAITING[name])


@pytest.mark.parametrize("name", OTHERS)
def test_what_waits_for_nobody_of_its_wave_is_not(name: str) -> None:
    assert not waits(OTHERS[name])
