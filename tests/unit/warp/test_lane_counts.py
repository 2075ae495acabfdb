"""Where code counts 32 lanes, each place beside one like it that counts something else."""

import pytest

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.warp.lane_code import NAMES
from cudamigrate.warp.lane_counts import counts
from cudamigrate.warp.lane_remarks import remarks

WORDS = frozenset(name.encode() for name in NAMES)


def found(text: str) -> list[str]:
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), WORDS)
    calls = [use.span.start for use in parsed.uses if use.name in NAMES]
    return [text[span.start : span.end] for span in sorted(set(counts(parsed, calls)))]


def remarked(text: str) -> list[str]:
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), WORDS)
    return [text[span.start : span.end] for span in sorted(set(remarks(parsed)))]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if (lane == 31) *a = 0;", ["lane == 31"]),
        ("if (n == 31) *a = 0;", []),
        ("if (lane == 32 - 1 || n) *a = 0;", ["lane == 32 - 1"]),
        ("if (n == 32 - 1 || n) *a = 0;", []),
        ("if (threadIdx.x < 32) *a = 0;", ["threadIdx.x < 32"]),
        ("int tid = threadIdx.y * blockDim.x + threadIdx.x; if (tid < 32) *a = 0;", ["tid < 32"]),
        ("int tid = threadIdx.x / 8; if (tid < 32) *a = 0;", []),
        ("if (n < 32) *a = 0;", []),
        ("for (int i = 1; i < 32; i *= 2) n += g.shfl_down(n, i);", ["i < 32"]),
        ("for (int i = 0; i < 32; i++) n += a[i];", []),
        ("for (int i = 1; i < 32; i *= 2) n += SHFL_UP(n, i);", ["i < 32"]),
        ("n = thread_cnt / 32;", ["thread_cnt / 32"]),
        ("n = kNWarps * 32;", ["kNWarps * 32"]),
        ("n = kNRows * 32;", []),
        ("n = kDecodeWarps * 32;", ["kDecodeWarps * 32"]),
        ("n = WARP_N * 32;", []),
        ("constexpr int row_stride_warp = 32 * 8 / 32;", ["32 * 8"]),
        ("constexpr int row_stride_tile = 32 * 8 / 32;", []),
        ("a[32 + lane] = n;", ["32 + lane"]),
        ("a[32 + n] = n;", []),
        ("n = lane + (blockIdx.y << 5);", ["blockIdx.y << 5"]),
        ("n = n + (blockIdx.y << 5);", []),
        ("constexpr int kWarpSize = least(kThreads, 32);", ["32"]),
        ("constexpr int kRow = least(kThreads, 32);", []),
        ("n = item_cnt / 32;", []),
        ("for (int i = lane; i < n; i += 32) a[i] = 0;", ["i += 32"]),
        ("for (int i = lane * 4; i < n; i += 32 * 4) a[i] = 0;", ["32 * 4"]),
        ("for (int i = 0; i < n; i += 32) a[i] = 0;", []),
        ("for (;;) { if (__any_sync(~0u, a[n])) break; n += 32; }", ["n += 32"]),
        ("int at = lane + n * 32;", ["n * 32"]),
        ("int at = n + n * 32;", []),
        ("copy(a, lane_id, 32, n);", ["32"]),
        ("copy(a, n, 32, n);", []),
        ("const int threads = 32 * num_warps; n = threads / 32;", ["32 * num_warps", "threads / 32"]),
        ("n = 32 * rows;", []),
        ("int behind = threadIdx.x - 32;", ["threadIdx.x - 32"]),
        ("int behind = n - 32;", []),
        ("if (threadIdx.x >= kThreads - 32) *a = 0;", ["kThreads - 32"]),
        ("if (n >= kThreads - 32) *a = 0;", []),
        (
            "if (threadIdx.x < 32) { a[n] += a[threadIdx.x + 32]; v = shfl(v); }",
            ["threadIdx.x < 32", "threadIdx.x + 32"],
        ),
        ("if (threadIdx.x < 32) { a[n] += a[threadIdx.x + 32]; }", []),
        ("unsigned m = __ballot_sync(~0u, n); int last = 31 - __clz(m);", ["31 - __clz(m)"]),
        ("unsigned m = n; int last = 31 - __clz(m);", []),
        ("int share = (n + 31) / 32; int first = lane_id * share;", ["(n + 31) / 32"]),
        ("int share = ceil_div(n, 32); int first = share * lane_id;", ["32"]),
        ("int share = (n + 31) / 32; int first = n * share;", []),
        ("int words = n / 32 * 3; int first = lane_id * words;", []),
        ("int parts = n >> 5; int row = (threadIdx.x >> 5) / parts;", ["n >> 5", "threadIdx.x >> 5"]),
        ("int w = threadIdx.x >> 5; int parts = n >> 5; int row = w / parts;", ["threadIdx.x >> 5", "n >> 5"]),
        ("int i = threadIdx.x % 8; int parts = n >> 5; int row = i / parts;", []),
        ("for (int i = 0; i < n / 32; ++i) a[i] = 0;", []),
        ("int w = threadIdx.x / 32; __shared__ int s[N / 32]; s[w] = 0;", ["threadIdx.x / 32", "N / 32"]),
        ("__shared__ int warp_sum[N / 32];", ["N / 32"]),
        ("__shared__ int words[N / 32]; words[n] = 0;", []),
        ("constexpr int kLaneStride = N * 32;", ["N * 32"]),
        ("constexpr int kStride = N * 32;", []),
        ("int wide = round_up(blockDim.x, 32u);", ["32u"]),
        ("int wide = round_up(n, 32u);", []),
        ("int t = threadIdx.x % 32; n = n + t + (n % 4) * 32;", ["threadIdx.x % 32", "(n % 4) * 32"]),
        ("int t = threadIdx.x % 8; n = n + t + (n % 4) * 32;", []),
        ("int threads = 32 * n / 4; int w = threads / 32;", ["32 * n", "threads / 32"]),
        ("int row = threadIdx.x * 8 / 32;", []),
        ("for (int i = threadIdx.x; i < n; i += 64) a[i / 32] = 0;", []),
        ("for (int i = threadIdx.x; i < n; i += 64) { int lane = i % 32; a[lane] = 0; }", ["i % 32"]),
        ("n = kNumThreads / 32;", ["kNumThreads / 32"]),
        ("n = kNumThreads / 16;", []),
        ("n = threadIdx.x % Traits::kWarpSize;", ["threadIdx.x % Traits::kWarpSize"]),
        ("int x = threadIdx.x & 31; for (int i = x; i < n; i += 32) a[i] = 0;", ["threadIdx.x & 31", "i += 32"]),
        ("int x = threadIdx.x & 15; for (int i = x; i < n; i += 32) a[i] = 0;", []),
        ("int w = threadIdx.x / 32; for (int i = w; i < n; i += 32) a[i] = 0;", ["threadIdx.x / 32"]),
        ("int row = threadIdx.x / 32; f(a + row * 32);", ["threadIdx.x / 32", "row * 32"]),
        ("int row = threadIdx.x / 8; f(a + row * 32);", []),
        ("int *s = a + (threadIdx.x / 32) * 32;", ["(threadIdx.x / 32) * 32", "threadIdx.x / 32"]),
        ("int *s = a + (n / 32) * 32;", []),
        ("n += 32 * (threadIdx.x / 32);", ["threadIdx.x / 32"]),
        ("int i = threadIdx.x; n = n > (i | 31);", ["i | 31"]),
        ("int i = threadIdx.x; n = n > (i | 31) || 31;", ["i | 31"]),
        ("n = n > (n | 31);", []),
        (
            "int x = threadIdx.x & (logicalWarpSize - 1); f(x + 32 * n);",
            ["threadIdx.x & (logicalWarpSize - 1)", "32 * n"],
        ),
        ("int x = threadIdx.x & (size - 1); f(x + 32 * n);", []),
        ("const int logicalWarpSize = n > 32 ? 32 : n;", ["n > 32 ? 32 : n"]),
        ("const int lineSize = n > 32 ? 32 : n;", []),
        ("const int warp_size = n > 32 ? 32 : 64;", []),
        ("int m = (n + 31) / 32 * 32; for (int i = 0; i < m; i += 8) f(i + lane);", ["(n + 31) / 32 * 32"]),
        ("int m = (n + 31) / 32 * 32; for (int i = 0; i < m; i += 8) f(i + n);", []),
        ("int y = threadIdx.x & 127; if (y < 32) n = 0; n = g.shfl_down(n, 1);", ["y < 32"]),
        ("int y = threadIdx.x % 128; if (y < 32) n = 0; n = g.shfl_down(n, 1);", ["y < 32"]),
        ("int y = threadIdx.x & 127; if (y < 32) n = 0;", []),
        ("int y = n & 127; if (y < 32) n = 0; n = g.shfl_down(n, 1);", []),
        ("int y = threadIdx.x / 128; if (y < 32) n = 0; n = g.shfl_down(n, 1);", []),
        ("if (lane_0 + n * 32 < 8) n = 0;", ["n * 32"]),
        ("if (row_0 + n * 32 < 8) n = 0;", []),
        ("sync(n * WARPS_N * 32);", ["n * WARPS_N * 32"]),
        ("sync(n * ROWS_N * 32);", []),
        ("n = a + warp_n * 32;", []),
        ("if (threadIdx.x == kWarpOfTable * 32) n = 0;", ["kWarpOfTable * 32"]),
        ("if (threadIdx.x == kRowOfTable * 32) n = 0;", []),
        ("if (n == kWarpOfTable * 32) n = 0;", []),
        ("int t = threadIdx.x + threadIdx.y * 32;", ["threadIdx.y * 32"]),
        ("int t = n + threadIdx.y * 32;", []),
        ("for (int i = threadIdx.x; i < n; i += 32) a[i] = 0;", ["i += 32"]),
        ("for (int i = blockIdx.x; i < n; i += 32) a[i] = 0;", []),
        ("if (threadIdx.x % 32 == 31) n = 0;", ["threadIdx.x % 32", "threadIdx.x % 32 == 31"]),
        ("if (threadIdx.x % 64 == 31) n = 0;", []),
        ("for (int i = 0; i < n; ++i) { n += a[lane]; a += 32; }", ["a += 32"]),
        ("for (int i = 0; i < n; ++i) { n += a[i]; a += 32; }", []),
        (
            "int t = threadIdx.x; if (t < 32) { for (int i = t; i < n; i += 32) n = 0; }",
            ["t < 32", "i += 32"],
        ),
    ],
)
def test_lanes_are_distinguished_from_other_numbers(body: str, expected: list[str]) -> None:
    assert found(f"__global__ void k(int n, int *a, int lane, int lane_id, int num_warps) {{ {body} }}") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("static_assert(warp_size == 32);", ["warp_size == 32"]),
        ('static_assert(kBlock == 32, "one warp");', ["kBlock == 32"]),
        ('static_assert(32 % kGroup == 0, "groups divide a warp");', ["32 % kGroup"]),
        ("static_assert(kBlock == 32);", []),
        ("assert(THREADS_PER_WARP == 32);", ["THREADS_PER_WARP == 32"]),
        ("assert(kThreads == 32);", []),
        ("f(THREADS_PER_WARP == 32);", []),
        ("static_assert(kWarpSize == 32 || kWarpSize == 64);", []),
        ('static_assert(kLanes <= 32, "no more lanes than a warp has");', []),
        ("static_assert(kParts <= 32); if (lane < kParts) f();", ["kParts <= 32"]),
        ("static_assert(kParts <= 32); if (column < kParts) f();", []),
        ("const unsigned all = 0xffffffff; const unsigned m = all >> 8; __syncwarp(m);", ["0xffffffff"]),
        ("const unsigned all = 0xffffffff; const unsigned m = 3; __syncwarp(m); f(all);", []),
    ],
)
def test_assertions_and_masks_are_remarks_where_they_speak_of_lanes(body: str, expected: list[str]) -> None:
    assert remarked(f"__global__ void k() {{ {body} }}") == expected


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("f(threadIdx.x);", ["n % 32"]),
        ("int t = threadIdx.x; f(t);", ["n % 32"]),
        ("f(threadIdx.x); f(3);", []),
        ("f(blockIdx.x);", []),
        ("", []),
    ],
)
def test_a_parameter_is_a_thread_where_all_calls_hand_one_over(calls: str, expected: list[str]) -> None:
    assert found(f"__device__ int f(int n) {{ return n % 32; }}\n__global__ void k() {{ {calls} }}") == expected


