"""Which code works lane by lane, and for how many lanes it is written."""

import pytest

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.warp.cross_file_facts import summary
from cudamigrate.warp.lane_code import NAMES, Lanes

WORDS = frozenset(name.encode() for name in NAMES)
SUM_32 = "__device__ float sum(float v) { for (int o = 16; o; o /= 2) v += __shfl_down_sync(~0u, v, o); return v; }\n"
SUM_WAVE = SUM_32.replace("o = 16", "o = warpSize / 2")
TOTAL = """
__global__ void total(const float *in, float *out) {
    float v = sum(in[threadIdx.x]);
    if (threadIdx.x % warpSize == 0) atomicAdd(out, v);
}
void run(const float *in, float *out) { total<<<8, 128>>>(in, out); }
"""


def lanes(text: str, path: str = "a.cu") -> Lanes:
    return Lanes(cuda.parse(SourceFile(path, text.encode(), "cuda"), WORDS))


def whole(text: str) -> dict[str, bool]:
    return {unit.name: unit.whole for unit in lanes(text).units.values()}


def counts(text: str) -> list[str]:
    found = lanes(text)
    return [text[span.start : span.end] for unit in found.units.values() for span in unit.counts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SUM_32, {"sum": False}),
        (SUM_WAVE, {"sum": False}),
        (SUM_WAVE + "__global__ void k(float *a) { int w = threadIdx.x / 32; a[w] = sum(a[w]); }", None),
        (SUM_WAVE + "__global__ void k(float *a) { int w = threadIdx.x / warpSize; a[w] = sum(a[w]); }", False),
        (SUM_WAVE + "__global__ void k(float *a) { float v = sum(*a); a[threadIdx.x] = v; }", {"sum": False}),
        (SUM_WAVE + "__global__ void k(float *a) { float v = sum(*a); if (threadIdx.x == 0) *a = v; }", {"sum": False}),
        (
            SUM_WAVE + "__global__ void k(float *a) { __shared__ float s[8]; s[threadIdx.x / warpSize] = sum(*a); }",
            False,
        ),
        (
            SUM_WAVE + "__global__ void k(float *a) { __shared__ float s[32]; s[threadIdx.x / warpSize] = sum(*a); }",
            False,
        ),
        ("__device__ int n(int p) { return warpSize - __popc(__ballot_sync(~0u, p)); }", {"n": False}),
        ("__device__ int n(int p) { int warpSize = 8; return __shfl_sync(~0u, p, 0, warpSize); }", {"n": False}),
        ("__device__ int n(Info i, int p) { return __shfl_sync(~0u, p, i.warpSize); }", {"n": False}),
    ],
)
def test_code_that_nothing_proves_keeps_groups_of_32_lanes(text: str, expected: object) -> None:
    found = whole(text)
    if isinstance(expected, dict):
        assert found == expected
    else:
        assert set(found.values()) == {bool(expected)}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int l = threadIdx.x % 32;", ["threadIdx.x % 32"]),
        ("int tid = threadIdx.x; int w = tid / 32;", ["tid / 32"]),
        ("int n = (blockDim.x + 31) / 32;", ["(blockDim.x + 31) / 32"]),
        ("int l = lane_id & 31;", ["lane_id & 31"]),
        ("int first = threadIdx.x & ~31;", ["threadIdx.x & ~31"]),
        ("int first = warp_id * 32;", ["warp_id * 32"]),
        ("int bit = 1u << lane;", ["1u << lane"]),
        ("int b = n & 31; int c = words[n >> 5];", []),
        ("int t = threadIdx.x % 16;", []),
        ("int t = n * 32;", []),
    ],
)
def test_lane_arithmetic_is_distinguished_from_other_arithmetic(body: str, expected: list[str]) -> None:
    text = f"__global__ void k(int n, int *words) {{ {body} __syncwarp(); }}"
    assert counts(text) == expected


def test_host_arithmetic_counts_no_lanes() -> None:
    assert counts("int grid(int threads) { int warp = threads / 32; return warp * 32; }") == []


def test_constants_with_a_value_for_hip_mean_the_wave() -> None:
    text = "#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
    text += SUM_32.replace("o = 16", "o = WARP_SIZE / 2")
    assert whole(text) == {"sum": True}
    facts = summary(cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), WORDS))
    assert facts is not None and facts.ported == {"WARP_SIZE"} and facts.whole == {"sum"}


def test_a_file_without_lane_words_has_nothing_to_tell() -> None:
    parsed = cuda.parse(SourceFile("a.cu", b"__global__ void k(int *a) { *a = 1; }", "cuda"), WORDS)
    assert summary(parsed) is None and not parsed.has(Lanes)


@pytest.mark.parametrize("path", ["csrc/rocm/a.cu", "a_gfx942.cu", "src/k_cdna.cuh"])
def test_code_for_amd_is_known_by_its_path(path: str) -> None:
    assert lanes(SUM_32, path).native and not lanes(SUM_32, "csrc/rocmantic.cu").native


@pytest.mark.parametrize("cuda_text", ["#include <cuda_runtime.h>\n", "void f() { cudaFree(0); }\n"])
def test_a_path_is_no_evidence_against_the_text(cuda_text: str) -> None:
    assert not lanes(cuda_text + SUM_32, "csrc/rocm/a.cu").native
    assert lanes(f"// {cuda_text}" + SUM_32, "csrc/rocm/a.cu").native
    assert not lanes(SUM_32, "common/cuda_hip/a.cu").native  # for both vendors


