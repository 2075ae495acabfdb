"""Forms in which reductions are written: each is proved, and the nearest code that is no reduction is refused."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.warp.lane_code import NAMES, facts
from cudamigrate.warp.wave_proof import Plan

WORDS = frozenset(name.encode() for name in NAMES)
TYPES = """
template <typename T> __device__ T warpSum(T v) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
    return v;
}
template <typename T> __global__ void total(const T *in, double *out) {
    double v = in[blockIdx.x * blockDim.x + threadIdx.x];
    v = warpSum(v);
    if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
void run(const float *in, double *out) { total<float><<<8, 128>>>(in, out); }
"""
ROW = """
__global__ void most(const int *in, int *out) {
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    v = max(v, __shfl_xor_sync(0xffffffff, v, 16));
    v = max(v, __shfl_xor_sync(0xffffffff, v, 8));
    v = max(v, __shfl_xor_sync(0xffffffff, v, 4));
    v = max(v, __shfl_xor_sync(0xffffffff, v, 2));
    v = max(v, __shfl_xor_sync(0xffffffff, v, 1));
    if (threadIdx.x % 32 == 0) atomicMax(out, v);
}
void run(const int *in, int *out) { most<<<8, 128>>>(in, out); }
"""
VOTES = """
__global__ void above(const int *in, int limit, int *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int votes = __popc(__ballot_sync(0xffffffff, in[i] > limit));
    if (threadIdx.x % 32 == 0) atomicAdd(out, votes);
}
void run(const int *in, int limit, int *out) { above<<<8, 128>>>(in, limit, out); }
"""
COLUMNS = """
constexpr int kThreads = 256;
__global__ void sums(const float *in, float *out, int n) {
    __shared__ __align__(16) float parts[4][kThreads / 32];
    for (int c = 0; c < 4; ++c) {
        float v = 0.0f;
        for (int i = threadIdx.x; i < n; i += kThreads) v += in[i * 4 + c];
        for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
        if ((threadIdx.x & 31) == 0) parts[c][threadIdx.x >> 5] = v;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int c = 0; c < 4; ++c) {
            float all = threadIdx.x < kThreads / 32 ? parts[c][threadIdx.x] : 0.0f;
            for (int o = 16; o > 0; o >>= 1) all += __shfl_down_sync(0xffffffff, all, o);
            if (threadIdx.x == 0) out[c] = all;
        }
    }
}
void run(const float *in, float *out, int n) { sums<<<1, kThreads>>>(in, out, n); }
"""
EVERY = """
#define WARP_SIZE 32
__global__ void scaled(const float *in, float *out) {
    const int warp = threadIdx.x / WARP_SIZE, lane = threadIdx.x % WARP_SIZE;
    __shared__ float parts[32];
    int at = warp * WARP_SIZE + lane;
    float v = in[blockIdx.x * 1024 + at];
    for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
    if (lane == 0) parts[warp] = v;
    __syncthreads();
    v = parts[lane];
    for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
    out[blockIdx.x * 1024 + at] = v;
}
void run(const float *in, float *out) { scaled<<<8, 1024>>>(in, out); }
"""
GIVEN = """
template <int NT> __global__ void chosen(const int *in, const int *rows, int *out) {
    const int tid = threadIdx.x;
    bool valid = rows[blockIdx.x] > 0;
    if (valid) valid = rows[blockIdx.x] < 9;
    if (!valid) return;
    int v = in[rows[blockIdx.x] * NT + tid];
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(__activemask(), v, o);
    __shared__ int parts[NT / 32];
    if ((tid & 31) == 0) parts[tid >> 5] = v;
    __syncthreads();
    if (tid == 0) {
        int all = 0;
        for (int i = 0; i < NT / 32; ++i) all += parts[i];
        out[blockIdx.x] = all;
    }
}
void run(const int *in, const int *rows, int *out) { chosen<128><<<8, 128>>>(in, rows, out); }
"""
POINTER = (
    ROW.replace("void run(const int *in, int *out) { most<<<8, 128>>>(in, out); }", "")
    + """
