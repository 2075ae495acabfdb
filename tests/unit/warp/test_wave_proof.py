"""What is proved for the full wavefront: a reduction of each kind, and the nearest code that is none."""

from __future__ import annotations

from typing import Any

import pytest

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile, Target
from cudamigrate.warp.cross_file_facts import summary
from cudamigrate.warp.lane_code import NAMES, facts
from cudamigrate.warp.transfer import Evaluator
from cudamigrate.warp.wave_proof import Plan

WORDS = frozenset(name.encode() for name in NAMES)
ATOMIC = """
__global__ void total(const int *in, int *out, int n) {
    int v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
    for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
    if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
void run(const int *in, int *out, int n) { total<<<8, 128>>>(in, out, n); }
"""
STAGES = """
__device__ float warpSum(float v) {
    for (int o = 1; o < 32; o <<= 1) v = v + __shfl_xor_sync(~0u, v, o);
    return v;
}
__device__ float blockSum(float v) {
    __shared__ float part[32];
    int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
    v = warpSum(v);
    if (lane == 0) part[wid] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? part[lane] : 0.0f;
    if (wid == 0) v = warpSum(v);
    return v;
}
__global__ void sums(const float *in, float *out, int rows, int n) {
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        float v = 0.0f;
        for (int i = threadIdx.x; i < n; i += blockDim.x) v += in[row * n + i];
        v = blockSum(v);
        if (threadIdx.x == 0) out[row] = v;
        __syncthreads();
    }
}
void run(const float *in, float *out, int n) { sums<<<9, dim3(256)>>>(in, out, 9, n); }
"""
IF_FORM = """
__global__ void best(const int *in, int *out) {
    __shared__ int part[8];
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int o = 16; o > 0; o >>= 1) {
        int other = __shfl_xor_sync(0xffffffff, v, o);
        v = max(v, other);
    }
    int lane = threadIdx.x % 32;
    if (lane == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = 0;
        if (threadIdx.x < blockDim.x / 32) v = part[threadIdx.x];
        for (int o = 16; o > 0; o >>= 1) v = max(v, __shfl_xor_sync(0xffffffff, v, o));
        if (lane == 0) out[blockIdx.x] = v;
    }
}
void run(const int *in, int *out) { best<<<4, 256>>>(in, out); }
"""


def parse(text: str, path: str = "a.cu", wave: str = "") -> ParsedFile:
    parsed = cuda.parse(SourceFile(path, text.encode(), "cuda"), WORDS)
    if wave:
        parsed.target = Target(wave=wave)
    return parsed


def plan(text: str, path: str = "a.cu") -> Plan:
    plans = [unit.plan for unit in facts(parse(text, path)).units.values() if unit.plan is not None]
    assert plans
    return plans[0]


