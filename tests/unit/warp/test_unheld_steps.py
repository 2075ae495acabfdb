"""Steps through volatile memory whose distance is worked out, and rows of several kinds of steps."""

from __future__ import annotations

import pytest

from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

FOUND = {
    "a product": "for (int d = 16; d; d >>= 1) s[t] += s[t + d * n];",
    "a shift": "for (int i = 1; i < 16; i *= 2) s[t] += s[t + (i << 1)];",
    "a loop and a step behind it": "for (int d = 16; d; d >>= 1) s[t] += s[t + d]; s[t] += s[t ^ 1];",
    "a product and branches": "for (int d = 16; d; d /= 2) s[t] += s[t + n * d];"
    " if (t % 2) s[t] += s[t ^ 1]; else s[t] -= s[t ^ 1] * n;",
}
HELD = {
    "a barrier in the loop": "for (int d = 16; d; d >>= 1) { s[t] += s[t + d * n]; __syncwarp(); }",
    "steps that no loop changes": "for (int i = 0; i < n; ++i) s[t] += s[t + n * 2];",
    "one step": "s[t] += s[t + n * 2];",
    "a loop that begins with the block": "for (int d = blockDim.x; d; d >>= 1) s[t] += s[t + d * n];",
    "the lane's own place": "for (int d = 16; d; d >>= 1) s[t] += d * n;",
}


def found(body: str, kind: str = "volatile") -> list[str]:
    code = (
        f"__global__ void k(int *v, int n) {{ __shared__ {kind} int s[128]; int t = threadIdx.x;"
        f" s[t] = v[t]; __syncthreads(); if ((t & 31) < 16) {{ {body} }} v[t] = s[t]; }}"
    )
    parsed = cuda.parse(SourceFile("a.cu", code.encode(), "cuda"), frozenset())
    return [hit.rule for hit in engine.hits("volatile_lanes", parsed)]


@pytest.mark.parametrize("name", FOUND)
def test_steps_of_any_distance_are_found(name: str) -> None:
    assert found(FOUND[name]) == ["warp/unheld-lanes"]


@pytest.mark.parametrize("name", HELD)
def test_what_is_held_or_no_row_of_steps_is_not(name: str) -> None:
    assert found(HELD[name]) == []


@pytest.mark.parametrize("name", FOUND)
def test_memory_that_is_read_once_is_no_such_row(name: str) -> None:
    assert found(FOUND[name], "") == []
