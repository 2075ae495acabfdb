"""Shapes of public code that say nothing to a list of names: each is changed, or a finding says what to do."""

from __future__ import annotations

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text

RT = "#include <cuda_runtime.h>\n"
BLAS = "#include <cublas_v2.h>\n"
GEMM = BLAS + (
    "void f(cublasHandle_t h, const void *a, void *c, const float *s) { cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, "
    "1, 1, s, a, CUDA_R_16F, 1, a, CUDA_R_16F, 1, s, c, CUDA_R_16F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT); }\n"
)
LONG = BLAS + "void f(cublasHandle_t h, const float *x, float *r) { cublasSnrm2_64(h, 1, x, 1, r); }\n"


def found(text: str, path: str = "a.cu", rocm: str = "7.1", arch: str = "gfx90a") -> tuple[str, set[str]]:
    """The text with every safe change, and the rules of what is left to a person."""
    done = find_in_text(text, path, Config(arch=(arch,), style="hip", rocm=rocm))
    return done.after, {finding.rule for finding in done.findings if finding.fix is None}


@pytest.mark.parametrize(
    ("text", "made"),
    [
        pytest.param(BLAS + "__nv_bfloat16 *x;\n", "#include <hip/hip_bf16.h>", id="bf16 that cuBLAS brings"),
        pytest.param(BLAS + "__global__ void k(__half *x) {}\n", "#include <hip/hip_fp16.h>", id="half it brings"),
        pytest.param("typedef ::cub::BlockRadixSort<int, 128, 4> Sort;\n", "typedef ::hipcub::BlockRadixSort", id="::"),
        pytest.param("void f() { ::cudaStream_t s; }\n", "::hipStream_t", id=":: before a type"),
        pytest.param("volatile cudaError_t e;\n", "volatile hipError_t", id="volatile"),
        pytest.param("class B { public: cudaStream_t s; };\n", "public: hipStream_t", id="public:"),
        pytest.param("class B { mutable cudaEvent_t e; };\n", "mutable hipEvent_t", id="mutable"),
        pytest.param("class B { friend cudaError_t g(); };\n", "friend hipError_t", id="friend"),
        pytest.param("void f() { do cudaDeviceSynchronize(); while (0); }\n", "do hipDeviceSynchronize", id="do"),
        pytest.param(RT + "bool f(double x) { return isfinite(x); }\n", "std::isfinite(x)", id="isfinite on the host"),
        pytest.param(RT + "__global__ void k(int *x) { register int a = 1; *x = a; }\n", "{ int a = 1;", id="register"),
        pytest.param(
            "#include <thrust/device_vector.h>\nvoid f(thrust::device_vector<int> &v) { thrust::sequence(v.begin(), "
            "v.end()); }\n",
            "#include <thrust/sequence.h>",
            id="a header of Thrust that another brought",
        ),
        pytest.param(
            "#include <thrust/sort.h>\nvoid f(int *a) { using namespace thrust; sort(cuda::par, a, a + 9); }\n",
            "sort(hip::par, a",
            id="a policy of Thrust without its namespace",
        ),
        pytest.param(
            BLAS + "cublasComputeType_t a[] = {CUBLAS_COMPUTE_32F_FAST_16F};\n",
            "{HIPBLAS_COMPUTE_32F_FAST_16F",
            id="FAST_16F",
        ),
        pytest.param(
            BLAS + "cublasComputeType_t a[] = {CUBLAS_COMPUTE_32F_FAST_16BF};\n",
            "{HIPBLAS_COMPUTE_32F_FAST_16BF",
            id="FAST_16BF",
        ),
        pytest.param(
            BLAS + "cublasComputeType_t a[] = {CUBLAS_COMPUTE_32F_FAST_TF32};\n",
            "{HIPBLAS_COMPUTE_32F_FAST_TF32",
            id="FAST_TF32",
        ),
        pytest.param(
            RT + "#include <cub/cub.cuh>\nvoid f() { CubDebugExit(cudaDeviceSynchronize()); }\n",
            "if (HipcubDebug(hipDeviceSynchronize())) exit(1);",
            id="CubDebugExit",
        ),
        pytest.param(
            "#ifdef __CUDACC__\n#define HD __host__ __device__\n#endif\n", "defined(__HIPCC__)", id="__CUDACC__"
        ),
    ],
)
def test_a_shape_of_public_code_is_converted(text: str, made: str) -> None:
    assert made not in text and made in found(text)[0]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("#include <cublasLt.h>\nint a = CUBLASLT_MATMUL_DESC_FAST_ACCUM;\n", "api/lt-without-counterpart"),
        ("#include <cublas.h>\nvoid f(float *x) { cublasSscal(3, 2.f, x, 1); }\n", "api/blas-without-handle"),
        (RT + "#if (defined(__CUDA_ARCH__) && (__CUDA_ARCH__) >= 700)\nint a;\n#endif\n", "build/arch-gate"),
        (RT + "#if !(__CUDA_ARCH__ < 700)\nint a;\n#endif\n", "build/arch-gate"),
        (RT + "#if (__CUDA_ARCH__ / 10) > 70\nint a;\n#endif\n", "build/arch-gate"),
        (RT + 'static_assert(CUDART_VERSION >= 11000, "old");\n', "build/version-in-code"),
        (RT + "void f() { cudaUnheardOf(3); }\n", "library/unknown-name"),
        ("#include <cute/tensor.hpp>\nusing namespace cute;\n", "library/cutlass"),
        ("#include <NvOnnxParser.h>\n", "library/tensorrt"),
        ("#include <cuco/static_map.cuh>\ncuco::static_map<int, int> m;\n", "library/cucollections"),
        (
            "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k(int *p) { "
            "cg::cluster_group c = cg::this_cluster(); *c.map_shared_rank(p, 0) = 1; c.sync(); }\n",
            "cooperative-groups/cluster-member",
        ),
        (
            "#include <mma.h>\nusing namespace nvcuda;\n__global__ void k() { wmma::fragment<wmma::accumulator, 16, "
            "16, 16, float> f; }\n",
            "library/matrix-fragments",
        ),
    ],
)
def test_a_shape_without_an_equal_is_told(text: str, rule: str) -> None:
    assert rule in found(text)[1]


