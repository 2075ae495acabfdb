"""Steps through volatile memory whose distance is worked out, and rows of several kinds of steps."""

from __future__ import annotations

import pytest

from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.rule_tests import find_in_text

UNHELD = "warp/unheld-lanes"

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


LOOP = "for (int d = 16; d; d >>= 1) %s[t] += %s[t + d];"


@pytest.mark.parametrize(
    ("body", "rules"),
    [
        (LOOP % ("s", "s"), ["warp/volatile-lanes"]),
        ("for (int d = 1; d < 32; d *= 2) if (t >= d) s[t] += s[t - d];", ["warp/volatile-lanes"]),
        ("for (int d = 16; d; d = d / 2) s[t] = s[t] + s[t + d];", ["warp/volatile-lanes"]),
        (LOOP.replace("[t]", "[t * 64]").replace("[t +", "[t * 64 +") % ("s", "s"), []),
        ("int a[64]; " + LOOP % ("a", "a") + " v[t] = a[t];", []),
        (LOOP % ("s", "v"), []),
        ("for (int d = 16; d; d >>= 1) { s[t] += s[t + d]; __syncwarp(); }", []),
        ("for (int d = 0; d < n; d += 1) s[t] += s[t + d];", []),
    ],
)
def test_a_loop_by_halves_is_one_without_volatile_too(body: str, rules: list[str]) -> None:
    assert found(body, "") == rules


def test_rows_of_several_arrays_are_each_by_halves() -> None:
    one, other = (" ".join(f"{name}[t] += {name}[t + {by}];" for by in (32, 16, 8, 4)) for name in ("s", "c"))
    declared = "__shared__ int c[128]; c[t] = 1; __syncthreads();"
    assert found(f"{declared} {one} {other} v[n] = c[t];", "") == ["warp/volatile-lanes"]
    apart = "s[t] += s[t + 16]; c[t] += c[t + 8]; s[t] += s[t + 4];"
    assert found(f"{declared} {apart} v[n] = c[t];", "") == []


ROW = "s[t] = op(s[t], s[t + 16]); s[t] = op(s[t], s[t +  8]); s[t] = op(s[t], s[t + 4]);"
MACRO = "#define REDUCE(op) \\\n  __shared__ int d[64]; int t = threadIdx.x; __syncthreads(); \\\n  {} \\\n  {}\n"


def in_macro(declared: str, steps: str) -> list[str]:
    """The findings on a macro for device code, which other files use."""
    code = "#include <cuda_runtime.h>\n" + MACRO.format(declared, steps)
    parsed = cuda.parse(SourceFile("a.h", code.encode(), "cxx"), frozenset())
    return [
        f"{code.encode()[hit.use.span.start : hit.use.span.end].decode()}"
        for hit in engine.hits("volatile_lanes", parsed)
    ]


def test_steps_that_a_macro_writes_out_are_found_where_no_code_of_the_file_uses_it() -> None:
    first = "s[t] = op(s[t], s[t + 16]"
    assert in_macro("volatile int *s = d;", ROW) == [first]
    assert in_macro("int *s = d;", ROW) == [first]
    assert in_macro("volatile int *s = d;", "s[t] += s[t + 2]; s[t] += s[t + 1];") == ["s[t] += s[t + 2]"]
    assert in_macro("volatile int *s = d;", "s[t] += s[t + 32]; __syncthreads(); " + ROW) == [first]


def test_steps_of_a_macro_that_are_held_or_too_few_are_not() -> None:
    assert in_macro("volatile int *s = d;", ROW.replace("; ", "; __syncwarp(); ")) == []
    assert in_macro("volatile int *s = d;", "s[t] += s[t + 16];") == []
    assert in_macro("int *s = d;", "s[t] += s[t + 2]; s[t] += s[t + 1];") == []
    assert in_macro("volatile int *s = d;", "s[t] += s[t + 3]; s[t] += s[t + 5];") == []


def test_a_macro_of_host_code_is_not_asked() -> None:
    parsed = cuda.parse(SourceFile("a.h", f"#define REDUCE(op) volatile int *s; {ROW}\n".encode(), "cxx"), frozenset())
    assert list(engine.hits("volatile_lanes", parsed)) == []


