"""Each detector: a hit, and beside it what only looks like one."""

import re

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import SourceFile
from cudamigrate.pipeline import convert_file, inspect_file
from cudamigrate.pipeline.rule_tests import find_in_text


def found(text: str, rule: str, path: str = "a.cu") -> list[str]:
    """What a rule finds, or all rules of a group where `rule` ends in a slash."""
    data = text.encode()
    findings = find_in_text(text, path).findings
    hits = [f for f in findings if f.rule == rule or (rule.endswith("/") and f.rule.startswith(rule))]
    return [data[f.span.start : f.span.end].decode() for f in hits]


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
    hits = found(template.format(statement), "ptx/")
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
        (KERNEL.format("int warps = blockDim.x >> 5;"), ["blockDim.x >> 5"]),
        (KERNEL.format("int n = blockDim.x >> 5; __syncwarp();"), ["blockDim.x >> 5"]),
        (KERNEL.format("int n = blockDim.x >> 5; int column = threadIdx.x % 32;"), []),
        (KERNEL.format("int tid = threadIdx.x; int lane = tid % 32;"), ["tid % 32"]),
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
        ("#if !__CUDA_ARCH__\n#if __CUDA_ARCH__ < 600\n#endif\n", None),
        ("#if !__CUDA_ARCH__ || X\n", "#if !(defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)) || X\n"),
        ("#ifdef __CUDACC__\n#if __CUDACC_VER_MAJOR__ < 9\n#endif\n", None),
        ("#if defined(__CUDACC__) || defined(__HIPCC__)\n", None),
        ("#if __CUDA_ARCH__ >= 700\n", None),
        ("#ifdef __CUDACC_VER_MAJOR__\n", None),
        ("#if __CUDACC__\n", "#if (defined(__CUDACC__) || defined(__HIPCC__))\n"),
        ("#if(__CUDACC__)\n", "#if((defined(__CUDACC__) || defined(__HIPCC__)))\n"),
        ("#if X && !__CUDACC__ // by hand\n", "#if X && !(defined(__CUDACC__) || defined(__HIPCC__)) // by hand\n"),
        ("#if __CUDACC__ == X\n", None),
        ("#if AT_LEAST(__CUDACC__)\n", None),
    ],
)
def test_compiler_macro(before: str, after: str | None) -> None:
    text = before + "int x;\n#endif\n"
    assert find_in_text(text).after == (after or before) + "int x;\n#endif\n"


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("#if __CUDA_ARCH__ >= 700\n#endif\n", []),
        ("#if __CUDA_ARCH__ >= LEAST\n#endif\n", ["__CUDA_ARCH__ >= LEAST"]),
        ("#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 800)\n#endif\n", []),
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
        ("cudaDeviceProp p; bool a = (p.major == 1 && p.minor >= 3) || p.major >= 2;", []),
        ("cudaDeviceProp p; if (p.major < 3 || (p.major == 3 && p.minor < 5)) return;", []),
        ("cudaDeviceProp p; if (!(p.major >= 6) && fast) return;", []),
        (
            "cudaDeviceProp p; bool a = (p.major == 7 && p.minor >= 5) || 7 < p.major;",
            ["p.major == 7", "p.minor >= 5", "7 < p.major"],
        ),
        ("cudaDeviceProp p, q; bool a = (p.major == 9 || q.major != 9);", ["p.major == 9", "q.major != 9"]),
        ("cudaDeviceProp p; bool a = p.major >= 8 || fast;", ["p.major >= 8"]),
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
        (
            "cudaLaunchKernel<void(int)>(k, 1, 1, args);",
            "hipLaunchKernel(reinterpret_cast<const void*>(k), 1, 1, args);",
        ),
        (
            "bool b = n < cudaLaunchKernel((void *)k, (x > (y)), 1, args);",
            "bool b = n < hipLaunchKernel((void *)k, (x > (y)), 1, args);",
        ),
    ],
)
def test_function_pointer(before: str, after: str) -> None:
    head = "#include <hip/hip_runtime.h>\n"
    assert find_in_text(head + HOST.format(before)).after == head + HOST.format(after)


