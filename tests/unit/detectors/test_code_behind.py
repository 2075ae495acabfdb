"""Branches for newer GPUs without `#else` that the code behind them stands for on AMD."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

RULES = ("build/vanished-code", "build/older-path", "build/refused-arch", "build/arch-gate")


def found(branch: str, behind: str) -> list[str]:
    head = "#include <hip/hip_runtime.h>\n__device__ int f(int *p, int how, int v) {\n"
    code = f"{head}#if __CUDA_ARCH__ >= 320\n{branch}\n#endif\n{behind}\n}}\n"
    return [one.rule for one in find_in_text(code, "a.cu").findings if one.rule in RULES]


@pytest.mark.parametrize(
    ("branch", "behind"),
    [
        ("switch (how) { case 0: return *p; case 1: return __ldca(p); default: return __ldcs(p); }", "return *p;"),
        ("if (how == 1) return __ldg(p + v); else return *(p + v);", "return *(p + v);"),
        ("switch (how) { case 0: *p = v; break; case 1: __stcs(p, v); break; }", "*p = v;"),
    ],
)
def test_a_branch_that_says_the_same_as_the_code_behind_it_is_no_loss(branch: str, behind: str) -> None:
    assert found(branch, behind) == []


def test_loads_past_a_cache_are_an_older_way_where_a_plain_one_stands_behind() -> None:
    assert found("if (how) return __ldcv(p);", "return *p;") == ["build/older-path"]


@pytest.mark.parametrize(
    ("branch", "behind", "rule"),
    [
        ("return __popc(v);", "int c; for (c = 0; v; ++c) v &= v - 1;\nreturn c;", "build/older-path"),
        ("return __popc(v);", "return 0;", "build/refused-arch"),
        ("if (how) return __popc(v);", "return v;", "build/vanished-code"),
        ("if (how++) return *p;", "return *p;", "build/vanished-code"),
        ("switch (how) { case 0: p[0] = v; break; case 1: p[1] = v; break; }", "p[0] = v;", "build/vanished-code"),
        ("*p = v;", "return v;", "build/vanished-code"),
        ("return *p;", "", "build/vanished-code"),
    ],
)
def test_what_else_is_behind_a_branch_is_its_other_way_or_nothing(branch: str, behind: str, rule: str) -> None:
    assert found(branch, behind) == [rule]
