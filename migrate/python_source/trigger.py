"""Whether a Python file is worth parsing: finds of bytes, many times faster than one pattern of all words.

Result: true where it may hold something that rules or detectors ask for.

A find of plain bytes is fastest, and a pattern that begins with two or more plain bytes takes hardly longer, however
many words it goes on with. Words stand together by what they begin with, else by a word that all files with them hold.
"""

from __future__ import annotations

from cudamigrate.lazy_re import re

_BEGUN = tuple(
    re.compile(pattern)
    for pattern in (
        rb"nv(?:itop|cc|ml|disasm|prof|math|shmem|idia[-_]smi|rtc64_)",
        rb"cu(?:objdump|ml|graph|quantum|tensor|file|dnn\.version|(?:dart|blas|dnn)64_)",
        rb"lib(?:cu|nv)",
        rb"CUDA(?:_(?:HOME|PATH|LAUNCH|ARCH|CACHE|ROOT|TOOLKIT|BIN|FORCE|DEVICE_|MPS)|CXX|ExecutionProvider|Extension)",
        rb"NV(?:IDIA_|CC)",
        rb"import\s+(?:[^\n]{0,200},[\s\\]*)?(?:warp|deep_gemm|nvidia|cuda|cudnn|cupy|cutlass)",
        rb"from\s+(?:deep_gemm|nvidia|cuda|cudnn|cupy|cutlass)",
        rb"flash_attn(?:_interface|\.cute)",
    )
)
"""Words that make a file worth it, by what they begin with."""
_ALONE = (
    b"HIP_VISIBLE", b"ROCR_VISIBLE", b"shared_memory_per_", b"numba", b"GPUtil", b"kvikio", b"nsys",
    b"compute-sanitizer", b"'ncu'", b'"ncu', b"cpp_extension", b".asm[", b"polygraphy", b"JAX_PLATFORM", b"ptxas",
    b"extra_compile_args", b"ffi_target", b"ensorrt", b"NvTensorRT", b"get_build_info", b"flash_attention_3",
    b"flash-attn3", b"transformer_engine", b"trtexec", b"trtllm", b"/dev/nvidia",
    b"nvidia.com/gpu=", b"utils.ffi", b".fatbin", b".cubin", b"SCons", b"pynvrtc", b"__global__", b"CudaPackage",
    b"THRUST_DEVICE_SYSTEM_CUDA", b"DCMAKE_CUDA_", b"DCUDA_TOOLKIT_ROOT_DIR", b"DCUDAToolkit_ROOT",
)  # fmt: skip
"""Words that do and share no beginning."""
_WITH = {
    b"_require": (
        b"install_requires", b"setup_requires", b"tests_require",
    ),
    b"cuda": (
        b"version.cuda", b"get_device_capability", b"get_device_properties", b"get_device_name", b"get_gencode",
        b"cudart", b"nvcuda", b"built_with_cuda", b"cuda_version", b"_compile_kernel", b"jiterator", b"jax.devices",
        b"local_devices", b"platform_dependent", b"cudnn_version", b"load_inline", b"cuda_sources",
        b"pycuda", b"skcuda", b"scikits.cuda", b"extra_cuda_cflags",
    ),
    b"triton": (
        b"inline_asm", b"libdevice", b"num_ctas", b"maxnreg", b"warp_speciali", b"num_consumer_groups",
        b"num_buffers_warp_spec", b"experimental_descriptor", b"tensormap", b"extra.cuda", b"'tf32", b'"tf32',
        b"launch_pdl", b"GPUTarget", b"triton.backends", b"triton.experimental", b"float8e4",
    ),
    b"trt": (
        b"torch2trt", b"trtorch",
    ),
    b"module load": (
        b"cuda", b"nv", b"cudnn", b"nccl",
    ),
    b"find_library": (
        b"cu", b"nv",
    ),
    b"import_module": (
        b"cupy", b"nvidia",
    ),
    b"Template": (
        b"__global__", b"__device__",
    ),
    b"write": (
        b"cudaM", b"cudaE", b"cudaS", b"cudaF", b"cudaG", b"cudaD", b"__shfl", b"__ballot_sync", b"include <cu",
    ),
    b"file=": (
        b"cudaM", b"cudaE", b"cudaS", b"cudaF", b"cudaG", b"cudaD", b"__shfl", b"__ballot_sync", b"include <cu",
    ),
    b"jax": (
        b"jax_platform", b"mosaic_gpu", b"implementation=",
    ),
}  # fmt: skip
"""Words that do, by one that is in every file which has them."""
_SHAPES = {
    b"cuda": re.compile(rb"\bcuda(?:Malloc|Memcpy|Memset|Free|Device|Stream|Event|GetLast)\w*\s*\("),
    b"sm_": re.compile(rb"sm_\d\d"),
    b"compute_": re.compile(rb"compute_\d\d"),
    b"num_warps": re.compile(rb"num_warps['\"]?\s*[=:]\s*(?:32|64)"),
    b"num_stages": re.compile(rb"num_stages['\"]?\s*[=:]\s*[4-9]"),
}
"""What a plain word cannot say, by what it begins with."""
_AMD_DEVICE = re.compile(rb"['\"](?:rocm|hip)(?::\d+)?['\"]")
_GPUS = re.compile(rb"['\"](?:NVIDIA )?(?:[ABHV]\d00|GeForce|Tesla|RTX|GH200|GB200)")
"""GPUs named in a literal, as what a device's name is compared with: `"A100`, `'NVIDIA GeForce`, `"GH200`."""
_OF_GPUS = (b"00", b"GeForce", b"Tesla", b"RTX")
"""One of these is in every such name."""
_FLOAT = re.compile(rb"float8_e4m3fn\b")
_NO_VALUE = (b"'", b'"', b"== torch.", b"!= torch.", b".view(torch.")
"""What is before the name of the 8-bit float where no number of it is made."""


class Trigger:
    """A stand-in for a pattern: `search` is true for a file that is worth parsing."""

    def search(self, data: bytes) -> bool:
        """Whether `data` holds one of the words or shapes."""
        return (
            any(begun.search(data) for begun in _BEGUN)
            or any(gate in data and any(word in data for word in words) for gate, words in _WITH.items())
            or any(word in data for word in _ALONE)
            or any(begin in data and shape.search(data) for begin, shape in _SHAPES.items())
            or (b"device" in data and any(part in data for part in _OF_GPUS) and _GPUS.search(data) is not None)
            or (b"torch" in data and (b"rocm" in data or b"hip" in data) and _AMD_DEVICE.search(data) is not None)
            or _makes_floats(data)
        )


def _makes_floats(data: bytes) -> bool:
    """Whether numbers of the open 8-bit format are made where AMD's own is not known."""
    found = (data[max(0, match.start() - 12) : match.start()] for match in _FLOAT.finditer(data))
    return any(not before.endswith(_NO_VALUE) for before in found) and b"fnuz" not in data
