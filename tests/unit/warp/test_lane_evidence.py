"""Numbers of 32 that count lanes because of what stands beside them, each next to one that counts something else."""

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text
from tests.unit.warp.test_lane_counts import found, remarked


def told(text: str, rule: str = "warp/hardcoded-size") -> list[str]:
    data = text.encode()
    findings = [finding for finding in find_in_text(text).findings if finding.rule == rule]
    return [data[finding.span.start : finding.span.end].decode() for finding in findings]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "full_barriers[n]->init(kParts * kMathThreads / 32);",
            ["kParts * kMathThreads / 32"],
        ),
        ("ns::initialize_barrier_array<A, 2>(a, /* arrivals */ 32);", ["32"]),
        ("NamedBarrier::sync(4 * 32, n);", ["4 * 32"]),
        ("bar.arrive(32);", ["32"]),
        ("rows[n]->init(kParts * 32);", []),
        ("ns::initialize_rows<A, 2>(a, 32);", []),
        ("bar.select(32);", []),
        ("bar.arrive(n + 32);", []),
    ],
)
def test_threads_that_arrive_at_a_barrier_are_whole_warps(body: str, expected: list[str]) -> None:
    assert found(f"__global__ void k(int n, int *a) {{ {body} }}") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if (warp_id == 0) n += a[32 + threadIdx.x];", ["32 + threadIdx.x"]),
        ("if (row == 0) n += a[32 + threadIdx.x];", []),
        ("n += a[threadIdx.x + n * 32];", []),
        ("n = a[(threadIdx.x & 31) + (n / 4) * 32];", ["threadIdx.x & 31", "(n / 4) * 32"]),
        ("n = a[(threadIdx.x & 15) + (n / 4) * 32];", []),
        ("int first = lane / 8 * 16; int my_lane = lane / 8 * 16 + lane * 4; n = n * 32 + my_lane;", []),
        ("int my_lane = lane; n = n * 32 + my_lane;", ["n * 32"]),
    ],
)
def test_places_some_lanes_further_on_count(body: str, expected: list[str]) -> None:
    assert found(f"__global__ void k(int n, int *a, int lane, int warp_id, int row) {{ {body} }}") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("n += 32 * 8; f(lane * 8);", ["32 * 8"]),
        ("n += 32 * 8; f(n * 8);", []),
        ("if (32 - n <= lane) n = 0;", ["32 - n"]),
        ("if (32 - n <= row) n = 0;", []),
    ],
)
def test_what_each_lane_has_counts(body: str, expected: list[str]) -> None:
    assert found(f"__global__ void k(int n, int *a, int size, int lane, int warp_id, int row) {{ {body} }}") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("for (int j = 0; j < blockDim.x; j += 32) n += a[j];", ["j += 32"]),
        ("int wide = blockDim.x; for (int j = 0; j < wide; j += 32) n += a[j];", ["j += 32"]),
        ("int wide = n; for (int j = 0; j < wide; j += 32) n += a[j];", []),
        ("int t = get_thread<A>(); for (int j = t; j < n; j += 32) n += a[j];", ["j += 32"]),
        ("int t = get_row<A>(); for (int j = t; j < n; j += 32) n += a[j];", []),
        ("int at = n; at = n * at + threadIdx.x % 32; while (n--) at += 32;", ["threadIdx.x % 32", "at += 32"]),
        ("int at = n; at = n * at + threadIdx.x % 64; while (n--) at += 32;", []),
        ("for (int j = 0; j < n; j += 32) { __syncwarp(); if (j + 32 < n) f(j); }", ["j += 32"]),
        ("for (int j = 0; j < n; j += 16) { __syncwarp(); if (j + 32 < n) f(j); }", []),
    ],
)
def test_steps_of_a_warp_count(body: str, expected: list[str]) -> None:
    assert found(f"__global__ void k(int n, int *a) {{ {body} }}") == expected


def test_a_place_for_each_warp_is_known_by_what_numbers_it() -> None:
    shared = "__shared__ float s[kParts / 32]; s[{}] = 0;"
    assert found(f"__global__ void k() {{ {shared.format('tile.meta_group_rank()')} }}") == ["kParts / 32"]
    assert found(f"__global__ void k() {{ {shared.format('get_warp_id()')} }}") == ["kParts / 32"]
    assert found(f"__global__ void k() {{ {shared.format('tile.thread_rank()')} }}") == []
    masks = "struct S {{ unsigned masks[kTile / 32]; }};\n__global__ void k(S s, int tid) {{ s.masks[tid >> {}] = 0; }}"
    assert found(masks.format(5)) == ["kTile / 32", "tid >> 5"]
    assert found(masks.format(4)) == []


def test_threads_are_known_through_casts_and_not_where_some_share_a_value() -> None:
    assert found("__global__ void k() { int lane = int(threadIdx.x) & 31; }") == ["int(threadIdx.x) & 31"]
    assert found("__global__ void k() { int lane = read(threadIdx.x) & 31; }") == []
    assert found("__global__ void k() { int row = threadIdx.x / 4; int in_tile = row % 32; }") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "template <int kPart = 32> __device__ int f(int v) { if (threadIdx.x >= kPart) return 0; return shfl(v); }",
            1,
        ),
        ("template <int kPart = 32> __device__ int f(int v) { if (v >= kPart) return 0; return shfl(v); }", 0),
        ("template <int kPart = 32> __device__ int f(int v) { if (threadIdx.x >= kPart) return 0; return sum(v); }", 0),
    ],
)
def test_the_default_of_a_size_that_splits_threads_counts(text: str, expected: int) -> None:
    assert len(found(text)) == expected


