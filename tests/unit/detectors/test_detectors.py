"""Each detector: a hit, and beside it what only looks like one."""

import pytest

from migrate.pipeline import find_in_text


def found(text: str, rule: str, path: str = "a.cu") -> list[str]:
    data = text.encode()
    findings = find_in_text(text, path).findings
    return [data[f.span.start : f.span.end].decode() for f in findings if f.rule == rule]


KERNEL = "__global__ void k(int *p) {{ {} }}"
HOST = "void f(int *p) {{ {} }}"


@pytest.mark.parametrize(
    ("template", "statement", "spans"),
    [
        (KERNEL, 'asm("mov.u32 %0, %%laneid;" : "=r"(x));', ['asm("mov.u32 %0, %%laneid;" : "=r"(x))']),
        (KERNEL, 'asm volatile("{ .reg .pred p;\\n" "setp.ne.b32 p, %0, 0; }" :: "r"(x));', None),
        (KERNEL, 'asm volatile("" ::: "memory");', []),
        (KERNEL, 'asm volatile("// only a comment");', []),
        (KERNEL, 'asm volatile("s_waitcnt vmcnt(0)");', []),
        (HOST, 'asm("rdtsc" : "=a"(x));', []),
        ('#define A(x) asm("trap;" :: "r"(x))\n{}', "", ['asm("trap;" :: "r"(x))']),
    ],
)
def test_inline_ptx(template: str, statement: str, spans: list[str] | None) -> None:
    hits = found(template.format(statement), "ptx/inline-asm")
    assert len(hits) == 1 if spans is None else hits == spans


def test_inline_ptx_names_its_instructions() -> None:
    text = KERNEL.format('asm("{ .reg .f16 a;\\n cvt.rn.f16.f32 a, %1;\\n @p mov.b16 %0, a; }" : "=h"(x) : "f"(y));')
    (finding,) = find_in_text(text).findings[-1:]
    assert "cvt.rn.f16.f32, mov.b16" in finding.message


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        (KERNEL.format("int lane = threadIdx.x & 31;"), ["threadIdx.x & 31"]),
        (KERNEL.format("int warp = threadIdx.y / 32u;"), ["threadIdx.y / 32u"]),
        (KERNEL.format("int n = blockDim.x >> 5;"), ["blockDim.x >> 5"]),
        (KERNEL.format("int l = tid % 32;"), ["tid % 32"]),
        ("#define LANE (threadIdx.x & 0x1f)\n", ["threadIdx.x & 0x1f"]),
        ("#define WARP_SIZE 32\n", ["WARP_SIZE 32"]),
        ("constexpr int kWarpSize = 32;", ["kWarpSize = 32"]),
        ("static constexpr int THREADS_PER_WARP{32};", ["THREADS_PER_WARP{32"]),
        (KERNEL.format("int a = p[0] & 31; int b = count % 32; int c = tid % 320;"), []),
        (KERNEL.format("int a = s.tid % 32; int b = mytid % 32;"), []),
        (HOST.format("int grid = (n + 31) / 32; int rest = tid % 32;"), []),
        ("#define TILE_SIZE 32\nconstexpr int kWarpSize = 64;\nint warp_sizes[32];", []),
        ("// WARP_SIZE = 32\n", []),
    ],
)
def test_warp_size(text: str, spans: list[str]) -> None:
    assert found(text, "warp/hardcoded-size") == spans


@pytest.mark.parametrize(
    ("body", "spans"),
    [
        ("int n = __popc(__ballot_sync(m, p[0]));", ["__popc(__ballot_sync(m, p[0]))"]),
        (
            "unsigned b = __ballot_sync(m, p[0]); int n = __popc(b); int l = __ffs(b & q);",
            ["__popc(b)", "__ffs(b & q)"],
        ),
        ("unsigned b = p[0]; int n = __popc(b);", []),
        ("unsigned b = __ballot_sync(m, p[0]); int n = __popc(bits);", []),
    ],
)
def test_mask_count(body: str, spans: list[str]) -> None:
    assert found(KERNEL.format(body), "warp/mask-popcount") == spans


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#ifdef __CUDACC__\n", "#if defined(__CUDACC__) || defined(__HIPCC__)\n"),
        ("#ifndef __CUDACC__\n", "#if !(defined(__CUDACC__) || defined(__HIPCC__))\n"),
        ("# ifdef __NVCC__ // why\n", "# if defined(__NVCC__) || defined(__HIPCC__) // why\n"),
        ("#if defined(__CUDACC__) && X\n", "#if (defined(__CUDACC__) || defined(__HIPCC__)) && X\n"),
        ("#if defined __CUDACC__\n", "#if (defined(__CUDACC__) || defined(__HIPCC__))\n"),
        ("#ifdef __CUDA_ARCH__\n", "#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)\n"),
        ("#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700\n", None),
        ("#if defined(__CUDACC__) && __CUDACC_VER_MAJOR__ < 9\n", None),
        ("#ifdef __CUDA_ARCH__\n#if __CUDA_ARCH__ < 600\n#endif\n", None),
        ("#ifdef __CUDACC__\n#if __CUDACC_VER_MAJOR__ < 9\n#endif\n", None),
        ("#if defined(__CUDACC__) || defined(__HIPCC__)\n", None),
        ("#if __CUDA_ARCH__ >= 700\n", None),
        ("#ifdef __CUDACC_VER_MAJOR__\n", None),
        ("#if __CUDACC__\n", None),
    ],
)
def test_compiler_macro(before: str, after: str | None) -> None:
    text = before + "int x;\n#endif\n"
    assert find_in_text(text).after == (after or before) + "int x;\n#endif\n"


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("#if __CUDA_ARCH__ >= 700\n#endif\n", ["__CUDA_ARCH__ >= 700"]),
        ("#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 800)\n#endif\n", ["__CUDA_ARCH__ < 800"]),
        ("#if __CUDA_ARCH__ < 700 || defined(USE_ROCM)\n#endif\n", []),
        ("#ifdef __CUDA_ARCH__\n#endif\n", []),
        ("// __CUDA_ARCH__ >= 700\n", []),
    ],
)
def test_arch_gate(text: str, spans: list[str]) -> None:
    assert found(text, "build/arch-gate") == spans