@pytest.mark.parametrize(
    ("parameter", "handed", "expected"),
    [
        ("template <int kWarps> __device__ int f(int n)", "f<kRow / 32>(1)", ["kRow / 32"]),
        ("template <typename T, int kWarps> __device__ T f(int n)", "f<int, kRow / 32>(1)", ["kRow / 32"]),
        ("template <int kWords> __device__ int f(int n)", "f<kRow / 32>(1)", []),
        ("__device__ int f(int n, int num_warps)", "f(1, kRow / 32)", ["kRow / 32"]),
        ("__device__ int f(int n, int words)", "f(1, kRow / 32)", []),
    ],
)
def test_a_quotient_counts_where_it_is_handed_over_as_warps(parameter: str, handed: str, expected: list[str]) -> None:
    assert found(f"{parameter} {{ return n; }}\n__global__ void k() {{ {handed}; }}") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("template <int kWidth = 32> __device__ int f(int v) { return warp_shuffle(v, kWidth); }", ["32"]),
        ("template <int kWidth = 32> __device__ int f(int v) { return v * kWidth; }", []),
        ("template <int kRows = 32> __device__ int f(int v) { return warp_shuffle(v, 0); }", []),
        ("template <> struct Sort<32> { __device__ int f(int v) { return __shfl_xor_sync(~0u, v, 1); } };", ["32"]),
        ("template <> struct Sort<32> { __device__ int f(int v) { return v; } };", []),
        ("template <> struct Sort<16> { __device__ int f(int v) { return __shfl_xor_sync(~0u, v, 1); } };", []),
    ],
)
def test_the_default_width_of_a_shuffle_counts(text: str, expected: list[str]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("WarpReduce(n, a, 32);", ["32"]),
        ("BlockReduce(n, a, 32);", []),
        ("kernels::warp_scan<int, 32>(a);", ["32"]),
        ("kernels::row_scan<int, 32>(a);", []),
        ("ShuffleReduce(n, a, min(n, 32));", ["32"]),
        ("ShuffleReduce(n, a, f(32));", []),
        ("load_warp_tile(a, 32);", []),
        ("cub::ShuffleIndex<32, int>(n, 31, ~0u);", ["32", "31"]),
        ("random_shuffle<32, int>(n, 31, ~0u);", []),
        ("copy(16, 32);", []),
    ],
)
def test_32_counts_where_it_is_handed_to_what_works_across_lanes(call: str, expected: list[str]) -> None:
    assert found(f"__global__ void k(int n, int *a, int v) {{ {call} }}") == expected