@pytest.mark.parametrize(
    ("path", "text", "count"),
    [
        ("a.cu", KERNEL.format("register int x = 1; register unsigned y;"), 2),
        ("a.cu", HOST.format("for (register int i = 0; i < 4; ++i) {}"), 1),
        ("a.cu", "void f(register int n) {}", 1),
        ("a.cu", "#define COUNTER register int i\n", 1),
        ("a.h", KERNEL.format("register int x = 1;"), 1),
        ("a.c", "#include <cuda_runtime.h>\nvoid f() { register int x = 1; }", 0),
        ("a.cu", '#define register\n#pragma register x\n#error register x\n// register int\nchar *s = "register";', 0),
        ("a.cu", HOST.format('register int x asm("r0"); int registers = 1; my_register(2);'), 0),
        ("a.cu", '__global__ void __launch_bounds__(1) k() { asm(".reg register"); }', 0),
    ],
)
def test_register_class(path: str, text: str, count: int) -> None:
    assert found(text, "build/register-class", path) == ["register"] * count
    if count:
        assert "register " not in find_in_text(text, path).after


@pytest.mark.parametrize(
    ("bounds", "second", "third", "after"),
    [
        ("256, 4", True, False, "256"),
        ("THREADS, MIN(2, 3)", True, False, "THREADS"),
        ("256, 4, 2", True, True, "256"),
        ("256, 1, 2", False, True, "256, 1"),
        ("256", False, False, "256"),
        ("256, 1", False, False, "256, 1"),
        ("f(1, 2), 0", False, False, "f(1, 2), 0"),
    ],
)
def test_launch_bounds(bounds: str, second: bool, third: bool, after: str) -> None:
    text = f"#include <hip/hip_runtime.h>\n__global__ void __launch_bounds__({bounds}) k() {{}}\n"
    assert bool(found(text, "launch/bounds-second-argument")) is second
    assert bool(found(text, "launch/bounds-third-argument")) is third
    assert find_in_text(text, unsafe=True).after == text.replace(bounds, after)


def test_launch_bounds_of_amd_code_are_left() -> None:
    text = "__global__ void __launch_bounds__(256, 4) k() {{ {} }}"
    assert found(text.format("__builtin_amdgcn_s_barrier();"), "launch/bounds-second-argument") == []
    assert found("#include <ck/ck.hpp>\n" + text.format(""), "launch/bounds-second-argument") == []
    assert found("#define __launch_bounds__(x, y)\n", "launch/bounds-second-argument") == []
    guarded = text.format("\n#ifdef USE_ROCM\n__builtin_amdgcn_s_barrier();\n#endif\n")
    assert len(found(guarded, "launch/bounds-second-argument")) == 1


@pytest.mark.parametrize(
    ("text", "launches", "calls"),
    [
        (KERNEL.format("child<<<1, 2>>>(p);"), 1, 0),
        ("__device__ void f(int *p) { child<<<1, 2>>>(p); cudaGetLastError(); }", 1, 1),
        (KERNEL.format("int *q; cudaMalloc(&q, 4); cudaFree(q); cudaMemcpyAsync(q, p, 4);"), 0, 3),
        (HOST.format("child<<<1, 2>>>(p); cudaDeviceSynchronize(); cudaGetLastError();"), 0, 0),
        (HOST.format("auto g = [=] __device__ (int i) { p[i] = i; }; child<<<1, 2>>>(p);"), 0, 0),
        ("__host__ __device__ void f(int *p) { child<<<1, 2>>>(p); cudaDeviceSynchronize(); }", 0, 0),
        ("#define SYNC() cudaDeviceSynchronize()\n", 0, 0),
        (KERNEL.format("int a = p[0] << 1; cudaStream_t s; my::cudaFree(p);"), 0, 0),
    ],
)
def test_device_call(text: str, launches: int, calls: int) -> None:
    assert len(found(text, "launch/dynamic-parallelism")) == launches
    assert len(found(text, "launch/runtime-call-on-device")) == calls


