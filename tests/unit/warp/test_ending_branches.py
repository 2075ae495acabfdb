"""Barriers in a branch behind which the kernel ends: who is outside has ended, and is not waited for."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

WORK = "s[i] = a[i]; __syncthreads(); for (int d = 64; d; d /= 2) { if (i < d) s[i] += s[i + d]; __syncthreads(); }"
HEAD = "__shared__ int s[128]; int i = threadIdx.x; "


def found(body: str) -> int:
    result = find_in_text(f"__global__ void k(int *a, int n) {{ {HEAD}{body} }}\n", "a.cu")
    return [one.rule for one in result.findings].count("launch/barrier-in-branch")


@pytest.mark.parametrize(
    "body",
    [
        f"if (i < n) {{ {WORK} if (i == 0) a[0] = s[0]; }}",
        f"a[i] = 1; if (i < n) {{ {WORK} }} return;",
        f"if (n > 4) {{ if (i < n) {{ {WORK} }} }}",
    ],
)
def test_a_branch_that_the_kernel_ends_with_is_fine(body: str) -> None:
    assert found(body) == 0


@pytest.mark.parametrize(
    "body",
    [
        f"if (i < n) {{ {WORK} }} a[i] = s[0];",
        f"if (i < n) {{ {WORK} }} __syncthreads();",
        f"if (i < n) {{ {WORK} }} else {{ a[i] = 0; }}",
        f"for (int j = 0; j < 8; ++j) {{ if (i < n) {{ {WORK} }} }}",
        "if (i < n) { s[i] = a[i]; a[i] = __syncthreads_count(a[i]); }",
        "if (i < n) { s[i] = a[i]; cooperative_groups::this_grid().sync(); }",
        "if (i < n) { s[i] = a[i]; if (i < 16) { __syncthreads(); } a[i] = s[i ^ 1]; }",
    ],
)
def test_a_branch_with_something_behind_it_is_not(body: str) -> None:
    assert found(body) >= 1
