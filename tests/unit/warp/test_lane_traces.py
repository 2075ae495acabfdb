"""What a place with warp-level code is made from: variables, arguments of the file's calls, constants."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile, Span
from cudamigrate.warp.lane_traces import _brief, steps

CODE = """#define FULL 0xffffffff
constexpr int kWarp = 32;
__device__ int part(int lane, int v, int by) {
    return __shfl_down_sync(FULL, v, by) + lane % kWarp;
}
__global__ void k(int *a, int n) {
    const int tid = threadIdx.x;
    int v = a[n];
    a[tid] = part(tid, v, kWarp / 2);
}
"""


def chain(place: str) -> list[tuple[int, str]]:
    start = CODE.index(place)
    parsed = cuda.parse(SourceFile("a.cu", CODE.encode(), "cuda"), frozenset())
    return [(step.line, step.text) for step in steps(parsed, Span(start, start + len(place)))]


def test_a_lane_is_followed_to_the_thread_and_the_constant() -> None:
    assert chain("lane % kWarp") == [
        (7, "`tid` is `threadIdx.x`"),
        (2, "`kWarp` is 32"),
        (9, "`lane` is passed `tid`"),
        (4, "`lane % kWarp` uses these"),
    ]


def test_a_shuffle_is_followed_by_its_mask_and_distance_and_not_by_its_value() -> None:
    found = chain("__shfl_down_sync(FULL, v, by)")
    assert [text for _, text in found[:-1]] == [
        "`kWarp` is 32",
        "`by` is passed `kWarp / 2`",
        "`FULL` is 0xffffffff",
    ]


@pytest.mark.parametrize("place", ["threadIdx.x", "return", "n)"])
def test_a_place_that_names_nothing_of_the_file_has_no_chain(place: str) -> None:
    assert chain(place) == []


LOOPED = """__global__ void k(int *a, int n) {
    for (int i = 1; i < n; ++i) a[i] = i;
    for (int i = 16; i > 0; i = i / 2) {
        a[0] += __shfl_down_sync(0xffffffffu, a[n], i);
        int by = 8;
        a[1] += __shfl_down_sync(0xffffffffu, a[n], by);
        by = 4;
    }
    for (int i = 2; i < n; ++i) a[i] = i;
}
"""


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("a[n], i)", [(3, "`i` is `16`"), (3, "`i` is `i / 2`")]),
        ("a[n], by)", [(5, "`by` is `8`"), (7, "`by` is `4`")]),
    ],
)
def test_a_name_stands_for_what_is_in_its_scope_and_may_be_there(call: str, found: list[tuple[int, str]]) -> None:
    start, end = LOOPED.rindex("__shfl", 0, LOOPED.index(call)), LOOPED.index(call) + len(call)
    parsed = cuda.parse(SourceFile("a.cu", LOOPED.encode(), "cuda"), frozenset())
    said = [(step.line, step.text) for step in steps(parsed, Span(start, end))]
    assert said[:-1] == found


def test_what_is_given_often_is_told_eight_times_at_most() -> None:
    code = "__global__ void k(int *a) {\n  int v = a[0];\n" + "".join(f"  v = a[{n}];\n" for n in range(1, 40))
    parsed = cuda.parse(SourceFile("a.cu", f"{code}  a[0] = v % 32;\n}}\n".encode(), "cuda"), frozenset())
    start = parsed.data.index(b"v % 32")
    assert len(steps(parsed, Span(start, start + 6))) == 9  # the place itself comes last


def test_a_long_expression_is_cut_as_if_it_were_read_whole() -> None:
    data = b"f(a,   \n" + b" " * 500 + b"b" * 40 + b" " * 900 + b"c" * 40 + b")"
    spelled = " ".join(data.decode().split())
    assert _brief(data, 0, len(data)) == spelled[:57] + "..."
    assert _brief(data, 0, 40) == "f(a,"