@pytest.mark.parametrize(
    ("path", "text", "spans"),
    [
        ("a.cu", '#include "cute/tensor.hpp"\n#include <cutlass/cutlass.h>\n', ['"cute/tensor.hpp"']),
        ("a.hpp", "#include <cutlass/cutlass.h>\n", ["<cutlass/cutlass.h>"]),
        ("a.cu", "using namespace cute;\ncutlass::half_t a;", ["using namespace cute"]),
        ("a.cu", "namespace cutlass { struct A; }", ["namespace cutlass"]),
        ("a.cu", "void f() { ::cutlass::Array<int, 2> a; }", ["cutlass::"]),
        ("a.cu", "CUTE_UNROLL\n", ["CUTE_UNROLL"]),
        ("a.cu", "#ifdef USE_ROCM\n#else\n#include <cutlass/cutlass.h>\n#endif\nint x;", []),
        ("a.cu", '#ifdef CUTLASS_ARCH\n#endif\n// cute::\nint cute; a.cutlass; char s[] = "cute::";', []),
        ("a.cu", "void f() { my_cute::g(); execute::h(); }", []),
    ],
)
def test_cutlass(path: str, text: str, spans: list[str]) -> None:
    assert found(text, "library/cutlass", path) == spans


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("void f() { cudaDeviceProp p; use(p.sharedMemPerMultiprocessor); }", ["sharedMemPerMultiprocessor"]),
        (
            "void f() { const cudaDeviceProp *a, *p = g(); use(p->sharedMemPerMultiprocessor); }",
            ["sharedMemPerMultiprocessor"],
        ),
        (
            "void f() { std::vector<cudaDeviceProp> p(2); p[g(1)].sharedMemPerMultiprocessor; }",
            ["sharedMemPerMultiprocessor"],
        ),
        ("void f() { auto *p = at::cuda::getCurrentDeviceProperties(); p->sharedMemPerMultiprocessor; }", None),
        ("void f() { at::cuda::getDeviceProperties(0)->sharedMemPerMultiprocessor; }", None),
        ("struct S { cudaDeviceProp p_; };\nvoid f(S s) { s.p_.sharedMemPerMultiprocessor; }", None),
        ("void f(cudaDeviceProp p) {}\nvoid g(Other p) { p.sharedMemPerMultiprocessor; }", []),
        ("void f() { cudaDeviceProp p; Other q; q.sharedMemPerMultiprocessor; }", []),
        ("void f() { cudaDeviceProp p; p.sharedMemPerBlock; p.sharedMemPerMultiprocessoral; }", []),
        ("void f() { cudaDeviceProp p; other(p).sharedMemPerMultiprocessor; (*p).sharedMemPerMultiprocessor; }", []),
        ("void f() { Other p; p.sharedMemPerMultiprocessor; }", []),
        ("void f() { cudaDeviceProp p; } // p.sharedMemPerMultiprocessor", []),
        (".sharedMemPerMultiprocessor ]->sharedMemPerMultiprocessor cudaDeviceProp", []),
    ],
)
def test_device_property(text: str, spans: list[str] | None) -> None:
    assert found(text, "memory/shared-memory-property") == (["sharedMemPerMultiprocessor"] if spans is None else spans)


def test_device_property_tells_members_apart() -> None:
    body = "cudaDeviceProp p; p.mpsEnabled; p.sparseCudaArraySupported; if (p.warpSize != 32) p.warpSize * 32;"
    assert found(HOST.format(body), "memory/missing-property") == ["mpsEnabled"]
    assert found(HOST.format(body), "memory/warp-size-test") == ["warpSize != 32"]
    assert "p.sparseHipArraySupported" in find_in_text(HOST.format(body)).after


@pytest.mark.parametrize(
    ("name", "more", "compute", "spans"),
    [
        ("cublasGemmEx", "", "CUDA_R_32F", ["CUDA_R_32F"]),
        ("cublasGemmBatchedEx", "count, ", "CUDA_R_64F", ["CUDA_R_64F"]),
        ("cublasGemmStridedBatchedEx", "s, count, ", "CUDA_R_32I", ["CUDA_R_32I"]),
        ("cublasGemmEx", "", "CUBLAS_COMPUTE_32F", []),
        ("cublasGemmEx", "", "type", []),
        ("cublasSgemmEx", "", "CUDA_R_32F", []),
    ],
)
def test_blas_compute_type(name: str, more: str, compute: str, spans: list[str]) -> None:
    fixed = "h, t, t, m, n, k, &a, A, CUDA_R_16F, m, B, CUDA_R_16F, k, &b, C, CUDA_R_16F, m"
    assert found(HOST.format(f"{name}({fixed}, {more}{compute}, algo);"), "library/blas-compute-type") == spans


