"""Which declaration header is made from which bindings, and what the bindings leave out."""

from __future__ import annotations

from dataclasses import dataclass

ELSEWHERE = frozenset({"__int16_t", "__uint16_t", "uint4", "timespec", "sockaddr"})
"""Names that the bindings repeat and that are HIP's or the system's."""


@dataclass(frozen=True)
class Sheet:
    """A header: its path below an include folder and the bindings' module that lists its names."""

    path: str
    module: str
    library: str
    includes: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    hidden: frozenset[str] = frozenset()
    only: frozenset[str] = frozenset()
    """Where not empty, the names that are written; all others are left out."""
    respelled: tuple[tuple[str, str], ...] = ()
    """Regular expressions and what to write instead."""


_BLAS_COMMON = frozenset({"hipblasStatus_t", "hipblasOperation_t", "hipblasComputeType_t"})
_BLAS_TYPES = {
    f"{kind}_{bits}": f"{kind}_{bits}" for kind in "RC" for bits in ("16F", "32F", "64F", "8I", "8U", "32I", "32U")
}
_BLAS_TYPES |= {"R_16B": "R_16BF", "C_16B": "C_16BF"}
_HIP = ("hip/hip_runtime_api.h", "hip/hip_complex.h", "hip/library_types.h", "stdint.h")
_STREAM = ("hip/hip_runtime_api.h", "stdint.h")
_CXX = ("cstddef", "ctime", "thread", "tuple")
"""Headers of C++ that those of the library bring along, on which programs rely."""

# Flags that the bindings leave out: RCCL's public header for NCCL 2.30 (projects/rccl/src/nccl.h.in of rocm-systems).
_RCCL = """
#define NCCL_VERSION(major, minor, patch) ((major) * 10000 + (minor) * 100 + (patch))
#define NCCL_CONFIG_UNDEF_INT INT_MIN
#define NCCL_CONFIG_UNDEF_PTR NULL
#define NCCL_UNDEF_FLOAT -1.0f
#define NCCL_SPLIT_NOCOLOR -1
#define NCCL_COMM_NULL NULL
#define NCCL_API_MAGIC 0xcafebeef
#define NCCL_WIN_DEFAULT 0
#define NCCL_WIN_COLL_SYMMETRIC 1
#define NCCL_WIN_STRICT_ORDERING 2
#define NCCL_WIN_REQUIRED_ALIGNMENT 4096
#define NCCL_CTA_POLICY_DEFAULT 0
#define NCCL_CTA_POLICY_EFFICIENCY 1
#define NCCL_CTA_POLICY_ZERO 2
#define NCCL_SHRINK_DEFAULT 0
#define NCCL_SHRINK_ABORT 1
#define NCCL_REVOKE_DEFAULT 0
#define NCCL_CONFIG_INITIALIZER { sizeof(ncclConfig_t) }
#define NCCL_SIM_INFO_INITIALIZER { sizeof(ncclSimInfo_t) }
"""
_HIPRTC = "\n".join(
    [
        "#define hiprtcJIT_option hipJitOption",
        "#define hiprtcJITInputType hipJitInputType",
        *(
            f"#define HIPRTC_JIT_{old} hipJitOption{new}"
            for old, new in {
                "MAX_REGISTERS": "MaxRegisters",
                "THREADS_PER_BLOCK": "ThreadsPerBlock",
                "WALL_TIME": "WallTime",
                "INFO_LOG_BUFFER": "InfoLogBuffer",
                "INFO_LOG_BUFFER_SIZE_BYTES": "InfoLogBufferSizeBytes",
                "ERROR_LOG_BUFFER": "ErrorLogBuffer",
                "ERROR_LOG_BUFFER_SIZE_BYTES": "ErrorLogBufferSizeBytes",
                "OPTIMIZATION_LEVEL": "OptimizationLevel",
                "TARGET": "Target",
                "GENERATE_DEBUG_INFO": "GenerateDebugInfo",
                "LOG_VERBOSE": "LogVerbose",
                "GENERATE_LINE_INFO": "GenerateLineInfo",
                "CACHE_MODE": "CacheMode",
                "FAST_COMPILE": "FastCompile",
                "NUM_OPTIONS": "NumOptions",
                "IR_TO_ISA_OPT_EXT": "IRtoISAOptExt",
                "IR_TO_ISA_OPT_COUNT_EXT": "IRtoISAOptCountExt",
            }.items()
        ),
        *(
            f"#define HIPRTC_JIT_INPUT_{old} hipJitInput{new}"
            for old, new in {
                "CUBIN": "Cubin",
                "PTX": "Ptx",
                "FATBINARY": "FatBinary",
                "OBJECT": "Object",
                "LIBRARY": "Library",
                "NVVM": "Nvvm",
                "LLVM_BITCODE": "LLVMBitcode",
                "LLVM_BUNDLED_BITCODE": "LLVMBundledBitcode",
                "LLVM_ARCHIVES_OF_BUNDLED_BITCODE": "LLVMArchivesOfBundledBitcode",
            }.items()
        ),
    ]
)

