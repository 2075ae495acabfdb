"""A branch for older GPUs that does not write what the newer one writes is no older way: its results are wrong."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

KERNEL = """#include <hip/hip_runtime.h>
__device__ int level;
__global__ void k(int *p, int *q, int n) {{
  int v = n, w[4], m = 0;
#if __CUDA_ARCH__ >= 800
{}
#else
{}
#endif
  p[1] = v + w[0];
}}
"""

RULES = ("build/arch-gate", "build/older-path", "build/vanished-code", "build/refused-arch")


def told(new: str, old: str, text: str = KERNEL) -> tuple[str, str]:
    (one,) = [one for one in find_in_text(text.format(new, old)).findings if one.rule in RULES]
    return one.rule, one.message


@pytest.mark.parametrize(
    ("new", "old", "name"),
    [
        ("p[0] = 1; q[0] = 2;", "p[0] = 1;", "q"),
        ("v = g(n); *q = v;", "v = n + 1;", "q"),
        ("v += 1;", "m = 1;", "v"),
        ("w[0] = v; w[1] = v;", "v = 2;", "w"),
        ('asm("mov.u32 %0, %1;" : "=r"(v) : "r"(n));', "m = n;", "v"),
        ("level = v;", "m = v;", "level"),
        ("for (int i = 0; i < 4; ++i) w[i] = p[i];", "for (int i = 0; i < 4; ++i) m += p[i];", "w"),
        ("store_all(q, v);", "m = p[0];", "q"),
        ("q[0] = v;", "if (n) return; m = p[0];", "q"),
        ("q[0] = v;", "p[0] = v; return; update();", "q"),  # never called
        ("v = g(n);", "for (;;) { if (p[m]) break; m = p[0]; }", "v"),
    ],
)
def test_what_the_other_branch_leaves_unwritten(new: str, old: str, name: str) -> None:
    rule, message = told(new, old)
    assert rule == "build/arch-gate" and f"does not write `{name}`" in message


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("p[0] = 1; q[0] = 2;", "for (int i = 0; i < 1; ++i) { q[i] = 2; p[i] = 1; }"),
        ("m = __activemask(); v = h(m);", "v = h(1);"),  # `m` is not read behind
        ("int x = g(n); v = x;", "v = g(n);"),
        ("n = n + 1; v = n;", "v = n + 1;"),  # a parameter by value
        ("store_all(q, v);", "q[0] = v;"),
        ("q[0] = v;", "store_all(q, v);"),
        ("__syncwarp(m); v = 1;", "v = 1;"),
        ("prefetch(q); v = 1;", "v = 1;"),
        ("q[0] = 2;", "STORE_ALL(v);"),  # a macro may write anything
        ("level = v;", "update();"),
        ("level = v;", "if (n) return; update();"),  # for some values of `n` it is called
        ("level = v;", "while (m) { if (n) return; } update();"),
        ("q[0] = v;", "if (n) { return; } else STORE_ALL(q, v);"),
        ("v = g(n);", "p[1] = n; return;"),  # nothing behind reads `v` then
        ('asm("mov.u32 %0, %1;" : "=r"(v) : "r"(n));', "++v; m = 1;"),
        ("w[0] = v;", "*w = v;"),
        ("const int two[2] = {g(n), g(m)}; v = two[0];", "v = g(n);"),
        ("using wide_t = long; v = wide_t(n);", "v = n;"),
        ("const float4 *x = (float4 *)p; v = x->x;", "v = p[0];"),
    ],
)
def test_a_branch_that_writes_no_less_is_an_older_way(new: str, old: str) -> None:
    assert told(new, old)[0] == "build/older-path"


def test_a_branch_without_a_result() -> None:
    text = "__device__ int f(int *p) {{\n#if __CUDA_ARCH__ >= 800\n{}\n#else\n{}\n#endif\n}}\n"
    rule, message = told("return g(p);", "p[0] = 1;", text)
    assert rule == "build/arch-gate" and "gives no result" in message
    assert told("return g(p);", "return p[0];", text)[0] == "build/older-path"
    rule, message = told("return g(p);", "return 0;", text)
    assert rule == "build/refused-arch" and "only returns a zero" in message
    assert told("return 4;", "return 0;", text)[0] == "build/older-path"


@pytest.mark.parametrize(
    ("old", "rule"),
    [
        ('p[0] = n * n; printf("slow\\n");', "build/older-path"),
        ("if (n > 9) __trap(); p[0] = n;", "build/older-path"),
        ('store(p, n); printf("slow\\n");', "build/older-path"),
        ('printf("sm_80 is needed\\n"); return;', "build/refused-arch"),
        ("p[0] = n; __trap();", "build/refused-arch"),  # nobody sees what it writes
        ("if (n > 9) p[0] = NOT_SUPPORTED;", "build/older-path"),
        ("p[0] = ERROR_NOT_SUPPORTED;", "build/refused-arch"),
    ],
)
def test_a_branch_that_calculates_and_complains_is_no_refusal(old: str, rule: str) -> None:
    assert told("p[0] = g(n);", old)[0] == rule


def test_a_result_beside_a_message() -> None:
    text = "__device__ int f(int *p) {{\n#if __CUDA_ARCH__ >= 800\n{}\n#else\n{}\n#endif\n}}\n"
    assert told("return g(p);", 'printf("slow"); return p[0] + p[1];', text)[0] == "build/older-path"
    assert told("return g(p);", 'printf("old"); return 0;', text)[0] == "build/refused-arch"
