"""What a block overwrites itself decides nothing behind it: a vote of the block makes a variable the same for all."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.warp.obligations import failures
from cudamigrate.warp.transfer import evaluator_of

ASKED = "if (c) { __syncthreads(); f[threadIdx.x] = n; }"
TOGETHER = {
    "in a block": f"int c = 0; if (n) {{ if (f[threadIdx.x]) c = 1; c = __syncthreads_or(c); }} {ASKED}",
    "counted": (
        "int c = 0; if (n) { for (int i = threadIdx.x; i < n; i += 256) c = c || f[i]; c = __syncthreads_or(c); } "
        f"{ASKED}"
    ),
    "twice": (
        "int c = 0; while (true) { if (c) { f[0] = 1; __syncthreads(); c = 0; } c = f[threadIdx.x]; "
        "c = __syncthreads_and(c); if (c) continue; f[1] = 1; if (n-- == 0) break; }"
    ),
    "left by an inner loop": (
        "int c = 0; if (n) { for (int i = 0; i < n; ++i) { if (f[threadIdx.x]) { c = 1; break; } } "
        f"c = __syncthreads_or(c); }} {ASKED}"
    ),
}
APART = {
    "written again": f"int c = 0; if (n) {{ c = __syncthreads_or(c); if (f[threadIdx.x]) c = 1; }} {ASKED}",
    "left before": (
        "int c = 0; for (int i = 0; i < n; ++i) { if (f[threadIdx.x]) c = 1; if (f[i]) break; "
        f"c = __syncthreads_or(c); }} {ASKED}"
    ),
    "passed by": (
        "int c = 0; for (int i = 0; i < n; ++i) { c = f[threadIdx.x]; if (f[i]) continue; c = __syncthreads_or(c); } "
        f"{ASKED}"
    ),
    "in a branch": f"int c = f[threadIdx.x]; if (n) {{ if (n > 4) c = __syncthreads_or(c); }} {ASKED}",
    "by a pointer": f"int c = 0; set(&c); if (n) {{ c = f[threadIdx.x]; c = __syncthreads_or(0); set(&c); }} {ASKED}",
}


def barriers(code: str) -> int:
    """How many barriers of a kernel are said to be, or that nothing shows not to be, for some threads alone."""
    head = "__device__ void set(int* p) { *p = threadIdx.x; }\n"
    text = f"{head}__global__ void k(int* f, int n) {{ {code} f[2] = 1; }}\n"
    found = find_in_text(text, "a.cu", None).findings
    return sum(one.rule in ("launch/barrier-in-branch", "launch/conditional-barrier") for one in found)


@pytest.mark.parametrize("name", TOGETHER)
def test_a_vote_of_the_block_is_what_counts(name: str) -> None:
    assert barriers(TOGETHER[name]) == 0


@pytest.mark.parametrize("name", APART)
def test_a_value_that_may_be_seen_counts(name: str) -> None:
    assert barriers(APART[name]) >= 1


@pytest.mark.parametrize(
    ("body", "parts"),
    [
        ("start = f[b]; int n = f[1] - start; start += threadIdx.x;", False),
        ("start = f[b]; int n = f[1] - start; start -= blockDim.x;", False),
        ("start = f[b]; start += threadIdx.x; int n = f[1] - start;", True),
        ("start = f[b]; { start += threadIdx.x; } int n = f[1] - start;", True),
        ("int n = f[1] - start; start += threadIdx.x;", True),
    ],
)
def test_what_is_added_to_a_variable_is_not_seen_before(body: str, parts: bool) -> None:
    text = f"""__global__ void k(const int *f, int *o) {{
        int start = 0;
        for (int b = 0; b < 4; ++b) {{ {body} for (int i = 0; i < n; ++i) {{ o[start] = i; __syncthreads(); }} }} }}"""
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    assert bool(list(failures(evaluator_of(parsed)))) is parts