@pytest.mark.parametrize(
    ("path", "text", "count"),
    [
        ("a.cu", KERNEL.format("assert(p); assert (p);"), 1),
        ("a.cuh", "__device__ void f() { assert(1); }", 1),
        ("a.cpp", KERNEL.format("assert(p);"), 1),
        ("a.h", "#ifdef __CUDACC__\n__device__ void f() { assert(1); }\n#endif", 0),
        ("a.cu", "#ifdef X\n#include <cassert>\n#endif\n" + KERNEL.format("assert(p);"), 0),
        ("a.cu", HOST.format("assert(p);"), 1),
        ("a.cu", KERNEL.format("static_assert(1); CUDA_KERNEL_ASSERT(p); x.assert(p); asserted(p); // assert(p)\n"), 0),
    ],
)
def test_assert_header(path: str, text: str, count: int) -> None:
    assert found(text, "build/assert-header", path) == ["assert"] * count
    assert find_in_text(text, path).after.count("#include <cassert>") == max(count, text.count("<cassert>"))


@pytest.mark.parametrize(
    ("path", "text", "count"),
    [
        ("a.h", KERNEL.format("") + HOST.format("memset(p, 0, isfinite(1.0));"), 1),
        ("a.h", HOST.format("memset(p, 0, isfinite(1.0));"), 0),
        ("a.h", "#ifdef __CUDACC__\n" + KERNEL.format("") + "\n#endif\n" + HOST.format("memset(p, 0, isnan(1.0));"), 0),
    ],
)
def test_what_nvcc_brings_is_added_to_headers_that_nvcc_alone_reads(path: str, text: str, count: int) -> None:
    text = f"#include <cuda_runtime.h>\n{text}\n"
    assert len(found(text, "build/string-header", path)) == count
    assert len(found(text, "build/host-classification", path)) == count