@pytest.mark.parametrize(
    ("path", "text", "rule"),
    [
        ("a.py", 'import cupy as cp\nm = cp.RawModule(path="a.cubin")\n', "python/kernel-file"),
        ("a.py", "import pycuda.driver as cuda\n", "python/pycuda"),
        (
            "a.py",
            "import torch\nimport triton\nif torch.cuda.get_device_capability()[0] >= 8:\n    pass\n",
            "python/compute-capability-compared",
        ),
        (
            "a.py",
            'import torch\nname = torch.cuda.get_device_name()\nif "A100" in name:\n    x = 1\n',
            "python/nvidia-gpu-name",
        ),
        ("run.sh", "export LD_LIBRARY_PATH=$CUDA_HOME/lib64:$LD_LIBRARY_PATH\n", "environment/cuda-home-libraries"),
    ],
)
def test_what_is_around_the_kernels_is_told(path: str, text: str, rule: str) -> None:
    assert rule in found(text, path)[1]


def test_a_workflow_gives_its_container_amds_devices() -> None:
    text = "jobs:\n  t:\n    container:\n      image: a\n      options: --gpus all\n"
    assert "--device=/dev/kfd" in found(text, ".github/workflows/ci.yml")[0]


def test_headers_for_the_host_alone_and_own_names_are_left() -> None:
    assert found("#include <vector>\nint f();\n", "a.h") == ("#include <vector>\nint f();\n", set())
    own = "class cublasMMWrapper {};\nstruct cudaStyleOptions { int a; };\nvoid cudaMallocAndCopy(int);\n"
    text = RT + own + "void f() { cublasMMWrapper w; cudaStyleOptions o; cudaMallocAndCopy(1); }\n"
    assert found(text)[1] == set()


@pytest.mark.parametrize(("rocm", "defined"), [("6.2", True), ("7.1", False)])
def test_the_interface_of_hipblas_is_chosen_in_the_file(rocm: str, defined: bool) -> None:
    assert ("#define HIPBLAS_V2" in found(GEMM, rocm=rocm)[0]) == defined


@pytest.mark.parametrize(("rocm", "there"), [("6.0", False), ("6.2", True), ("6.3", True)])
def test_a_release_between_two_answers_as_the_one_below(rocm: str, there: bool) -> None:
    assert ("hipblasSnrm2_64(h" in found(LONG, rocm=rocm)[0]) == there


@pytest.mark.parametrize(("arch", "told"), [("gfx942", True), ("gfx950", False)])
def test_eight_bit_floats_are_told_by_gpu(arch: str, told: bool) -> None:
    text = "#include <cuda_fp8.h>\n__global__ void k(__nv_fp8_e4m3 *x, float *y) { *x = __nv_fp8_e4m3(*y); }\n"
    after, rules = found(text, arch=arch)
    assert "__hip_fp8_e4m3" in after and ("math/fp8-type" in rules) == told


@pytest.mark.parametrize(("rocm", "told"), [("6.2", True), ("7.1", False)])
def test_operators_of_half_precision_on_the_host_are_told_by_release(rocm: str, told: bool) -> None:
    text = "#include <cuda_fp16.h>\nfloat f(__half a, __half b) { return __half2float(a + b); }\n"
    assert ("build/half-on-host" in found(text, rocm=rocm)[1]) == told
