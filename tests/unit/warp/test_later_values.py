"""What a variable is given after a condition asked it is nothing to that condition, unless a loop comes back to it."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.warp.obligations import failures
from cudamigrate.warp.transfer import evaluator_of

ASKED = "if (k < n) { f[1] = 1; __syncthreads(); }"
LATER = [
    "if (n > 3) { k = threadIdx.x; f[k] = 2; }",
    "if (n > 3) { int i = threadIdx.x; while (i < n) { k = i / 4; f[k] = 2; i += 256; } }",
    "for (int i = 0; i < n; ++i) { k += threadIdx.x; f[k] = 2; }",
    "switch (n) { case 1: k = threadIdx.x; f[k] = 2; }",
    "do { k = threadIdx.x; f[k] = 2; } while (n--);",
    "for (k = threadIdx.x; k < n; k += 256) f[k] = 2;",
]


def fails(body: str) -> bool:
    text = f"__global__ void k(float *f, int n) {{ int k = blockIdx.x; {body} f[0] = 1; __syncthreads(); f[3] = 2; }}\n"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    return any(one.kind in ("barrier", "asked") for one in failures(evaluator_of(parsed)))


@pytest.mark.parametrize("later", LATER)
def test_a_condition_sees_nothing_of_what_comes_later(later: str) -> None:
    assert not fails(f"{ASKED} {later}")


@pytest.mark.parametrize("later", LATER)
def test_a_condition_behind_it_sees_it(later: str) -> None:
    assert fails(f"{ASKED} {later} {ASKED}")
    assert fails(f"{later} {ASKED}")


@pytest.mark.parametrize("later", LATER[:-1])
def test_in_a_loop_the_next_turn_sees_it(later: str) -> None:
    assert fails(f"{ASKED} for (int t = 0; t < n; ++t) {{ {ASKED} {later} }}")
    assert fails(f"for (int t = 0; t < n; ++t) {{ {ASKED} {later} }}")


def test_within_a_branch_what_its_own_blocks_give_is_seen() -> None:
    assert fails(f"{ASKED} if (n > 1) {{ if (n > 2) {{ k = threadIdx.x; }} {ASKED} }}")
    assert fails(f"{ASKED} if (n > 1) {{ if (n > 2) k = threadIdx.x; {ASKED} }}")
    assert not fails(f"{ASKED} if (n > 1) {{ k = n; {ASKED} if (n > 2) {{ k = threadIdx.x; }} }}")


def test_what_a_pointer_may_change_has_one_value() -> None:
    assert fails(f"int *p = &k; {ASKED} if (n > 3) {{ k = threadIdx.x; f[*p] = 2; }}")