OF_CLASS = """template <typename T, int d> class Sum {{
public:
    __device__ static void run(T *s, T (*f)(T, T)) {{
        {barrier}
        if (threadIdx.x < d) {{ {step} {again} }}
    }}
}};
"""
AGAIN = "Sum<T, d / 2>::run(s, f);"
RECURSIVE = {
    "a barrier for long distances alone": (
        "if (d > 16) __syncthreads();",
        "s[threadIdx.x] = f(s[threadIdx.x], s[threadIdx.x + d]);",
        AGAIN,
    ),
    "no barrier": ("", "s[threadIdx.x] += s[threadIdx.x + d];", "Sum<T, (d >> 1)>::run(s, f);"),
    "a variable": ("int t = threadIdx.x;", "s[t] += s[t + d];", AGAIN),
}
NOT_RECURSIVE = {
    "a barrier at every step": ("__syncthreads();", "s[threadIdx.x] += s[threadIdx.x + d];", AGAIN),
    "another class": ("", "s[threadIdx.x] += s[threadIdx.x + d];", "Other<T, d / 2>::run(s, f);"),
    "the lane's own place": ("", "s[threadIdx.x] += s[threadIdx.x];", AGAIN),
    "another distance": ("", "s[threadIdx.x] += s[threadIdx.x + n];", AGAIN),
    "a place of no lane": ("int t = d;", "s[t] += s[t + d];", AGAIN),
}


def of_class(barrier: str, step: str, again: str) -> list[str]:
    code = OF_CLASS.format(barrier=barrier, step=step, again=again)
    parsed = cuda.parse(SourceFile("a.cu", code.encode(), "cuda"), frozenset())
    return [hit.rule for hit in engine.hits("volatile_lanes", parsed)]


@pytest.mark.parametrize("name", RECURSIVE)
def test_steps_that_a_template_takes_by_calling_itself_are_found(name: str) -> None:
    assert of_class(*RECURSIVE[name]) == ["warp/unheld-lanes"]


@pytest.mark.parametrize("name", NOT_RECURSIVE)
def test_steps_that_are_held_or_no_steps_are_not(name: str) -> None:
    assert of_class(*NOT_RECURSIVE[name]) == []


KERNEL = (
    "__shared__ float s[512];\n__global__ void k(float *out) {{\n  int t = threadIdx.x; float mine_too[32];\n"
    "  {code}\n}}\n"
)
STEPS = "m[0] = m[0] + m[16]; m[0] = m[0] + m[8]; m[0] = m[0] + m[4];"


@pytest.mark.parametrize(
    "code",
    [
        f"volatile float *m = &s[t]; {STEPS}",
        f"volatile float *m = s + t; {STEPS}",
        "float *m = &s[t]; m[0] += m[16]; m[0] += m[8]; m[0] += m[4];",
        "volatile float *m = &s[t]; *m += *(m + 2); *m += *(m + 1);",
        "volatile float *m = &s[t]; for (int d = 16; d > 0; d >>= 1) m[0] = op(m[0], m[d]);",
    ],
)
def test_steps_through_a_pointer_to_the_lanes_own_place_are_found(code: str) -> None:
    assert [one.rule for one in find_in_text(KERNEL.format(code=code)).findings if one.rule == UNHELD] == [UNHELD]


@pytest.mark.parametrize(
    "code",
    [
        "volatile float *m = &s[t]; m[0] += m[16]; __syncwarp(); m[0] += m[8]; __syncwarp(); m[0] += m[4];",
        f"volatile float *m = &s[blockIdx.x]; {STEPS}",
        f"float *m = mine_too; {STEPS}",
        f"float *m = out + blockIdx.x; {STEPS}",
        "volatile float *m = &s[t]; m[0] += m[16];",
        "volatile float *m = &s[t]; for (int d = 16; d > 0; d >>= 1) { m[0] = op(m[0], m[d]); __syncwarp(); }",
    ],
)
def test_held_steps_and_those_of_one_thread_are_not(code: str) -> None:
    assert [one.rule for one in find_in_text(KERNEL.format(code=code)).findings if one.rule == UNHELD] == []


def test_a_volatile_parameter_is_a_lanes_own_place_by_three_steps() -> None:
    text = "__device__ void tail(volatile float *m) {{ {} }}\n"
    three = find_in_text(text.format(STEPS)).findings
    two = find_in_text(text.format("m[0] += m[2]; m[0] += m[1];")).findings
    assert [one.rule for one in three if one.rule == UNHELD] == [UNHELD]
    assert [one.rule for one in two if one.rule == UNHELD] == []
