"""Constants that say 32 lanes without being called a warp's size, and arrays through which lanes pass values on."""

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text


def found(text: str, rule: str = "warp/hardcoded-size") -> list[str]:
    data = text.encode()
    findings = [finding for finding in find_in_text(text).findings if finding.rule == rule]
    return [data[finding.span.start : finding.span.end].decode() for finding in findings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define FULL_MASK 0xffffffff // all lanes\n", ["FULL_MASK 0xffffffff"]),
        ("#define COLOUR_MASK 0xffffffff // no lanes\n", []),
        ("const unsigned kWarpReduceMask = 0xffffffff;", ["kWarpReduceMask = 0xffffffff"]),
        ("const unsigned kBlockReduceMask = 0xffffffff; // of a warp\n", []),
        (
            "constexpr unsigned MASK = ~0u;\n__device__ int f(int v) { return __any_sync(MASK, v); }",
            ["MASK = ~0u"],
        ),
        (
            "constexpr unsigned kFull = 0xffffffffu;\n__device__ int f(int v) { return __any_sync(kFull, v); }",
            ["kFull = 0xffffffffu"],
        ),
        (
            "constexpr unsigned kFull = 0xffffffffu;\n__device__ int f(int v) { return __any_sync(kAll, v & kFull); }",
            [],
        ),
        ("constexpr int kLaneIdMask = 0x1f;", ["kLaneIdMask = 0x1f"]),
        ("constexpr int kTagMask = 0x1f; // of a lane\n", []),
        (
            "__device__ int f(int v) { constexpr int kPerThread = kRow / 32; return __shfl_sync(~0u, v, kPerThread); }",
            ["kPerThread = kRow / 32"],
        ),
        ("__device__ int f(int v) { constexpr int kPerThread = kRow / 32; return v / kPerThread; } // lane\n", []),
        (
            "__device__ int f(int v) { constexpr int kPerThread = kRow / 32; return warp_sum(v, kPerThread); }",
            ["kPerThread = kRow / 32"],
        ),
        (
            "__device__ int f(int v) { constexpr int PER_LANE = kRow / 32u; return __shfl_sync(~0u, v, PER_LANE); }",
            ["PER_LANE = kRow / 32u"],
        ),
        ("struct WarpTile { static const int kThreads = 32; };", ["kThreads = 32"]),
        ("struct BlockTile { static const int kThreads = 32; };", []),
        ("constexpr int kWarps = kThreads / 32;", ["kThreads / 32"]),
        ("constexpr int kWarps = kRow / 32u;", ["kWarps = kRow / 32u"]),
        ("constexpr int kWords = kRow / 32u; // warp\n", []),
        ("constexpr int WARP_THREADS = 32;", ["WARP_THREADS = 32"]),
        ("const unsigned int WARP_REDUCE_SIZE = 32;", ["WARP_REDUCE_SIZE = 32"]),
        ("const unsigned int WARP_TILE_SIZE = 32;", []),
        ("constexpr int kWarp = 32;", ["kWarp = 32"]),
        ("constexpr int kWarpRows = 32;", []),
        ("constexpr int kLaneChunks = kMaxDim / 4 / 32;", ["kLaneChunks = kMaxDim / 4 / 32"]),
        ("constexpr int kRowChunks = kMaxDim / 4 / 32; // of a lane", []),
        (
            "#define W 32\n__device__ int f(int v) { for (int i = 1; i < W; i *= 2) v += __shfl_up_sync(~0u, v, i); }",
            ["W 32"],
        ),
        (
            "#define W 32\n__device__ int f(int v) { for (int i = 1; i < W; i *= 2) v += i; return __any(v); }",
            [],
        ),
        ("#define W 32\n__device__ int f(int v) { return __shfl_sync(~0u, v, 0, W); }", ["W 32"]),
        ("#define W 32\n__device__ int f(int v) { return __shfl_sync(~0u, v, W, 16); }", []),
        ("constexpr int TILE_THREADS = 32; // warp\n", []),
        ("constexpr int kBlock = N_WARPS * 32;", ["N_WARPS * 32"]),
        ("constexpr int kBlock = (N_IO_WARPS + N_WARPS) * 32;", ["(N_IO_WARPS + N_WARPS) * 32"]),
        ("constexpr int kBlock = (N_IO_ROWS + N_WARPS) * 32;", []),
        ("#define NTHR (NWARP * 32)\n", ["NWARP * 32"]),
        ("#define NTHR (NROW * 32) // warp\n", []),
        ("constexpr int kWarps = kRows * kColumns / (32 * 32);", []),
        ("constexpr int kRowsPerWarp = 32 / kThreadsPerRow;", ["kRowsPerWarp = 32"]),
        ("int launch(int threads) { int warps = threads / 32; return warps; }", []),
        ("#ifdef USE_ROCM\n#define FULL_MASK 0xffffffffffffffffull\n#else\n#define FULL_MASK 0xffffffff\n#endif\n", []),
    ],
)
def test_constants_that_represent_lanes(text: str, expected: list[str]) -> None:
    assert found("#include <cuda_runtime.h>\n" + text) == expected


def test_a_count_of_the_fragments_of_a_warp_needs_no_name() -> None:
    count = "__global__ void k(int *a) { int at = (threadIdx.x % 32) / 4; a[at] = 0; }\n"
    load = '__device__ void load() { asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {}, [];"); }\n// warp\n'
    assert found(count + "// warp\n") == []
    assert found(count + load) == ["threadIdx.x % 32"]


def test_files_for_amd_alone_have_no_constants_to_tell() -> None:
    text = "__device__ int id() { return __builtin_amdgcn_workitem_id_x(); }\nconstexpr int kWarpSize = 32;\n"
    assert found("#include <hip/hip_runtime.h>\n" + text) == []


def test_steps_are_reported_once_for_each_run_without_a_barrier() -> None:
    step = "s[t] += s[t + 8]; s[t] += s[t + 4];"
    text = f"__device__ void f(volatile int *s, int t) {{ {step} __syncthreads(); {step} }}"
    assert found(text, "warp/volatile-lanes") == ["s[t] += s[t + 8];"] * 2


def test_steps_on_the_host_are_no_lanes() -> None:
    text = "__global__ void k() {}\nvoid f(volatile int *s, int t) { s[t] += s[t + 8]; s[t] += s[t + 4]; }"
    assert found(text, "warp/volatile-lanes") == []


@pytest.mark.parametrize(
    ("launch", "count"),
    [
        ("dim3 b(16, 16); k<<<1, b>>>(a);", 1),
        ("k<<<1, dim3(8, 4)>>>(a);", 1),
        ("dim3 b(64, 4); k<<<1, b>>>(a);", 0),
        ("dim3 b(16); k<<<1, b>>>(a);", 0),
        ("dim3 b(n, 16); k<<<1, b>>>(a);", 0),
        ("dim3 b(16, 16); k<<<1, b>>>(a); k<<<1, 64>>>(a);", 0),
    ],
)
def test_rows_that_are_no_warps_are_seen_at_the_launch(launch: str, count: int) -> None:
    kernel = "__global__ void k(int *a) { int lane = threadIdx.x % 32; a[lane] = 0; }\n"
    assert len(found(f"{kernel}void f(int *a, int n) {{ {launch} }}", "warp/lane-in-plane")) == count


def test_a_lane_made_of_both_axes_is_one() -> None:
    text = "__global__ void k(int *a) { int lane = (threadIdx.x + 16 * threadIdx.y) % 32; a[lane] = 0; }\n"
    assert found(text + "void f(int *a) { k<<<1, dim3(16, 16)>>>(a); }", "warp/lane-in-plane") == []