def test_code_for_amd_is_known_by_what_it_calls() -> None:
    builtin = "__device__ int l() { return __builtin_amdgcn_mbcnt_lo(~0u, 0); }\n"
    assert lanes(builtin + SUM_32).native
    assert not lanes(f"#ifdef USE_ROCM\n{builtin}#endif\n{SUM_32}").native
    asked = "#if defined(RDNA) || defined(__gfx906__)\n#define FAST 1\n#endif\n"
    assert not lanes(asked + SUM_32).native
    assert lanes(asked + builtin + SUM_32).native


@pytest.mark.parametrize(
    ("guard", "counted"),
    [
        ("#ifdef LIB_AMD_WMMA", 0),
        ("#if A\n#elif defined(RDNA3) && B", 0),
        ("#ifdef LIB_AMD_WMMA\n#else", 1),
        ("#ifdef LIB_NO_HIP", 1),
        ("#if defined(LIB_AMD) || defined(LIB_NVIDIA)", 1),
        ("#ifdef LIB_DAMDING", 1),
    ],
)
def test_code_in_a_branch_for_amd_counts_no_lanes_of_cuda(guard: str, counted: int) -> None:
    text = f"__device__ int f() {{\n{guard}\nreturn threadIdx.x % 32;\n#endif\n}}"
    assert sum(len(unit.counts) for unit in lanes(text).units.values()) == counted


def test_a_coalesced_group_blocks_its_function_alone() -> None:
    text = SUM_32 + "__device__ int g(int v) { auto c = coalesced_threads(); return __shfl_sync(~0u, v, 0); }"
    assert [bool(unit.blocked) for unit in lanes(text).units.values()] == [False, True]


@pytest.mark.parametrize("guard", ["defined(USE_ROCM)", "defined(__AMDGCN__)"])
def test_a_size_of_64_for_hip_is_the_wave_whatever_it_is_called(guard: str) -> None:
    sizes = f"#if {guard}\nconstexpr int kLanes = 64;\n#else\nconstexpr int kLanes = 32;\n#endif\n"
    assert whole(sizes + SUM_32.replace("16", "kLanes / 2")) == {"sum": True}
    assert whole(sizes.replace("64", "16") + SUM_32.replace("16", "kLanes / 2")) == {"sum": False}
    assert whole(sizes.replace("kLanes", "kTile") + SUM_32.replace("16", "kTile / 2")) == {"sum": False}


@pytest.mark.parametrize(
    "needs",
    [
        "__shared__ float s[warpSize]; v += s[0];",
        "constexpr int w = warpSize; v += w;",
        "static_assert(warpSize > 1);",
        "if constexpr (warpSize == 32) v += 1;",
        "v += Size<warpSize>::value;",
        "enum { kSize = 2 * warpSize }; v += kSize;",
        "#pragma unroll warpSize\n for (int i = 0; i < 9; ++i) v += i;",
        "v += size<warpSize>();",
    ],
)
def test_a_wave_that_must_be_a_constant_is_one_of_32_lanes(needs: str) -> None:
    written = SUM_WAVE.replace("return v;", f"\n{needs}\nreturn v;")
    assert whole(written) == {"sum": False}


def test_a_proof_that_needs_no_edit_keeps_the_wave() -> None:
    assert whole(SUM_WAVE + TOTAL) == {"sum": True, "total": True}
    assert whole(SUM_WAVE + TOTAL.replace("128", "96")) == {"sum": False, "total": False}
    assert whole(SUM_WAVE + TOTAL.replace("atomicAdd", "atomicMax")) == {"sum": False, "total": False}
    assert whole(SUM_WAVE + TOTAL.replace("% warpSize", "% 32")) == {"sum": False, "total": False}


@pytest.mark.parametrize(
    "elsewhere",
    [
        "int threads(cudaDeviceProp p) { return p.warpSize; }",
        'void show(cudaDeviceProp p) { printf("%d", p.warpSize); }',
        "#ifdef __HIP_PLATFORM_AMD__\nint amd() { return 1; }\n#endif",
        "#ifdef USE_ROCM\n#define OTHER 1\n#endif",
    ],
)
def test_what_other_code_of_a_file_says_of_waves_and_of_hip_permits_nothing(elsewhere: str) -> None:
    assert whole(SUM_WAVE + elsewhere) == {"sum": False}


@pytest.mark.parametrize(
    ("port", "sum_wave"),
    [
        ("#ifdef USE_ROCM\n#define STEP(v, o) __shfl_down(v, o)\n#endif\n", "STEP(v, o)"),
        (
            "#ifdef USE_ROCM\n__device__ float step(float v, int o) { return __shfl_down(v, o); }\n#endif\n",
            "step(v, o)",
        ),
        ("", "\n#ifdef USE_ROCM\n__shfl_down(v, o)\n#else\n__shfl_down_sync(~0u, v, o)\n#endif\n"),
    ],
)
def test_a_function_that_is_written_for_amd_too_keeps_the_wave(port: str, sum_wave: str) -> None:
    ported = port + SUM_WAVE.replace("__shfl_down_sync(~0u, v, o)", sum_wave)
    assert whole(ported)["sum"]
    assert not whole(port + SUM_WAVE)["sum"]