def test_lanes_above_a_thread_and_threads_of_macros_count() -> None:
    assert found("__global__ void k() { unsigned m = 0xFFFFFFFF << (threadIdx.x + 1); }") == [
        "0xFFFFFFFF << (threadIdx.x + 1)"
    ]
    assert found("__global__ void k() { unsigned m = 0xFFFF << (threadIdx.x + 1); }") == []
    assert found("#define BLOCK (WARPS << 5)\n__global__ void k();\n") == ["WARPS << 5"]
    assert found("#define BLOCK (ROWS << 5) // warp\n__global__ void k();\n") == []


def test_a_place_of_a_tile_that_steps_by_32_counts() -> None:
    loop = "for (int i = g.{}(); i < n; i += 32) a[i] = 0;"
    assert found(f"__global__ void k(int n, int *a) {{ {loop.format('thread_rank')} }}") == ["i += 32"]
    assert found(f"__global__ void k(int n, int *a) {{ {loop.format('row_rank')} }}") == []


def test_assertions_bound_lanes_where_lanes_are_compared_with_them() -> None:
    assert remarked("__global__ void k() { DG_STATIC_ASSERT(kParts <= 32); if (lane < kParts) f(); }") == [
        "kParts <= 32"
    ]
    assert remarked("__global__ void k() { LIMIT(kParts <= 32); if (lane < kParts) f(); }") == []
    assert remarked("__global__ void k() { static_assert(WarpShape::K % 32 == 0); }") == []


def test_the_constant_of_another_class_is_known_by_what_its_users_do_with_it() -> None:
    policy = "template <int W> struct Policy {{ static constexpr int groups = (W + 31) / 32; }};\n"
    loop = "constexpr int n = Policy<4>::groups; for (int g = 0; g < n; ++g) f(g * {} + lane);"
    kernel = f"__global__ void k(int lane) {{{{ {loop} }}}}"
    assert found((policy + kernel).format(32)) == ["(W + 31) / 32", "g * 32"]
    assert found((policy + kernel).format(16)) == []


def test_the_bound_of_a_function_called_after_shuffles_is_a_remark() -> None:
    text = "template <int N> __device__ int {}(int v) {{ assert(N <= 32); return sum(v); }}"
    bound = text.format("shuffle_sum").replace("<=", "==")
    assert remarked(bound) == ["N == 32"]
    assert remarked(bound.replace("shuffle_sum", "plain_sum")) == []


def test_a_member_that_is_64_for_other_gpus_is_a_setting() -> None:
    text = "void f(App *a, int n) {{ if (n) a->warpSize = 32; else a->warpSize = {}; }}"
    assert told(text.format(64)) == []
    assert "warpSize = 32" in told(text.format(16))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("__shared__ float s[BLOCK / 32]; reduce(s);", ["BLOCK / 32"]),
        ("__shared__ float s[kRow / 32]; reduce(s);", []),
        ("float s[BLOCK / 32]; reduce(s);", []),
        ("float v = threadIdx.x < kBlockSize / 32 ? s[0] : 0;", ["kBlockSize / 32"]),
        ("float v = n < kBlockSize / 32 ? s[0] : 0;", []),
    ],
)
def test_a_32nd_of_a_block_is_its_warps(body: str, expected: list[str]) -> None:
    assert found(f"__global__ void k(int n, float *s) {{ {body} }}") == expected


def test_the_block_of_a_macro_is_reported_in_warps() -> None:
    assert found("#define FIRST (threadIdx.x < (blockDim.x >> 5))\n__global__ void k();\n") == ["blockDim.x >> 5"]
    assert found("#define FIRST (threadIdx.x < (gridDim.x >> 5))\n__global__ void k();\n") == []


def test_warp_level_code_is_reached_by_way_of_other_functions() -> None:
    swap = "__device__ int swap_(int v) { return __shfl_xor_sync(~0u, v, 1); }\n"
    sort = "__device__ int sort_(int v) { return swap_(v) + 1; }\n"
    kernel = "__global__ void k(int *a) { int x = threadIdx.x % 32; a[x] = sort_(x); }\n"
    assert "threadIdx.x % 32" in told(swap + sort + kernel)
    assert "threadIdx.x % 32" not in told(swap + sort.replace("swap_(v)", "v") + kernel)
    assert told("__global__ void k(int *a) { int x = threadIdx.x % 32; a[x] = warpReduceMin(x); }") == [
        "threadIdx.x % 32"
    ]
    assert told("__global__ void k(int *a) { int x = threadIdx.x % 32; a[x] = rowReduceMin(x); }") == []


def test_warps_of_a_block_say_lanes_by_themselves() -> None:
    rows = "int row = (blockDim.x / 32) * blockIdx.x + (threadIdx.x / {}); a[row] = 0;"
    assert told(f"__global__ void k(int *a) {{ {rows.format(32)} }}") == ["blockDim.x / 32", "threadIdx.x / 32"]
    assert told(f"__global__ void k(int *a) {{ {rows.format(16)} }}") == []


def test_a_variable_called_warp_size_that_a_macro_makes_is_no_wave() -> None:
    text = "#define BEGIN(n) \\\n  const int {} = 32; \\\n  int lane = threadIdx.x & 31;\n"
    kernel = "__global__ void k(int *a) { BEGIN(1) a[warpSize * lane] = 0; }\n"
    assert told(text.format("warpSize") + kernel, "warp/mixed-size") == []
    assert "warpSize" in told("__global__ void m(int *a) { a[threadIdx.x & 31] = warpSize; }", "warp/mixed-size")
