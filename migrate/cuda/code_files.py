"""Which files are code, templates of code too, and which have to do with CUDA: asked of all, so nothing is parsed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from cudamigrate.cuda.words import every_use
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile

FILES = {
    ".cu": "cuda",
    ".cuh": "cuda",
    ".hu": "cuda",
    ".tcu": "cuda",
    ".c": "cxx",
    ".cc": "cxx",
    ".cpp": "cxx",
    ".cxx": "cxx",
    ".c++": "cxx",
    ".h": "cxx",
    ".hh": "cxx",
    ".hpp": "cxx",
    ".hxx": "cxx",
    ".h++": "cxx",
    ".inc": "cxx",
    ".inl": "cxx",
    ".ipp": "cxx",
    ".tcc": "cxx",
    ".tpp": "cxx",
    ".impl": "cxx",
    ".hip": "cxx",
}
_CONFIGURED = (".cmake", ".in", ".cmake.in")
"""Endings of a template that the build turns into the file of the name before: `config.h.in` -> `config.h`."""
FILES |= {
    f"{ending}.in": FILES[ending] for ending in (".cu", ".cuh", ".h", ".hh", ".hpp", ".hxx", ".cc", ".cpp", ".cxx")
}
FILES |= {".h.cmake.in": "cxx", ".hpp.cmake.in": "cxx"}
_QUALIFIER = re.compile(rb"__(?<!\w__)(?:global|device|constant|shared|managed|launch_bounds|grid_constant)__(?!\w)")
"""CUDA's qualifiers, `__global__`. The lookbehind is after `__`, so that the search begins with fixed bytes."""
_ON_DEVICE = re.compile(
    rb"__(?<!\w__)(?:threadfence(?:_block|_system)?|sync(?:threads\w*|warp)|nanosleep|activemask)\s*\("
    rb"|(?:thread|block)Idx(?<![\w.>:]\wlockIdx)(?<![\w.>:]\whreadIdx)\s*\.\s*[xyz]\b"
)
"""What device code alone has, under any macro for `__device__`: `__threadfence()`, `threadIdx.x`; no `p.threadIdx`."""
_IN_DEVICE_CODE = (b"__threadfence", b"__sync", b"__nanosleep", b"__activemask", b"threadIdx", b"blockIdx")
"""One of these is in all of it, and is found many times faster."""
_RUNTIME = re.compile(
    rb"(?<!\w)cuda(?:Success\b|(?:[A-Z][a-z]+)+_t\b|(?:Malloc|Free|Memcpy|Memset|Stream|Event|Device|GetDevice|SetDevice"
    rb"|GetLastError|GetErrorString|Host(?:Alloc|Register)|Launch|Func[SG]et|Graph|Array|Pointer)\w*\s*\()"
)
"""A type or a call of CUDA's runtime: `cudaStream_t`, `cudaMalloc(`. A project's own `cudaCallNode` is none."""
_COMPILER = (b"__CUDACC_", b"__NVCC__", b"__CUDA_ARCH_")
"""How the macros begin that nvcc defines: a header that asks for one is read otherwise where HIP compiles."""
_BUILT_IN = b"warpSize"
"""CUDA's variable that HIP has with another value: a list of macros may have nothing else of CUDA."""
_PIECES = tuple((_BUILT_IN[:at], _BUILT_IN[at:]) for at in range(1, len(_BUILT_IN)))
_PASTED_SIZE = re.compile(
    rb"\b(?P<before>%s)[ \t]*##|##[ \t]*(?P<after>%s)\b"
    % (b"|".join(one for one, _ in _PIECES), b"|".join(one for _, one in _PIECES))
)
"""A macro that puts a name together of which one half is that of `warpSize`: `warp##what`, `kind##Size`."""
_PASTED_CONSTANT = re.compile(rb"\b(CU[A-Z]*_[A-Z\d]\w*_)[ \t]*##")
_OLD_HIP = b"__HIP_PLATFORM_HCC__"
"""What HIP before ROCm 6 defined for AMD: code for HIP that asks for it is read otherwise by newer releases."""
_OF_STREAMS = b"CUDA_API_PER_THREAD_DEFAULT_STREAM"
"""What CUDA's headers ask for, and no other program's: a header may define it that says nothing else of CUDA."""
_SCOPE = re.compile(rb"(?<![\w:])(?:::)?(?:cub|nvcuda|cooperative_groups|cutlass|thrust::cuda_cub)::\w")
"""A name in a namespace of CUDA's that HIP has under another name, or does otherwise: `cub::DeviceScan`."""
_SCOPES = (b"cub::", b"thrust::cuda_cub::", b"nvcuda::", b"cooperative_groups::", b"cutlass::")
"""One of these is in every such name, and is found many times faster."""
DRIVER_WORDS = (b"libcuda.", b"nvcuda.dll", b"NVCUDA.DLL")
"""One of these is in every name of the library of NVIDIA's driver, and is found many times faster."""
DRIVER_LIBRARY = re.compile(rb'"(?:[^"\n]*[/\\])?(?:libcuda\.(?:so[.\d]*|dylib)|nvcuda\.dll)"', re.IGNORECASE)
"""NVIDIA's driver as a program has it that loads it when it runs, on Linux, macOS and Windows.

The whole of a text: the file, perhaps in a folder. A message that speaks of it has more words.
"""
NVPTX_WORDS = (b"LLVMInitializeNVPTX", b"nvvm", b"NVVM", b"IntrinsicsNVPTX", b"nvptx64-nvidia-")
NVPTX = re.compile(
    rb"\b(?:LLVMInitializeNVPTX(?:Target(?:Info|MC)?|AsmPrinter)|Intrinsic::nvvm_\w+|NVVM::\w+Op)\b"
    rb"|(?<=[<\"])(?:llvm/IR/IntrinsicsNVPTX\.h|mlir/Dialect/LLVMIR/NVVMDialect\.h)(?=[>\"])"
    rb"|(?P<text>llvm\.nvvm\.[a-z][\w.]*|nvptx64-nvidia-\w|(?<=\")nvvm\.annotations(?=\"))"
)
"""What writes code for NVIDIA through LLVM: its target NVPTX, and as a text intrinsics, triple and list of kernels.

Source: LLVM, "User Guide for NVPTX Back-end".
"""
CUDA_INCLUDE = re.compile(
    rb'#[ \t]*include[ \t]*[<"](?:cuda|cu(?:blas|fft|rand|sparse|solver|dnn|pti|tensor|complex)|cub/|thrust/|nccl'
    rb"|nv(?:/|api|bench|bit|blas|comp|cuda|cuvid|decode|enc|exec/|fatbin|functional|graph|idia|image|infer|jitlink|jpeg"
    rb"|math|ml|onnx|perf_|pti|ptx|rtc|sci|shmem|tiff|toolsext|tx|vm)"
    rb"|cu(?:file|opt/|pqc|viddec)|cub\.cuh|THC/|simt/|gloo/cuda|tensorpipe/tensorpipe_cuda|gpu/mxGPUArray"
    rb"|cooperative_groups|ffnvcodec/|hwloc/(?:cuda|nvml)|mma\.h|cutlass/|cute/"
    rb"|c10/cuda|ATen/(?:native/)?cuda|torch/csrc/cuda|sm_\d|crt/|npp[cdis.]"
    rb"|(?:builtin_types|channel_descriptor|device_(?:functions|launch_parameters)|driver_(?:functions|types)|host_defines"
    rb"|math_constants|(?:surface|texture)_(?:types|(?:fetch_|indirect_)?functions)|vector_(?:types|functions))\.h)",
    re.IGNORECASE,
)
"""An include of CUDA or of a library on it, in any case: `<cuda_runtime.h>`, `<cub/cub.cuh>`, `<ATen/cuda/x.h>`."""