def test_a_full_mask_is_a_remark_where_a_shuffle_of_another_name_takes_it() -> None:
    assert remarked("__global__ void k(int n) { cub::ShuffleIndex<32>(n, 31, 0xffffffff); }") == ["0xffffffff"]
    assert remarked("__global__ void k(int n) { hash(n, 31, 0xffffffff); }") == []


def test_threads_are_known_by_their_name_in_macros() -> None:
    assert found("#define PLACE \\\n  const int at = (tid & 31) * 4;\n__global__ void k();\n") == ["tid & 31"]
    assert found("#define PLACE \\\n  const int at = (word & 31) * 4;\n__global__ void k();\n") == []


def test_an_assertion_in_a_class_of_warps_is_a_remark() -> None:
    body = "static constexpr int kThreadsPerRow = 32 / kRows; static_assert(32 % kRows == 0);"
    assert remarked(f"struct WarpTile {{ {body} __device__ int lane(); }};") == ["32 % kRows"]
    assert remarked(f"struct Tile {{ {body} __device__ int lane(); }};") == []


def test_a_parameter_that_is_called_a_thread_counts_as_one() -> None:
    assert found("__device__ int row(int tid) { return tid % 32; }") == ["tid % 32"]
    assert found("__device__ int row(int count) { return count % 32; }") == []