SHEETS = [
    Sheet("hipblas-common/hipblas-common.h", "hipblas", "hipBLAS", only=_BLAS_COMMON),
    Sheet(
        "hipblas/hipblas.h",
        "hipblas",
        "hipBLAS",
        ("hipblas-common/hipblas-common.h", *_HIP),
        before="""
#define HIPBLAS_H
#if defined(HIPBLAS_USE_HIP_HALF)
#include <hip/hip_fp16.h>
typedef __half hipblasHalf;
#else
typedef uint16_t hipblasHalf;
#endif
#if defined(HIPBLAS_USE_HIP_BFLOAT16)
#include <hip/hip_bfloat16.h>
typedef hip_bfloat16 hipblasBfloat16;
#else
struct hipblasBfloat16 { uint16_t data; };
#endif
""",
        # The older names of the data types, which ports still use with hipBLAS 3.
        after="\n".join(f"#define HIPBLAS_{old} HIP_{new}" for old, new in _BLAS_TYPES.items()),
        hidden=_BLAS_COMMON | {"hipblasHalf", "hipblasBfloat16"},
        respelled=((r"\buint16_t\b", "hipblasHalf"),),
    ),
    Sheet(
        "hipblaslt/hipblaslt.h",
        "hipblaslt",
        "hipBLASLt",
        ("hipblas-common/hipblas-common.h", *_HIP),
    ),
    Sheet("hipfft/hipfft.h", "hipfft", "hipFFT", (*_HIP, "cstddef"), before="#define HIPFFT_H_"),
    Sheet(
        "hiprand/hiprand.h",
        "hiprand",
        "hipRAND",
        ("hip/hip_vector_types.h", "hip/hip_fp16.h", *_STREAM, *_CXX),
        before="#define HIPRAND_H_",
    ),
    Sheet(
        "hipsolver/hipsolver.h", "hipsolver", "hipSOLVER", ("hipblas/hipblas.h", *_HIP), before="#define HIPSOLVER_H"
    ),
    Sheet("hipsparse/hipsparse.h", "hipsparse", "hipSPARSE", (*_HIP, *_CXX), before="#define HIPSPARSE_H"),
    Sheet("hipsparselt/hipsparselt.h", "hipsparselt", "hipSPARSELt", ("hipsparse/hipsparse.h", *_HIP)),
    Sheet("hiptensor/hiptensor.h", "hiptensor", "hipTensor", ("stdio.h", *_HIP)),
    Sheet("hipdnn/backend/hipdnn_backend.h", "hipdnn_backend", "hipDNN", _STREAM),
    Sheet("rccl/rccl.h", "rccl", "RCCL", ("limits.h", "hip/hip_fp16.h", *_STREAM), after=_RCCL),
    Sheet("hip/hiprtc.h", "hiprtc", "hipRTC", ("hip/linker_types.h", "stddef.h", "stdint.h"), after=_HIPRTC),
    Sheet(
        "roctracer/roctx.h",
        "roctx",
        "ROCTX",
        ("stdint.h",),
        after="\n".join(
            f"#define roctx{name}(message) roctx{name}A(message)" for name in ("Mark", "RangePush", "RangeStart")
        ),
    ),
    Sheet("hipfile.h", "hipfile", "hipFile", ("sys/types.h", "sys/socket.h", "time.h", *_STREAM)),
    Sheet("amd_smi/amdsmi.h", "amdsmi", "AMD SMI", ("time.h", "stddef.h", "stdint.h")),
]


def modules() -> list[str]:
    """The bindings' modules that are read."""
    return sorted({sheet.module for sheet in SHEETS})