def configured(path: str) -> str:
    """The path of the file that the build makes of a template beside it; empty where a path is of no template."""
    return next((path.removesuffix(more) for more in reversed(_CONFIGURED) if path.endswith(more)), "")


def copied(path: str) -> str:
    """The path that a build gives to a file of code with one more ending, `run.cpp.Cuda`; empty where it has none."""
    stem, dot, more = path.rpartition(".")
    return stem if dot and f".{more.lower()}" not in FILES and PurePosixPath(stem).suffix.lower() in FILES else ""


def speaks_cuda(source: SourceFile) -> bool:
    """Whether a file says something of CUDA's own: an include, a qualifier, a type or a call of the runtime's."""
    data = source.data
    return source.language == "cuda" or any(
        pattern.search(data) is not None for pattern in (CUDA_INCLUDE, _QUALIFIER, _RUNTIME)
    )


def is_cuda(source: SourceFile, words: frozenset[bytes]) -> bool:
    """Whether a file has anything to do with CUDA; cheap, and exact enough to leave plain C++ unparsed.

    A `.cu` or `.cuh` file always has; other C and C++ files have when they include a CUDA header or spell a
    qualifier, what device code alone has, a macro of nvcc's or of old HIP's, a namespace of CUDA's or a name that rules
    report.
    """
    known = source.language == "cuda" or any(
        macro in source.data for macro in (*_COMPILER, _OLD_HIP, _BUILT_IN, _OF_STREAMS)
    )
    return known or any(pasted_sizes(source.data)) or _pastes(source.data, words) or holds_cuda(source, words)


def _pastes(data: bytes, words: frozenset[bytes]) -> bool:
    """Whether a macro pastes something to what constants of CUDA's begin with: `CU_DEVICE_ATTRIBUTE_##key`."""
    beginnings = set(_PASTED_CONSTANT.findall(data)) if b"##" in data else ()
    return any(word.startswith(beginning) for beginning in beginnings for word in words)


def pasted_sizes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Where macros paste one half of `warpSize` to something, each with the other half, which is not there."""
    for match in _PASTED_SIZE.finditer(data) if b"##" in data else ():
        before, after = match["before"], match["after"]
        yield match.start(), _BUILT_IN[len(before) :] if before else _BUILT_IN[: -len(after)]


def holds_cuda(source: SourceFile, words: frozenset[bytes]) -> bool:
    """The same, but for files that only ask which compiler reads them: what they hold is C++ to each."""
    data = source.data
    patterns = (CUDA_INCLUDE, _QUALIFIER)
    if source.language == "cuda" or any(pattern.search(data) is not None for pattern in patterns):
        return True
    if any(word in data for word in _IN_DEVICE_CODE) and _ON_DEVICE.search(data):
        return True
    if any(scope in data for scope in _SCOPES) and _SCOPE.search(data):
        return True
    if b"nvinfer1" in data:  # of which headers often declare classes themselves
        return True
    if any(word in data for word in DRIVER_WORDS) and DRIVER_LIBRARY.search(data):
        return True
    if any(word in data for word in NVPTX_WORDS) and NVPTX.search(data):
        return True
    return any(not word.startswith(_COMPILER) for word in words.intersection(every_use(data)))