def test_thread_indices_are_known_where_the_tree_shows_no_function() -> None:
    broken = "BROKEN(<\nint tid = threadIdx.x;\nint lane = tid % 32;\nint rest = count % 32;\n"
    assert found(broken) == ["tid % 32"]


def test_members_of_other_structures_are_constants_too() -> None:
    text = "struct T { static constexpr int kLanes = 32; };\n__device__ int l() { return threadIdx.x % T::kLanes; }"
    assert found(text) == ["threadIdx.x % T::kLanes"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("template <int kWarpSize = 32> __device__ int l() { return threadIdx.x % kWarpSize; }", 1),
        ("template <int kWarpSize> __device__ int l() { return threadIdx.x % kWarpSize; }", 0),
        ("template <int kWarpSize> __device__ int l() { return threadIdx.x % kWarpSize; }\nint n = l<32>();", 1),
        ("template <int kWarpSize> __device__ int l() { return threadIdx.x % kWarpSize; }\nint n = l<64>();", 0),
        ("template <int kRow = 32> __device__ int l() { return threadIdx.x % kRow; }", 0),
    ],
)
def test_template_parameters_count_where_32_is_seen_to_reach_them(text: str, expected: int) -> None:
    assert len(found(text)) == expected


def test_host_code_and_conditions_of_directives_count_nothing() -> None:
    assert found("#if WARP * 32\n#endif\nvoid f(int lane) { if (lane == 31) return; }") == []


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("return __shfl_sync(~0u, v, l);", ["31"]),
        ("return __shfl(v, (l));", ["31"]),
        ("return __shfl_up_sync(~0u, v, l);", []),  # a distance, not the last lane
        ("return v * l + __shfl_sync(~0u, v, 0);", []),
        ("return v + l;", []),
    ],
)
def test_the_last_lane_goes_to_a_shuffle_through_a_function_of_any_name(body: str, places: list[str]) -> None:
    code = f"__device__ int pq(int v, int l) {{ {body} }} __global__ void k(int n) {{ n = pq(n, 31); }}"
    assert found(code) == places