typedef void (*kernel_t)(const int *, int *);
kernel_t pick(int n) {
    if (n > 1) return most;
    return most;
}
void run(const int *in, int *out, int n) {
    dim3 grid, block;
    block.x = n > 4 ? 128 : 256;
    kernel_t kernel = pick(n);
    kernel<<<8, block>>>(in, out);
}
"""
)


PLACE = """
__device__ void add(int v, int *to) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    if (threadIdx.x % 32 == 0) atomicAdd(to, v);
}
__global__ void total(const int *in, int *out) { add(in[blockIdx.x * blockDim.x + threadIdx.x], out + blockIdx.x); }
void run(const int *in, int *out) { total<<<8, 128>>>(in, out); }
"""


def plan(text: str) -> Plan:
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), WORDS)
    plans = [unit.plan for unit in facts(parsed).units.values() if unit.plan is not None]
    assert plans
    return plans[0]


def rewritten(text: str) -> str:
    made, data = plan(text), text.encode()
    for edit in sorted((*made.edits, *made.votes), key=lambda edit: -edit.span.start):
        data = data[: edit.span.start] + edit.replacement + data[edit.span.end :]
    return data.decode()


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (TYPES, ["o = warpSize / 2", "% warpSize"]),
        (ROW, ["if (warpSize > 32) v = max(v, __shfl_xor(v, 32));\n    v = max(v,"]),
        (VOTES, ["__popcll(__ballot(in[i] > limit))"]),
        (COLUMNS, ["parts[c][threadIdx.x / warpSize] = v", "threadIdx.x < kThreads / warpSize ?"]),
        (EVERY, ["warp * warpSize + lane", "v = (lane * warpSize < 1024 ? parts[lane] : 0);"]),
        (PLACE, ["threadIdx.x % warpSize"]),
        (GIVEN, ["parts[tid / warpSize]", "i < NT / warpSize", "int parts[NT / 32]"]),
        (POINTER.replace("block.x = n > 4 ? 128 : 256", "block.x = 256"), ["if (warpSize > 32) v = max"]),
    ],
)
def test_form_is_proved_and_follows_the_wave(text: str, pieces: list[str]) -> None:
    assert plan(text).refused == ""
    made = rewritten(text)
    assert [piece for piece in pieces if piece not in made] == []


@pytest.mark.parametrize(
    ("text", "old", "new", "why"),
    [
        (TYPES, "double v = in", "T v = in", ""),
        (TYPES.replace("double v", "T v"), "total<float><<<", "total<half><<<", "__shfl_xor_sync"),
        (TYPES, "total<float><<<8, 128>>>(in, out)", "total<float><<<8, 160>>>(in, out)", "blocks of 160 threads"),
        (TYPES, "return v;\n}", "return v / 2;\n}", "v / 2"),
        (TYPES, "v += __shfl", "v -= __shfl", "v -= __shfl"),
        (ROW, "v, 16));", "v, 12));", "v, 12)"),
        (ROW, "    v = max(v, __shfl_xor_sync(0xffffffff, v, 16));\n", "", "v, 8)"),
        (ROW, "v, 8));", "v, 8, 16));", "v, 16)"),
        (
            ROW,
            "v = max(v, __shfl_xor_sync(0xffffffff, v, 2));",
            "v = min(v, __shfl_xor_sync(0xffffffff, v, 2));",
            "v, 16)",
        ),
        (ROW, "atomicMax(out, v)", "out[threadIdx.x / 32] = v", "visible outside"),
        (ROW, "atomicMax(out, v)", "atomicMax(out + in[threadIdx.x], v)", "atomicMax"),
        (ROW, "int v = in", "if (in[threadIdx.x] > 3) return;\n    int v = in", "have left"),
        (VOTES, "atomicAdd(out, votes)", "atomicMax(out, votes)", "atomicMax"),
        (VOTES, "__popc(__ballot_sync", "__ffs(__ballot_sync", "__ballot_sync"),
        (VOTES, "in[i] > limit))", "in[i] > limit) >> 4)", "__ballot_sync"),
        (VOTES, "0xffffffff, in", "0xffff, in", "__ballot_sync"),
        (COLUMNS, "kThreads / 32 ?", "7 ?", "threadIdx.x"),
        (COLUMNS, "parts[c][threadIdx.x] : 0.0f", "parts[c][threadIdx.x] : 1.0f", "a value of their own"),
        (COLUMNS, "parts[c][threadIdx.x >> 5] = v", "parts[int(v) % 4][threadIdx.x >> 5] = v", "parts[int(v) % 4]"),
        (COLUMNS, "kThreads = 256", "kThreads = 288", "blocks of 288 threads"),
        (EVERY, "<<<8, 1024>>>", "<<<8, 512>>>", "parts[lane]"),
        (
            EVERY,
            "v = parts[lane];\n    for (int o = 16; o > 0; o >>= 1) v +=",
            "v = parts[lane];\n    for (int o = 16; o > 0; o >>= 1) v *=",
            "different operations",
        ),
        (EVERY, "out[blockIdx.x * 1024 + at] = v;", "out[blockIdx.x * 32 + warp] = v;", "warp"),
        (EVERY, "at = warp * WARP_SIZE + lane", "at = lane * WARP_SIZE + warp", "lane * WARP_SIZE"),
        (GIVEN, "rows[blockIdx.x] < 9;", "rows[threadIdx.x] < 9;", "have left"),
        (GIVEN, "<128><<<8, 128>>>", "<96><<<8, 128>>>", "all += parts[i]"),
        (GIVEN, "<128><<<8, 128>>>", "<64><<<8, 128>>>", ""),  # the first two warps are the first wave
        (GIVEN, "const int *rows", "int *rows", "have left"),
        (PLACE, "out + blockIdx.x", "out + in[threadIdx.x]", "atomicAdd"),
        (PLACE, "out + blockIdx.x", "&out[threadIdx.x]", "atomicAdd"),
        (PLACE, "atomicAdd(to, v)", "atomicAdd(to++, v)", "atomicAdd"),
        (POINTER, "block.x = n > 4 ? 128 : 256", "block.x = n > 4 ? 128 : n", "not seen"),
        (
            POINTER,
            "kernel<<<8, block>>>(in, out);",
            "other(kernel, in, out);\n    kernel<<<8, block>>>(in, out);",
            "not seen",
        ),
    ],
)
def test_nearest_code_that_is_no_such_reduction_is_refused(text: str, old: str, new: str, why: str) -> None:
    assert old in text
    made = plan(text.replace(old, new, 1))
    if why:
        assert why in made.refused and not made.edits
        assert made.cure
    else:
        assert made.refused == ""


BLOCK = """
__device__ float warpSum(float v) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
    return v;
}
__device__ float blockSum(float v) {
    __shared__ float part[32];
    const int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
    v = warpSum(v);
    if (lane == 0) part[wid] = v;
    __syncthreads();
    v = lane < blockDim.x / 32 ? part[lane] : 0.0f;
    if (wid == 0) v = warpSum(v);
    return v;
}
__global__ void sums(const float *in, float *out, int n) {
    float v = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) v += in[i];
    v = blockSum(v);
    if (threadIdx.x == 0) *out = v;
}
void run(const float *in, float *out, int n) { sums<<<1, 256>>>(in, out, n); }
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("v = blockSum(v);", "if (n > 5) v = blockSum(v);"),
        ("v = blockSum(v);", "for (int r = 0; r < n; ++r) v = blockSum(v);"),
        ("v = blockSum(v);", "v = blockSum(v);\n    v = blockSum(v);"),
        ("v = warpSum(v);\n    if (lane", "if (blockDim.x == 8) return v;\n    v = warpSum(v);\n    if (lane"),
        ("v = lane < blockDim.x / 32 ? part[lane] : 0.0f;", "float w = 0; if (lane < 8) w = part[lane]; v = w;"),
        (
            "v = lane < blockDim.x / 32 ? part[lane] : 0.0f;\n    if (wid == 0) v = warpSum(v);",
            "for (int i = 0; i < blockDim.x / 32; ++i) v += part[i];",
        ),
        ("v = blockSum(v);", "v = blockSum(v);\n    if (threadIdx.x < 32) return;\n    out[threadIdx.x] = 0;"),
        ("if (wid == 0) v = warpSum(v);", "if (wid == 0) { int one = atomicAdd(counter, 1); v = warpSum(v); }"),
        ("if (wid == 0) v = warpSum(v);", "if (wid == 0) { float w; w = next(); v = warpSum(v); }"),
        ("part[lane] : 0.0f", "part[lane] : v"),
        ("if (lane == 0) part[wid] = v;", "if (lane == 0) part[wid] = v; else { int w = 0; part[9] = w; }"),
        ("if (wid == 0) v = warpSum(v);", 'if (wid == 0) v = warpSum(v); else { int w = 0; asm("" : "+r"(w)); }'),
        ("if (wid == 0) v = warpSum(v);", "if (wid == 0 && blockDim.x > 64) v = warpSum(v);"),
        ("part[wid] = v;", "part[wid] = v;\n    if (blockDim.x < 99) part[wid] = lane;"),
    ],
)
def test_what_may_be_left_out_or_done_twice_is_not_taken_for_done(old: str, new: str) -> None:
    assert plan(BLOCK).refused == "" and old in BLOCK
    assert plan(BLOCK.replace(old, new, 1)).refused