def rewritten(text: str) -> str:
    data = text.encode()
    for edit in reversed(plan(text).edits):
        data = data[: edit.span.start] + edit.replacement + data[edit.span.end :]
    return data.decode()


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        (ATOMIC, [("o = 16", "o = warpSize / 2"), ("% 32", "% warpSize")]),
        (
            STAGES,
            [("o < 32", "o < warpSize"), ("& 31", "& (warpSize - 1)"), (">> 5", "/ warpSize"), ("/ 32", "/ warpSize")],
        ),
        (
            IF_FORM,
            [("o = 16", "o = warpSize / 2"), ("% 32", "% warpSize"), ("/ 32", "/ warpSize"), ("< 32", "< warpSize")],
        ),
    ],
)
def test_reductions_are_proved_and_every_32_but_a_size_of_an_array_follows(
    text: str, changes: list[tuple[str, str]]
) -> None:
    assert plan(text).refused == ""
    expected = text
    for old, new in changes:
        expected = expected.replace(old, new)
    assert rewritten(text) == expected


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("8, 128", "8, 96", "blocks of 96 threads"),
        ("8, 128", "8, 32", "blocks of 32 threads"),
        ("8, 128", "8, n", "not seen"),
        ("void run", "void *address = (void *)total;\nvoid run", "not seen"),
        ("atomicAdd(out, v)", "out[threadIdx.x / 32] = v", "visible outside"),
        ("atomicAdd(out, v)", "atomicMax(out, v)", "atomicMax"),
        ("atomicAdd(out, v)", "atomicAdd(out, 1)", "atomicAdd(out, 1)"),
        ("atomicAdd(out, v)", "atomicAdd(out + threadIdx.x / 32, v)", "atomicAdd"),
        ("if (threadIdx.x % 32 == 0) ", "", "atomicAdd"),
        ("% 32 == 0", "% 32 == 1", "threadIdx.x % 32 == 1"),
        ("int v = 0;", "int v = 0; if (threadIdx.x > n) return;", "left before"),
        ("for (int o", "if (v > 0) for (int o", "only some threads"),
        ("0xffffffff, v, o", "0xffff, v, o", "__shfl_down_sync"),
        ("v, o);", "v, o, 16);", "__shfl_down_sync"),
        ("v, o);", "v, 1);", "__shfl_down_sync"),
        ("v += __shfl", "v -= __shfl", "v -= __shfl"),
        ("o = 16", "o = 8", "__shfl_down_sync"),
        ("o /= 2", "o -= 2", "__shfl_down_sync"),
        ("int v = 0;", "int v = 0; int *p = &v;", "another variable"),
        ("int v = 0;", "int v = 0; if (n) { int v = 1; out[0] = v; }", "another variable"),
        ("int v = 0;", "int v = 0; auto f = [&] { out[1] = v; };", "a function in a function"),
        ("int v = 0;", 'int v = 0; asm("shfl.sync.idx.b32 %0, %0, 0, 31, -1;" : "+r"(v));', "asm"),
        ("int v = 0;", "half v = 0;", "__shfl_down_sync"),
        ("int v = 0;", "unsigned m = __ballot_sync(0xffffffff, n); int v = __popc(m);", "__ballot_sync"),
        ("int v = 0;", "int v = threadIdx.x & ~31;", "~31"),
        ("int v = 0;", "int v = warpSize;", "warpSize"),
    ],
)
def test_what_is_not_a_reduction_over_whole_warps_is_refused(old: str, new: str, why: str) -> None:
    assert old in ATOMIC
    made = plan(ATOMIC.replace(old, new, 1))
    assert why in made.refused and not made.edits


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("threadIdx.x < blockDim.x / 32 ?", "threadIdx.x < 7 ?", "part[lane]"),
        ("part[lane] : 0.0f", "part[lane ^ 1] : 0.0f", "part[lane ^ 1]"),
        ("if (wid == 0) v", "if (wid == 1) v", "wid == 1"),
        ("if (wid == 0) v = warpSum(v);", "v = v * part[1];", "part[1]"),
        ("if (lane == 0) part", "if (lane < 2) part", "part[wid] = v"),
        ("if (threadIdx.x == 0) out[row] = v;", "out[row * n + threadIdx.x] = v;", "out[row * n"),
        ("if (threadIdx.x == 0) out[row] = v;", "if (threadIdx.x < 2) out[row] = v;", "out[row] = v"),
        ("row += gridDim.x) {", "row += gridDim.x) { if (in[row] < 0) continue;", "only some threads"),
        ("v = blockSum(v);", "if (threadIdx.x < n) v = blockSum(v);", "only some threads"),
        ("v = warpSum(v);\n    if (lane", "v = warpSum(v * lane);\n    if (lane", "v * lane"),
        ("return v;\n}\n__device__ float blockSum", "return v / 32;\n}\n__device__ float blockSum", "v / 32"),
        ("<<<9, dim3(256)>>>", "<<<9, dim3(32, 8)>>>", "blocks of 32 threads"),
        (
            "__global__ void sums",
            "__device__ float again(float v) { return warpSum(v); }\n__global__ void sums",
            "callers",
        ),
    ],
)
def test_two_stages_are_refused_where_the_warps_can_be_distinguished(old: str, new: str, why: str) -> None:
    assert old in STAGES
    made = plan(STAGES.replace(old, new, 1))
    assert why in made.refused and not made.edits


def test_stages_must_bring_values_together_alike() -> None:
    other = IF_FORM.replace("v = max(v, other);", "v += other;")
    assert "different operations" in plan(other).refused


def test_lanes_without_a_part_must_hold_a_value_of_their_own() -> None:
    assert plan(IF_FORM.replace("        v = 0;\n", "")).refused


def test_a_header_that_launches_its_kernels_is_proved_and_a_helper_by_the_block_alone() -> None:
    assert plan(ATOMIC, "a.cuh").refused == "" and not plan(ATOMIC, "a.cuh").helpers
    alone = STAGES[: STAGES.index("__global__")]
    assert plan(alone, "a.cuh").refused == "" and plan(alone, "a.cuh").helpers == {"blockSum"}
    assert "callers of `warpSum`" in plan(alone[: alone.index("__device__ float blockSum")], "a.cuh").refused
    assert "callers of `blockSum`" in plan(alone.replace("__syncthreads();", ""), "a.cuh").refused
    some = alone.replace("~0u", "__activemask()")
    assert "callers of `blockSum`" in plan(some, "a.cuh").refused


def test_only_where_the_full_wavefront_is_asked_for_is_a_proof_acted_on() -> None:
    for wave, whole in (("native", True), ("logical32", False), ("", False)):
        assert {unit.whole for unit in facts(parse(ATOMIC, wave=wave)).units.values()} == {whole}


def test_other_files_are_reported_what_follows_the_wave_and_what_they_launch() -> None:
    own = summary(parse(ATOMIC, wave="native"))
    other = summary(parse("void f() { total<<<1, 32>>>(); }", "b.cu", "native"))
    assert own is not None and own.native == {"total"} and not own.launches
    assert other is not None and other.launches == {"total"}
    assert summary(parse("void f() { f(1, 32); }", "b.cu")) is None


def test_facts_of_many_functions_are_worked_out_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    worked: list[str] = []
    named = Evaluator._named

    def counted(self: Evaluator, place: Any, name: str, *rest: Any) -> Any:
        worked.append(name)
        return named(self, place, name, *rest)

    monkeypatch.setattr(Evaluator, "_named", counted)
    costs = []
    for count in (10, 30):
        worked.clear()
        text = "".join(ATOMIC.replace("total", f"total{number}") for number in range(count))
        plans = [unit.plan for unit in facts(parse(text)).units.values() if unit.plan is not None]
        assert len(plans) == count and not any(one.refused for one in plans)
        costs.append(len(worked))
    assert costs[1] == 3 * costs[0]