@pytest.mark.parametrize(
    ("statement", "hits"),
    [
        ("while (atomicCAS(p, 0, 1)) ;", 1),
        ("while (atomicExch(p, 1) != 0) { __nanosleep(10); }", 1),
        ("do { } while (atomicCAS(p, 0, 1) != 0);", 1),
        ("while (atomicCAS(p, 0, 1)) { break; }", 0),
        ("bool done = false; while (!done) { if (atomicCAS(p, 0, 1) == 0) { atomicExch(p, 0); done = true; } }", 0),
        ("if (threadIdx.x == 0) while (atomicCAS(p, 0, 1)) ;", 0),
        ("int old = atomicCAS(p, 0, 1);", 0),
        ("int old; do { old = atomicCAS(p, 0, 1); } while (old != 0);", 1),
        ("bool got = false; while (!got) got = atomicCAS(p, 0, 1) == 0;", 1),
        ("while (true) { if (atomicCAS(p, 0, 1) == 0) break; __nanosleep(20); }", 1),
        ("while (true) { if (atomicCAS(p, 0, 1) == 0) { *p = 2; break; } }", 0),
        ("if (threadIdx.x < 7) while (atomicCAS(p, 0, 1)) ;", 1),
        ("int lane = threadIdx.x % 32; if (lane == 0) while (atomicCAS(p, 0, 1)) ;", 1),
        ("if (threadIdx.x / 32 == 0 && threadIdx.x % 32 == 0) while (atomicCAS(p, 0, 1)) ;", 0),
        ("if (threadIdx.x != 0) return; while (atomicCAS(p, 0, 1)) ;", 0),
        ("if (threadIdx.x >= 9) return; while (atomicCAS(p, 0, 1)) ;", 1),
        ("int at = 0; while (atomicCAS(&p[at], 0, 1)) ++at;", 0),
        ("int seen; do { seen = *p; } while (atomicCAS(p, seen, seen + 1) != seen);", 0),
        ("while (atomicCAS(p, 0, 0)) ;", 0),
        ("volatile int *v = p; while (v[threadIdx.x - 1] == 0) ;", 1),
        ("volatile int *v = p; while (v[blockIdx.x - 1] == 0) ;", 0),
        ("volatile int *v = p; if (threadIdx.x) { while (*v == 0) ; } else *v = 1;", 1),
        ("volatile int *v = p; if (blockIdx.x) { while (*v == 0) ; } else *v = 1;", 0),
        ("volatile int *v = p; if (blockIdx.x) *v = 1; else while (*v == 0) ;", 0),
        ("volatile int *v = p; if (threadIdx.x) *v = 1; else while (*v == 0) ;", 1),
        ("__shared__ volatile int v; if (threadIdx.x) v = 1; else while (v == 0) ;", 1),
        ("int v = 0; if (threadIdx.x) v = 1; else while ((v = p[9]) == 0) ;", 0),
        ("const int leader = *p; if (leader == 0) while (atomicCAS(p, 0, 1)) ;", 1),
        ("const int mine = threadIdx.x; if (mine == 0) while (atomicCAS(p, 0, 1)) ;", 0),
        ("if (blockIdx.x * blockDim.x + threadIdx.x == *q) while (atomicCAS(p, 0, 1)) ;", 1),
        ("if (blockIdx.x * blockDim.x + threadIdx.x == gridDim.x - 1) while (atomicCAS(p, 0, 1)) ;", 0),
        ("if (threadIdx.x % gridDim.x == 0) while (atomicCAS(p, 0, 1)) ;", 1),
        ("int t = threadIdx.y * 16 + threadIdx.x; if (t == 16) while (atomicCAS(p, 0, 1)) ;", 1),
        ("int t = threadIdx.y * blockDim.x + threadIdx.x; if (t == 0) while (atomicCAS(p, 0, 1)) ;", 0),
        ("if (threadIdx.x == 0 && threadIdx.y == 0) while (atomicCAS(p, 0, 1)) ;", 0),
        ('int t; asm("mov.u32 %0, %%tid.x;" : "=r"(t)); if (t == 0) while (atomicCAS(p, 0, 1)) ;', 0),
        ('int t; asm("mov.u32 %0, %%tid.x;" : "=r"(t)); if (t < 2) while (atomicCAS(p, 0, 1)) ;', 1),
        ('int t; asm("mov.u32 %0, %%clock;" : "=r"(t)); if (t == 0) while (atomicCAS(p, 0, 1)) ;', 1),
        ("int tid = threadIdx.x; tid /= 2; if (tid == 0) while (atomicCAS(p, 0, 1)) ;", 1),
        ("while (atomicCAS(p, 0, 1)) { atomicAdd(q, 1); }", 1),
        ("while (atomicCAS(p, 0, 1)) { atomicAdd(p, 1); }", 0),
        ("while (atomicCAS(p, 0, 1)) { count_unlock(q); }", 1),
        ("while (atomicCAS(p, 0, 1)) { let_others(p); }", 0),
        ("constexpr int open = 0; while (atomicCAS(p, open, 1)) ;", 1),
        ("int open = *q; while (atomicCAS(p, open, 1)) ;", 1),
        ("int open = *q; while (atomicCAS(p, open, 1) != open) open = *q;", 0),
        ("int open = *q; while (atomicCAS(p, open, 1) != open) let_others(&open);", 0),
        ("int open = *q; while (atomicCAS_system(p, open + 1, 1) != open + 1) __threadfence();", 1),
        ("while (true) { int open = *q; if (atomicCAS(p, open, open + 1) == open) break; }", 0),
        ("int open = *q, got; while ((got = atomicCAS(p, open, open + 1)) != open) { open = got; }", 0),
        ("volatile int *v = p; int id = threadIdx.x; while (v[id - 1] == 0) ;", 1),
        ("volatile int *v = p; int lane_set = *q; while (v[lane_set - 1] == 0) ;", 0),
        ("volatile int *v = p; while (v[threadIdx.x + blockIdx.x] == 0) ;", 0),
        ("bool off = threadIdx.x / 32; if (off) *q = 1; else while (atomicCAS(p, 0, 1)) ;", 1),
        ("if (taken(q, 1)) *q = 1; else while (atomicCAS(p, 0, 1)) ;", 1),
        ("if (!(threadIdx.x == 0)) *q = 1; else while (atomicCAS(p, 0, 1)) ;", 0),
        ("int s = 0; while (atomicCAS(p + s, 0, 1)) s = (s + 1) % 3; q[s] += 1; atomicExch(p + s, 0);", 1),
        ("int s = 0; while (atomicCAS(p + s, 0, 1)) s = (s + 1) % 3; q[s] += 1; p[s] = 0;", 1),
        ("int s = 0; while (atomicCAS(p + s, 0, 1)) s = (s + 1) % 99; q[s] = 0; s = 0; atomicExch(q + s, 2);", 0),
        ('while (atomicCAS(p, 0, 1)) { asm volatile("st.release.gpu.u32 [%0], 0;" :: "l"(p)); }', 0),
        ('while (atomicCAS(p, 0, 1)) { asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(s) : "l"(p)); }', 1),
    ],
)
def test_lane_spin(statement: str, hits: int) -> None:
    assert len(found(KERNEL.format(statement), "warp/lane-spin")) == hits