def test_a_number_of_warps_may_be_real_and_that_of_a_warp_may_not() -> None:
    real = BLOCK.replace("lane < blockDim.x / 32 ?", "threadIdx.x < (blockDim.x / 32.f) ?")
    assert plan(real).refused == "" and "(blockDim.x / warpSize)" in rewritten(real)
    own = BLOCK.replace("float v = 0.0f;", "float v = threadIdx.x / 32.f;")
    assert plan(own).refused == "" and "float v = threadIdx.x / 32.f;" in rewritten(own)


def test_a_reduction_that_every_thread_has_may_go_into_the_next() -> None:
    everywhere = BLOCK.replace("if (wid == 0) v = warpSum(v);", "v = warpSum(v);")
    assert plan(everywhere.replace("v = blockSum(v);", "v = blockSum(v);\n    v = blockSum(v);")).refused == ""
    assert plan(everywhere.replace("*out = v;", "*out = v;\n    out[1 + threadIdx.x] = v;")).refused == ""
    assert (
        "out[1 + threadIdx.x]" in plan(BLOCK.replace("*out = v;", "*out = v;\n    out[1 + threadIdx.x] = v;")).refused
    )


def test_what_it_saves_is_counted_where_it_reduces() -> None:
    assert plan(BLOCK).pays == "4 results of a block, not 8, for 12 shuffles of a thread, not 10"
    assert plan(ROW).pays == "2 results of a block, not 4, for 6 shuffles of a thread, not 5"
    assert plan(BLOCK.replace("<<<1, 256>>>", "<<<1, n * 64>>>")).pays.startswith("half as many results of each block")
    assert plan(BLOCK.replace("<<<1, 256>>>", "<<<1, 32>>>")).pays == ""
    assert plan(BLOCK.replace("<<<1, 256>>>", "<<<1, 64>>>")).pays.startswith("1 result of a block, not 2,")


def test_macros_for_hip_alone_are_no_part_of_a_proof_and_need_none() -> None:
    macro = "#ifdef USE_ROCM\n#define __shfl_xor_sync(mask, v, o) __shfl_xor(v, o)\n#endif\n"
    assert plan(macro + ROW).refused == ""
    assert "outside of functions" in plan(macro).refused
    assert "outside of functions" in plan(macro.replace("USE_ROCM", "OLD_CUDA") + ROW).refused
