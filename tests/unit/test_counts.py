"""Where code counts 32 lanes, each place beside one like it that counts something else."""

import pytest

from migrate.counts import counts
from migrate.frontends import cuda
from migrate.lanes import NAMES
from migrate.model import SourceFile
from migrate.values import Values

WORDS = frozenset(name.encode() for name in NAMES)


def found(text: str) -> list[str]:
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), WORDS)
    calls = [use.span.start for use in parsed.uses if use.name in NAMES]
    return [text[span.start : span.end] for span in sorted(set(counts(parsed, Values(parsed), calls)))]


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
        ("for (int i = lane; i < n; i += 32) a[i] = 0;", ["i += 32"]),
        ("for (int i = lane * 4; i < n; i += 32 * 4) a[i] = 0;", ["i += 32 * 4"]),
        ("for (int i = 0; i < n; i += 32) a[i] = 0;", []),
        ("for (;;) { if (__any_sync(~0u, a[n])) break; n += 32; }", ["n += 32"]),
        ("int at = lane + n * 32;", ["n * 32"]),
        ("int at = n + n * 32;", []),
        ("copy(a, lane_id, 32, n);", ["32"]),
        ("copy(a, n, 32, n);", []),
        ("const int threads = 32 * num_warps; n = threads / 32;", ["32 * num_warps", "threads / 32"]),
        ("n = 32 * rows;", []),
        ("static_assert(warp_size == 32);", ["warp_size == 32"]),
        ('static_assert(kBlock == 32, "one warp");', ["kBlock == 32"]),
        ("static_assert(kBlock == 32);", []),
        ("n = kNumThreads / 32;", ["kNumThreads / 32"]),
        ("n = kNumThreads / 16;", []),
        ("n = threadIdx.x % Traits::kWarpSize;", ["threadIdx.x % Traits::kWarpSize"]),
    ],
)
def test_lanes_are_told_from_other_numbers(body: str, expected: list[str]) -> None:
    assert found(f"__global__ void k(int n, int *a, int lane, int lane_id, int num_warps) {{ {body} }}") == expected


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