@pytest.mark.parametrize(
    ("wait", "hits"),
    [
        ("while (atomicCAS(slot, free, item) != free) __threadfence();", 1),
        ("while ((got = atomicExch(slot, free)) == free) __threadfence();", 1),
        ("while ((free = atomicExch(slot, free)) == item) __threadfence();", 0),
        ("while ((got = atomicCAS(slot, free, item + free)) != free) free = got;", 0),
    ],
)
def test_a_place_that_is_free_by_what_a_function_is_given_is_waited_for(wait: str, hits: int) -> None:
    put = f"template <class T> __device__ void put(T *slot, const T &item, T free) {{ T got; {wait} }}\n"
    assert len(found(put + KERNEL.format("put(p + 1, *q, -1);"), "warp/lane-spin")) == hits


@pytest.mark.parametrize(("block", "hits"), [("dim3(64, 4)", 0), ("dim3(8, 8)", 1), ("256", 0), ("dim3(q[0], 8)", 0)])
def test_who_spins_is_asked_of_the_blocks_that_a_kernel_is_launched_with(block: str, hits: int) -> None:
    kernel = KERNEL.format("if (threadIdx.x == 0) while (atomicCAS(p, 0, 1)) ;")
    launch = HOST.format(f"k<<<1, {block}>>>(p);")
    assert len(found(f"{kernel}\n{launch}", "warp/lane-spin")) == hits


@pytest.mark.parametrize(
    ("statement", "changed"),
    [
        ("while (atomicCAS(p, 0, 1)) ; int v = p[1]; p[1] = v + 1; atomicExch(p, 0);", True),
        ("while (atomicExch(&p[2], 1) != 0) { } p[1] += 1; __threadfence(); p[2] = 0;", True),
        ("while (atomicCAS(p, 0, 1)) ; p[1] += 1; *p = 0; p[3] = 4;", True),
        ("while (atomicCAS(p, 0, 1)) ; __threadfence(); p[1] += 1; __threadfence(); atomicExch(p, 0);", True),
        ("while (atomicCAS(p, 0, 1)) ; int v = p[1]; atomicExch(p, 0); p[1] = v;", False),
        ("while (atomicCAS(p, 0, 1)) ; if (p[1]) return; atomicExch(p, 0);", False),
        ("while (atomicCAS(p, 0, 1)) ; p[1] += 1; atomicExch(p + 1, 0);", False),
        ("while (atomicCAS(p, 0, 1) && p[4]) ; p[1] += 1; atomicExch(p, 0);", False),
        ("while (atomicCAS(p, 0, 1)) ; p[1] += 1; if (p[2]) atomicExch(p, 0);", False),
        ("if (p) while (atomicCAS(p, 0, 1)) ; p[1] += 1; atomicExch(p, 0);", False),
    ],
)
def test_a_lock_is_let_go_in_the_turn_that_took_it(statement: str, changed: bool) -> None:
    findings = find_in_text(KERNEL.format(statement), "a.cu").findings
    (fix,) = [one.fix for one in findings if one.rule == "warp/lane-spin"]
    assert (fix is not None) == changed
    if fix is not None:
        assert fix.safety == "unsafe"
        made = convert_file.convert(
            SourceFile("a.cu", KERNEL.format(statement).encode(), "cuda"), findings
        ).after.decode()
        head, _, rest = made.partition("for (bool done = false; !done;) { if (!(atomic")
        taken, _, behind = rest.partition(" done = true; }")
        assert head and taken.count("{") == 1 and behind.startswith(" __builtin_amdgcn_wave_barrier(); }")
        assert taken.count("__threadfence();") == 2 and re.search(r"\{\s*__threadfence\(\);", taken)
        assert re.search(r"__threadfence\(\); (?:atomicExch\(p, 0\)|\*p = 0|p\[2\] = 0);$", taken)


