"""A barrier behind a condition that the constants of every call make false is met by nobody."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.warp.obligations import failures
from cudamigrate.warp.transfer import evaluator_of

STEP = """
#define LEFT 1
#define DOWN 3
enum { ON = 1 };
template <class T, int dir, bool again> __device__ void step(T *a, int lane) {
    if (again) { if (dir == LEFT) { a[lane] = 1; } else { __syncthreads(); a[lane] = 3; } }
}
template <int dir, class T, bool again> __device__ void walk(T *a, int lane) {
    if (lane == 3) { step<T, dir, again>(a, lane); }
}
"""


def failed(calls: str, step: str = STEP) -> bool:
    text = f"{step}\ntemplate <class T, bool some> __global__ void k(T *a) {{ {calls} }}\n"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    return any(one.kind in ("barrier", "asked") for one in failures(evaluator_of(parsed)))


@pytest.mark.parametrize(
    "calls",
    [
        "walk<DOWN, T, false>(a, threadIdx.x);",
        "walk<LEFT, T, true>(a, threadIdx.x);",
        "const bool again = false; walk<DOWN, T, again>(a, threadIdx.x);",
        "walk<DOWN, T, false>(a, threadIdx.x); walk<1, float, true>(a, threadIdx.x);",
    ],
)
def test_what_no_call_comes_to_is_none(calls: str) -> None:
    assert not failed(calls)


@pytest.mark.parametrize(
    "calls",
    [
        "walk<DOWN, T, true>(a, threadIdx.x);",
        "walk<LEFT, T, true>(a, threadIdx.x); walk<DOWN, T, true>(a, threadIdx.x);",  # one of them does
        "walk<DOWN, T, some>(a, threadIdx.x);",  # the launch chooses
        "auto f = walk<LEFT, T, true>; f(a, threadIdx.x);",  # not all calls are seen
        "walk<UNKNOWN, T, true>(a, threadIdx.x);",
        "",  # nor is any
    ],
)
def test_what_a_call_may_come_to_is(calls: str) -> None:
    assert failed(calls)


def test_a_condition_by_and_or_not_and_not_equal_is_decided_too() -> None:
    for test, given, met in (
        ("!again", "true", False), ("!again", "false", True), ("dir != LEFT", "true", False),
        ("again && dir == DOWN", "true", False), ("dir == DOWN || again", "true", True),
    ):  # fmt: skip
        step = (
            "#define LEFT 1\n#define DOWN 3\ntemplate <int dir, bool again> __device__ void step(int lane) {"
            f" if ({test}) {{ __syncthreads(); }} }}\n"
        )
        assert failed(f"if (threadIdx.x == 3) {{ step<LEFT, {given}>(1); }} a[1] = 0;", step) is met, test


USED = """
struct Plus { __device__ int operator()(int a, int b) { return a + b; } };
template <class op_t> __device__ int reduce(int x, int lane, op_t op) { if (lane < 3) { HOW op(x, lane); } return x; }
template <class body_t> __global__ void run(body_t body) { body(threadIdx.x, blockIdx.x); }
void launch() { auto body = [] __device__ (int tid, int cta) { __syncthreads(); }; run<<<1, 64>>>(body); }
"""


@pytest.mark.parametrize(("how", "met"), [("x =", False), ("return", False), ("", True)])
def test_a_call_whose_value_is_used_reaches_no_function_object_that_gives_none(how: str, met: bool) -> None:
    assert failed("", USED.replace("HOW", how)) is met


NESTED = """
template <class T, bool some> struct Walk {
    template <bool again = true> static __device__ void run(int lane) { if (again) { __syncthreads(); } }
    template <class U, bool again> __device__ void go(int lane) { if (again) { __syncthreads(); } }
};
"""


@pytest.mark.parametrize(
    ("call", "met"),
    [
        ("Walk<int, true>::run<false>(1);", False),
        ("Walk<int, false>::run<true>(1);", True),
        ("Walk<int, false>::run(1);", True),  # what the class is given is not what its member is
        ("Walk<int, true> w; w.template go<float, false>(1);", False),
        ("Walk<int, false> w; w.go<Walk<int, false>, true>(1);", True),
        ("Walk<int, true> w; w.go<Walk<int, true>, false>(1);", False),
    ],
)
def test_a_member_is_given_its_own_constants(call: str, met: bool) -> None:
    assert failed(f"if (threadIdx.x == 3) {{ {call} }} a[1] = T();", NESTED) is met
