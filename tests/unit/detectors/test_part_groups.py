"""Blocks that a branch for HIP makes smaller than a group of 32 lanes."""

import pytest

from cudamigrate.detectors.part_groups import find
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

KERNEL = """__global__ void total(const float *in, float *out) {
    __shared__ float part[32];
    float v = in[threadIdx.x];
    for (int by = 16; by; by /= 2) v += __shfl_xor_sync(~0u, v, by);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) for (int i = 0; i < blockDim.x / 32; ++i) *out += part[i];
}
"""


def branches(hip: str, cuda_side: str) -> str:
    return f"\n#ifdef USE_ROCM\n{hip}\n#else\n{cuda_side}\n#endif\n"


@pytest.mark.parametrize(
    ("sizes", "launch", "found"),
    [
        (branches("constexpr int few = 16;", "constexpr int few = 32;"), "few", ["16"]),
        (branches("#define FEW 16", "#define FEW 32"), "dim3(FEW)", ["16"]),
        (branches("#define FEW 16", "#define FEW 32"), "dim3(FEW, 2)", []),
        (branches("static int few() { return 8; }", "static int few() { return 64; }"), "few()", ["8"]),
        (
            f"static int few(int n) {{ {branches('int s[] = {16, 48, 64};', 'int s[] = {32, 64};')} return s[n]; }}",
            "dim3(few(n))",
            ["16 or 48"],
        ),
        (f"static int few() {{ {branches('return 16;', 'return 32;')} }}", "dim3(few(), 2)", []),
        (f"static int few() {{ {branches('return 16;', 'return 48;')} }}", "few()", []),
        (f"static int few(int n) {{ {branches('return n;', 'return 32;')} }}", "few(n)", []),
        ("static int few() { return 16; }", "few()", []),
    ],
)
def test_only_sizes_that_are_whole_groups_for_cuda_alone_are_reported(
    sizes: str, launch: str, found: list[str]
) -> None:
    text = f"{sizes}{KERNEL}void run(const float *in, float *out, int n) {{ total<<<n, {launch}>>>(in, out); }}\n"
    parsed = cuda.parse(SourceFile("k.cu", text.encode(), "cuda"), frozenset((b"__shfl_xor_sync",)))
    assert [hit.words["threads"] for hit in find(parsed)] == found
