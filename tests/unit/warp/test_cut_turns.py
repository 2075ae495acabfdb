"""What a `continue` cuts short: all behind it in the turn, but not what a loop asks at the end of each turn."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

APART = {
    "behind it": "for (int i = 0; i < n; ++i) { if (f[threadIdx.x] == i) continue; __syncthreads(); f[i] = 1; }",
    "in the turn": "do { if (f[threadIdx.x]) continue; __syncthreads(); f[threadIdx.x] = n; } while (n--);",
    "left": "do { if (f[threadIdx.x]) break; f[0] = n; } while (__syncthreads_or(n)); __syncthreads(); f[1] = n;",
}
TOGETHER = {
    "asked at the end": "int go; do { go = 0; if (f[threadIdx.x]) continue; go = f[1]; } while (__syncthreads_or(go));",
    "inner loop": (
        "int go; do { go = 0; do { if (f[n] == threadIdx.x) continue; go = 1; } while (--n); } "
        "while (__syncthreads_or(go));"
    ),
    "in the head": "for (int i = 0; i < n; i += __syncthreads_count(1)) { if (f[threadIdx.x]) continue; f[1] = n; }",
}


def barriers(code: str) -> int:
    """How many barriers of a kernel are said to be, or that nothing shows not to be, for some threads alone."""
    found = find_in_text(f"__global__ void k(int* f, int n) {{ {code} }}\n", "a.cu", None).findings
    return sum(one.rule in ("launch/barrier-in-branch", "launch/conditional-barrier") for one in found)


@pytest.mark.parametrize("name", APART)
def test_a_barrier_that_some_threads_pass_by_is_found(name: str) -> None:
    assert barriers(APART[name]) == 1


@pytest.mark.parametrize("name", TOGETHER)
def test_a_barrier_that_every_turn_comes_to_is_not(name: str) -> None:
    assert barriers(TOGETHER[name]) == 0
