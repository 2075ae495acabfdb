"""The declaration headers say what they are, have the names of the listing, and accept and refuse the right code."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import clang_parses
import pytest

from cudamigrate.compilation import toolchain
from cudamigrate.shipped_data import stand_ins
from tests.symbols import declare

FOLDER = stand_ins("declarations")
LISTING = Path(__file__).parents[4] / "fixtures" / "symbols" / "hip.tsv"
OTHERS = ("torch-headers",)
HEADERS = sorted(
    path.relative_to(FOLDER).as_posix()
    for path in FOLDER.rglob("*.h*")
    if path.relative_to(FOLDER).parts[0] not in OTHERS
)
COVERED = {
    "amdsmi": ["amd_smi/amdsmi.h"],
    "hipblas": ["hipblas/hipblas.h", "hipblas-common/hipblas-common.h"],
    "hipblaslt": ["hipblaslt/hipblaslt.h"],
    "hipdnn": ["hipdnn/backend/hipdnn_backend.h"],
    "hipfft": ["hipfft/hipfft.h"],
    "hipfile": ["hipfile.h"],
    "hiprand": ["hiprand/hiprand.h"],
    "hiprand_device": ["hiprand/hiprand_kernel.h", "hiprand/hiprand_mtgp32_host.h"],
    "hiprtc": ["hip/hiprtc.h"],
    "hipsolver": ["hipsolver/hipsolver.h"],
    "hipsparse": ["hipsparse/hipsparse.h"],
    "hipsparselt": ["hipsparselt/hipsparselt.h"],
    "hiptensor": ["hiptensor/hiptensor.h"],
    "rccl": ["rccl/rccl.h"],
    "roctx": ["roctracer/roctx.h"],
}
LEFT_OUT = {
    r"DEPRECATED_CUDA_\d+|HIPSPARSE_(NO_)?EXPORT|HIPSPARSE_DEPRECATED\w*|HIPRANDAPI": "decorates declarations",
    r"ROCTX_(API|CALL|EXPORT|IMPORT|H_|VERSION_4_1)\w*|HIPBLAS_OPERATION_DECLARED": "a header's own plumbing",
    r"HIPDNN_BEHAVIOR_NOTE_TYPES_DEFINED|HIPDNN_ERROR_STRING_MAX_LENGTH": "its value is in no wheel",
    r"HIPTENSOR_(MAJOR|MINOR|PATCH)_VERSION": "its value is in no wheel",
    r"hipsparseVersion\w+": "only in a release older than those aimed at",
    r"check_state_type|to_hiprand_status": "internal to the header",
    r"hiprandState(MRG32k3a|XORWOW)?_t": "made by a macro",
}
USES = {
    "half precision": """
        #include <hip/hip_fp16.h>
        __global__ void k(__half *h, __half2 *h2, float f) {
            h[0] = h[1] * h[2] + __float2half(f);
            h2[0] = __hfma2(h2[1], __half2half2(h[0]), h2[2]);
            float x = __half2float(h[0]) + (float)h[1];
            h[1] = __hmax(h[0], h[1]);
            h[2] = x;
            h[3] = __shfl_xor(h[0], 1, 32);
        }""",
    "bfloat16": """
        #include <hip/hip_bf16.h>
        __global__ void k(__hip_bfloat16 *b, __hip_bfloat162 *b2, float f) {
            b[0] = __float2bfloat16(f);
            b2[0] = __halves2bfloat162(b[0], b[1]) * b2[1];
            b[1] = b[0] + b[2];
            f = __bfloat162float(b[1]) + static_cast<float>(b[0]);
            __hip_bfloat16 zero(0.0f);
        }""",
    "cooperative groups": """
        #include <hip/hip_cooperative_groups.h>
        namespace cg = cooperative_groups;
        __global__ void k(int *a) {
            cg::thread_block block = cg::this_thread_block();
            auto tile = cg::tiled_partition<32>(block);
            auto part = cg::tiled_partition<8>(tile);
            cg::thread_block_tile<32> erased = tile;
            a[0] = tile.shfl_down(a[1], 4) + part.meta_group_rank() + block.group_index().x + erased.size();
            if (tile.any(a[2])) cg::this_grid().sync();
            cg::sync(block);
        }""",
    "8-bit floats on the GPU's own format": """
        #include <hip/hip_fp8.h>
        __global__ void k(__hip_fp8_e4m3_fnuz *p, float f) { p[0] = __hip_fp8_e4m3_fnuz(f); f = p[1]; }""",
    "hipCUB": """
        #include <hipcub/hipcub.hpp>
        template <int B> __global__ void k(float *a) {
            using Reduce = hipcub::BlockReduce<float, B>;
            __shared__ typename Reduce::TempStorage storage;
            a[0] = Reduce(storage).Reduce(a[1], hipcub::Max()) + Reduce(storage).Sum(a[2]);
        }
        template __global__ void k<128>(float *);
        void f(float *a, int *k, int n, hipStream_t s) {
            size_t bytes = 0;
            hipcub::DeviceScan::ExclusiveSum(nullptr, bytes, a, a, n, s);
            hipcub::DeviceRadixSort::SortPairs(nullptr, bytes, k, k, a, a, n, 0, 32, s);
            hipcub::DeviceReduce::Reduce(nullptr, bytes, a, a, n, [](float x, float y) { return x + y; }, 0.0f, s);
            hipcub::DeviceReduce::Reduce(a, a, n, hipcub::Sum(), 0.0f);
        }""",
    "hipCUB's allocator as a base": """
        #include <hipcub/util_allocator.hpp>
        struct pool : hipcub::CachingDeviceAllocator {
            size_t held(void *p) {
                std::lock_guard<std::mutex> hold(mutex);
                BlockDescriptor key(p, INVALID_DEVICE_ORDINAL);
                for (BusyBlocks::iterator at = live_blocks.find(key); at != live_blocks.end(); ++at)
                    if (at->bin != INVALID_BIN && BlockDescriptor::PtrCompare(*at, key)) return at->bytes;
                return max_cached_bytes == INVALID_SIZE ? cached_bytes[0].free : IntPow(bin_growth, 2);
            }
        };""",
    "hipCUB's loads by warps": """
        #include <hipcub/hipcub.hpp>
        template <int B, hipcub::BlockLoadAlgorithm A> __global__ void k(float *a) {
            using Load = hipcub::BlockLoad<float, B, 4, A>;
            __shared__ typename Load::TempStorage storage;
            float items[4];
            Load(storage).Load(a, items);
        }
        template __global__ void k<128, hipcub::BLOCK_LOAD_WARP_TRANSPOSE>(float *);
        template __global__ void k<32, hipcub::BLOCK_LOAD_TRANSPOSE>(float *);""",
    "rocThrust": """
        #include <thrust/device_vector.h>
        #include <thrust/execution_policy.h>
        #include <thrust/sort.h>
        #include <thrust/transform_reduce.h>
        struct Square { __host__ __device__ float operator()(float x) const { return x * x; } };
        float f(hipStream_t s) {
            thrust::device_vector<float> v(8, 1.0f);
            thrust::sort(thrust::hip::par.on(s), v.begin(), v.end(), thrust::greater<float>());
            thrust::sort(thrust::device.on(s), v.begin(), v.end());
            float *p = thrust::raw_pointer_cast(v.data());
            return thrust::transform_reduce(p, p + 8, Square(), 0.0f, thrust::plus<float>()) + v[0];
        }""",
    "memory by Thrust's backend": """
        #include <thrust/system/hip/vector.h>
        char *take(size_t n) { return thrust::hip::malloc<char>(n).get(); }
        void give(char *p) { thrust::hip::free(thrust::hip::pointer<char>(p)); }""",
    "memory that is freed by the tag of its system": """
        #include <thrust/host_vector.h>
        template <class Space> struct Gives { void operator()(const int *p) { thrust::free(Space(), (void *)p); } };
        void give(int *p) { Gives<thrust::device_system_tag>()(p); Gives<thrust::host_system_tag>()(p); }
        thrust::device_system_tag tag{};
        int *take(size_t n) { return thrust::malloc<int>(thrust::device, n).get(); }""",
    "random numbers": """
        #include <hiprand/hiprand_kernel.h>
        __global__ void k(hiprandState_t *s, hiprandStatePhilox4_32_10_t *p, float4 *out) {
            hiprand_init(1234ULL, threadIdx.x, 0, s);
            out[0] = hiprand_uniform4(p);
            out[1].x = hiprand_normal(s);
        }
        void f(hiprandGenerator_t *g) { hiprandCreateGenerator(g, HIPRAND_RNG_PSEUDO_DEFAULT); }""",
    "C libraries": """
        #include <hipblas/hipblas.h>
        #include <hipfft/hipfftXt.h>
        #include <hipsolver/hipsolver.h>
        #include <hipsparse/hipsparse.h>
        #include <rccl/rccl.h>
        void f(hipblasHandle_t h, float *a, hipfftComplex *c, hipfftHandle plan, ncclComm_t comm, hipStream_t s) {
            float one = 1;
            hipblasSgemm(h, HIPBLAS_OP_N, HIPBLAS_OP_T, 1, 1, 1, &one, a, 1, a, 1, &one, a, 1);
            hipfftExecC2C(plan, c, c, HIPFFT_FORWARD);
            ncclAllReduce(a, a, 1, ncclFloat, ncclSum, comm, s);
            ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
            config.blocking = 0, config.CTAPolicy = NCCL_CTA_POLICY_EFFICIENCY;
            ncclWindow_t window;
            ncclCommWindowRegister(comm, a, 4, &window, NCCL_WIN_COLL_SYMMETRIC);
            static_assert(HIPBLAS_OP_N == 111 && HIPFFT_FORWARD == -1, "values as in the library");
        }""",
    "OpenCL": """
        #include <CL/opencl.h>
        cl_mem f(cl_context c, cl_command_queue q, cl_kernel k, size_t n, const float *a) {
            cl_int status = CL_SUCCESS;
            cl_mem made = clCreateBuffer(c, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, n, (void *)a, &status);
            cl_event done;
            clSetKernelArg(k, 0, sizeof made, &made);
            if (clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, &done) != CL_SUCCESS) return NULL;
            cl_ulong start;
            clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
            return clEnqueueReadBuffer(q, made, CL_TRUE, 0, n, &start, 0, NULL, NULL) ? NULL : made;
        }""",
    "the helpers of NVIDIA's samples": """
        #include <hip/hip_runtime.h>
        #include <helper_functions.h>
        #include <helper_cuda.h>
        int main(int argc, char **argv) {
            StopWatchInterface *timer = NULL;
            sdkCreateTimer(&timer);
            int device = findCudaDevice(argc, (const char **)argv);
            checkCudaErrors(hipSetDevice(device));
            getLastCudaError("after");
            sdkStartTimer(&timer);
            timer->stop();
            if (checkCmdLineFlag(argc, (const char **)argv, "wait")) exit(EXIT_WAIVED);
            float took = sdkGetTimerValue(&timer) + timer->getTime();
            return sdkDeleteTimer(&timer) && took > 1;
        }""",
    "a swap in a kernel": """
        #include <thrust/swap.h>
        __global__ void k(int *a, float2 *b) { thrust::swap(a[0], a[1]); thrust::swap(b[0], b[1]); }
        void f(int &a, int &b) { thrust::swap(a, b); }""",
    "complex numbers in shared memory": """
        #include <thrust/complex.h>
        __global__ void k(thrust::complex<float> *o) {
            __shared__ thrust::complex<float> s[8][8];
            __shared__ thrust::complex<double> t;
            o[0] = s[0][0] + thrust::complex<float>(t.real());
        }""",
}
FAULTS = {
    "a lock of old CUB": (
        """#include <hipcub/util_allocator.hpp>
        struct pool : hipcub::CachingDeviceAllocator { void hold() { mutex.Lock(); } };""",
        "no member named 'Lock' in 'std::mutex'",
    ),
    "a pair in shared memory": (
        "#include <thrust/pair.h>\n"
        "__global__ void k(int *o) { __shared__ thrust::pair<int, float> s; o[0] = s.first; }",
        "initialization is not supported",
    ),
    "a reduction that HIP 7.1 lacks": (
        "#include <hip/hip_cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        "__device__ int f(int v) { return cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), v, 1); }",
        "no member named 'reduce'",
    ),
    "a tile wider than a wavefront": (
        "#include <hip/hip_cooperative_groups.h>\n__device__ void f() {\n"
        "cooperative_groups::tiled_partition<128>(cooperative_groups::this_thread_block()); }",
        "not larger than a wavefront",
    ),
    "half operators that are switched off": (
        "#define __HIP_NO_HALF_OPERATORS__ 1\n#define __HIP_NO_HALF_CONVERSIONS__ 1\n#include <hip/hip_fp16.h>\n"
        "__device__ __half f(__half a, __half b) { return a + b; }",
        "invalid operands",
    ),
    "a device function called by the host": (
        "#include <hip/hip_fp16.h>\n__half f(__half a) { return hexp(a); }",
        "no matching function",
    ),
    "half a wavefront where hipCUB stores by warps": (
        "#include <hipcub/hipcub.hpp>\n"
        "template <int B, int N> __global__ void k(float *a) {\n"
        "    using Store = hipcub::BlockStore<float, B / N, N, hipcub::BLOCK_STORE_WARP_TRANSPOSE>;\n"
        "    __shared__ typename Store::TempStorage storage;\n"
        "    float items[N];\n"
        "    Store(storage).Store(a, items);\n"
        "}\n"
        "template __global__ void k<256, 8>(float *);",
        "a block is a multiple of the wavefront",
    ),
    "the other format of 8-bit floats in a kernel": (
        "#include <hip/hip_fp8.h>\n__global__ void k(float f) { __hip_fp8_e4m3 x(f); }",
        "no matching constructor",
    ),
    "a float where a handle belongs": (
        "#include <hipblas/hipblas.h>\nvoid f(float x) { hipblasDestroy(x); }",
        "no matching function",
    ),
    "CUDA's number for a mode": (
        "#include <hipblas/hipblas.h>\nvoid f(hipblasHandle_t h) { hipblasSetPointerMode(h, 1); }",
        "no matching function",
    ),
    "a seed for a quasi-random state": (
        "#include <hiprand/hiprand_kernel.h>\n"
        "__device__ void f(hiprandStateSobol32_t *s) { hiprand_init(1ULL, 0ULL, 0ULL, s); }",
        "starts from a seed",
    ),
    "a buffer of OpenCL where a kernel belongs": (
        "#include <CL/cl.h>\nvoid f(cl_mem m) { clReleaseKernel(m); }",
        "no matching function",
    ),
    "a timer of the samples without its address": (
        "#include <helper_timer.h>\nvoid f(StopWatchInterface *t) { sdkStartTimer(t); }",
        "no matching function",
    ),
    "a raw pointer where rocThrust takes its own": (
        "#include <thrust/system/hip/memory.h>\nvoid f(char *p) { thrust::hip::free(p); }",
        "no viable conversion",
    ),
    "memory that is freed by no system": (
        "#include <thrust/memory.h>\nvoid f(int *p) { thrust::free(3, p); }",
        "no matching function",
    ),
    "the host's swap in a kernel": (
        "#include <thrust/swap.h>\n#include <utility>\n__global__ void k(int *a) { std::swap(a[0], a[1]); }",
        "no matching function",
    ),
    "a namespace that rocThrust lacks": (
        "#include <thrust/sort.h>\nvoid f(int *p) { thrust::sort(thrust::cuda::par, p, p + 1); }",
        "'cuda'",
    ),
}


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_says_that_it_is_not_the_librarys_own(header: str) -> None:
    lines = (FOLDER / header).read_text(encoding="utf-8").splitlines()
    assert re.fullmatch(r"// cudamigrate declarations: .+; not the library's own header", lines[0])
    assert lines[1].startswith(("#ifndef CUDAMIGRATE_DECLARES_", "#pragma once"))


def test_the_headers_stay_small() -> None:
    assert sum((FOLDER / header).stat().st_size for header in HEADERS) < 1_000_000


@pytest.mark.parametrize("library", COVERED)
def test_every_listed_name_of_a_library_is_declared(library: str) -> None:
    text = "\n".join((FOLDER / header).read_text(encoding="utf-8") for header in COVERED[library])
    declared = set(re.findall(r"\w+", text))
    with LISTING.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    names = {row["symbol"] for row in rows if row["library"] == library}
    assert names
    assert [name for name in sorted(names - declared) if not re.fullmatch("|".join(LEFT_OUT), name)] == []


def test_bindings_become_declarations() -> None:
    source = """
    cdef int FOO_MAJOR
    ctypedef enum fooMode_t:
        FOO_ON
        FOO_OFF
    cdef struct foo_union_0:
        int unused
    cdef struct foo:
        uint8_t data[4]
    ctypedef foo * foo_t
    ctypedef unsigned int[32] fooTable_t