@pytest.mark.parametrize(
    ("body", "spans"),
    [
        ("cudaDeviceProp p; bool a = p.major >= 8;", ["p.major >= 8"]),
        ("cudaDeviceProp *p; int sm = p->major * 10 + p->minor;", ["p->major * 10 + p->minor"]),
        ("Version v; bool a = v.major >= 8;", []),
        ("cudaDeviceProp p; int a = p.major; bool b = p.minors > 2;", []),
    ],
)
def test_device_major(body: str, spans: list[str]) -> None:
    assert found(HOST.format(body), "memory/device-major") == spans


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("#define C(n) cuda##n\n", ["cuda##n"]),
        ("#define C(n) cublas ## n\n", ["cublas ## n"]),
        ("#define C(n) my##n\n#define D(n) cudaish##n\n#define E(n) n##cuda\n", []),
    ],
)
def test_token_paste(text: str, spans: list[str]) -> None:
    assert found(text, "build/token-pasting") == spans


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.cu", "__global__ void k() {}\n", True),
        ("a.cuh", "#include <vector>\n__device__ int f();\n", True),
        ("a.h", "#pragma once\nvoid f(cudaStream_t s);\n", True),
        ("a.cu", "#include <cuda_runtime.h>\n__global__ void k() {}\n", False),
        ("a.cu", "#ifdef X\n#include <cuda_runtime.h>\n#endif\n__global__ void k() {}\n", True),
        ("a.cpp", "void f(cudaStream_t s);\n", False),
        ("a.h", "#ifdef __CUDACC__\n#define HD __device__\n#endif\n", False),
        ("a.cu", "int x;\n", False),
    ],
)
def test_runtime_header(path: str, text: str, expected: bool) -> None:
    assert bool(found(text, "build/implicit-runtime-header", path)) is expected
    assert ("#include <hip/hip_runtime.h>" in find_in_text(text, path).after) is (expected or "cuda_runtime" in text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("k<< <1, 2>> >(p);", "k<<<1, 2>>>(p);"),
        ("k<<<1, 2>> >(p);", "k<<<1, 2>>>(p);"),
        ("k<<<1, 2> >>(p);", "k<<<1, 2>>>(p);"),
        ("k<<<1, 2>>>(p);", "k<<<1, 2>>>(p);"),
        ("auto x = vector<vector<int> >(3);", "auto x = vector<vector<int> >(3);"),
    ],
)
def test_launch_spacing(before: str, after: str) -> None:
    head = "#include <hip/hip_runtime.h>\n"
    assert find_in_text(head + HOST.format(before)).after == head + HOST.format(after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("cudaFuncSetAttribute(k, a, 1);", "hipFuncSetAttribute(reinterpret_cast<const void*>(k), a, 1);"),
        ("cudaFuncSetAttribute((void *)k, a, 1);", "hipFuncSetAttribute((void *)k, a, 1);"),
        ("cudaFuncSetAttribute((const void*)k, a, 1);", "hipFuncSetAttribute((const void*)k, a, 1);"),
        (
            "cudaLaunchKernel(k<float, 2>, g, b, args, 0, s);",
            "hipLaunchKernel(reinterpret_cast<const void*>(k<float, 2>), g, b, args, 0, s);",
        ),
        ("cudaFuncGetAttributes(&a, k);", "hipFuncGetAttributes(&a, reinterpret_cast<const void*>(k));"),
        ("auto f = &cudaLaunchKernel;", "auto f = &hipLaunchKernel;"),
    ],
)
def test_function_pointer(before: str, after: str) -> None:
    head = "#include <hip/hip_runtime.h>\n"
    assert find_in_text(head + HOST.format(before)).after == head + HOST.format(after)