def test_a_loop_whose_body_is_behind_a_pragma_does_not_wait() -> None:
    loop = "if (p[0]) s = p[1]; else for (int s = 0; s < 4; s++)\n%s  p[s] = atomicAdd(q, 1);\n"
    assert found(KERNEL.format(loop % "#pragma unroll\n"), "warp/lane-spin") == []
    waits = "__shared__ int s; if (p[0]) s = atomicAdd(p, 1); else while (s < 4) ;"
    assert len(found(KERNEL.format(waits), "warp/lane-spin")) == 1


def test_lanes_without_the_lock_wait_as_before() -> None:
    text = KERNEL.format("while (atomicCAS(p, 0, 1) != 0) { __nanosleep(9); } p[1] += 1; atomicExch(p, 0);")
    findings = find_in_text(text).findings
    made = convert_file.convert(SourceFile("a.cu", text.encode(), "cuda"), findings).after.decode()
    wait = "if (atomicCAS(p, 0, 1) != 0) { cudamigrate::nanosleep(9); } else { __threadfence(); p[1] += 1;"
    taken = f"{wait} __threadfence(); atomicExch(p, 0); done = true; }} __builtin_amdgcn_wave_barrier(); }}"
    assert f"for (bool done = false; !done;) {{ {taken}" in made


@pytest.mark.parametrize(("arch", "hits"), [("gfx942", 1), ("gfx1100", 0)])
def test_one_lane_of_each_warp_may_spin_where_a_wave_is_one(arch: str, hits: int) -> None:
    text = KERNEL.format("if (threadIdx.x % 32 == 0) while (atomicCAS(p, 0, 1)) ;")
    book = pipeline.rules(pipeline.target(Config(arch=(arch,))))
    findings = inspect_file.inspect(SourceFile("a.cu", text.encode(), "cuda"), book).findings
    assert [one.rule for one in findings].count("warp/lane-spin") == hits


@pytest.mark.parametrize(("body", "hits"), [("*lock = 0;", 0), ("atomicExch(lock, 0);", 0), ("__nanosleep(9);", 1)])
def test_a_function_that_gets_the_lock_is_looked_at(body: str, hits: int) -> None:
    function = f"__device__ void step(int *lock) {{ {body} }}\n"
    assert len(found(function + KERNEL.format("while (atomicCAS(p, 0, 1)) step(p);"), "warp/lane-spin")) == hits


def test_host_code_may_spin() -> None:
    assert found(HOST.format("while (atomicCAS(p, 0, 1)) ;"), "warp/lane-spin") == []


@pytest.mark.parametrize(("name", "hits"), [("std::array", 2), ("cuda::std::array", 0)])
def test_only_the_arrays_of_the_host_throw(name: str, hits: int) -> None:
    text = f"struct Lens {{ {name}<int, 3> held; }};\n" + KERNEL.format(
        f"{name}<int, 2> a{{}}; Lens lens; *p = a.at(1) + lens.held.at(2);"
    )
    assert len(found(f"#include <array>\nstd::array<int, 1> other;\n{text}", "math/host-std-function")) == hits