cdef fooMode_t fooSet(foo_t f,const char *const * names,bint on) except? FOO_OFF nogil
cdef bint __foo_has_symbol(const char* name) noexcept nogil
"""
    assert dict(declare.declared(source, {"FOO_MAJOR": 3, "FOO_ON": -1})) == {
        "FOO_MAJOR": "#define FOO_MAJOR 3",
        "fooMode_t": "enum fooMode_t { FOO_ON = -1, FOO_OFF };",
        "foo": "struct foo { uint8_t data[4]; };",
        "foo_t": "typedef foo *foo_t;",
        "fooTable_t": "typedef unsigned int fooTable_t[32];",
        "fooSet": "fooMode_t fooSet(foo_t f, const char *const *names, bool on);",
    }


@pytest.mark.parametrize("use", USES)
def test_right_code_type_checks(use: str) -> None:
    assert list(_errors(USES[use])) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_wrong_code_is_refused(fault: str) -> None:
    code, message = FAULTS[fault]
    assert any(message in error for error in _errors(code)), list(_errors(code))


def test_the_headers_stand_together_in_either_order() -> None:
    own = [name for name in HEADERS if "cudamigrate/" not in name]
    for order in (own, own[::-1]):
        assert list(_errors("".join(f"#include <{name}>\n" for name in order))) == []


def _errors(code: str) -> Iterator[str]:
    """What clang says of `code` for gfx942, then for the host, which is not asked where the first is enough."""
    try:
        version("libclang-ng")
    except PackageNotFoundError:
        pytest.skip("libclang-ng, the clang of the embedded engine, is not installed")
    headers = toolchain.hip_headers("7.1")
    if headers is None:
        pytest.skip("no HIP headers are available")
    for side in (["--cuda-device-only", "--offload-arch=gfx942"], ["--cuda-host-only", "--offload-arch=gfx942"]):
        options = ["-x", "hip", "-nogpulib", "-nogpuinc", "-std=c++17", "-D__HIP_PLATFORM_AMD__=1", "-w"]
        options += ["-include", "__clang_hip_runtime_wrapper.h", "-ferror-limit=0"]
        options += [option for folder in (*headers.folders, FOLDER) for option in ("-isystem", str(folder))]
        tree = clang_parses.parsed("a.hip", [*options, *side], code)
        yield from (str(entry.spelling) for entry in tree.diagnostics if entry.severity >= 3)
