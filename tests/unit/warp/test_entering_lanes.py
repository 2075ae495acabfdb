"""Which lanes come to a place by itself: numbers are followed through parameters of functions that call each other."""

from __future__ import annotations

from work import STEPS, calls

from cudamigrate.detectors import lane_spin
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

WAIT = "__device__ void f0(int *flag, int t) { if (t == 0) { while (atomicCAS(flag, 0, 1) != 0) {} } }\n"


def chain(length: int) -> bytes:
    """A wait behind functions that each call the one before three times, with a number that they hand on."""
    links = (
        f"__device__ void f{at}(int *flag, int t) {{ " + f"f{at - 1}(flag, t + 0); " * 3 + "}\n"
        for at in range(1, length)
    )
    kernel = f"__global__ void k(int *flag) {{ f{length - 1}(flag, threadIdx.x); }}\n"
    return (WAIT + "".join(links) + kernel + "void run(int *p) { k<<<1, 128>>>(p); }\n").encode()


def test_a_number_that_many_calls_hand_on_is_worked_out_once() -> None:
    work = []
    for length in (2, 6):
        parsed = cuda.parse(SourceFile("a.cu", chain(length), "cuda"), frozenset())
        work.append(calls(lambda parsed=parsed: list(lane_spin.find(parsed))))
    assert work[1] < 2 * STEPS * work[0]
