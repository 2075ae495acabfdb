"""Whether a Python file is worth parsing: words that finds of bytes look for, many times faster than one pattern.

Comes in: the bytes of a file. Goes out: true where it may hold something that rules or detectors ask for.
"""

from __future__ import annotations

import re

_ALONE = (
    b"nvitop", b"HIP_VISIBLE", b"ROCR_VISIBLE", b"shared_memory_per_", b"numba", b"nvcc", b"nvml", b"GPUtil",
    b"install_requires", b"setup_requires", b"tests_require", b"cudnn.version", b"cuobjdump", b"cuml", b"cugraph",
    b"cuquantum", b"cutensor", b"cufile", b"kvikio", b"nvdisasm", b"nvprof", b"nvmath", b"nvshmem", b"import warp",
    b"import deep_gemm", b"from deep_gemm", b"flash_attn_interface", b"flash_attn.cute", b"nsys", b"compute-sanitizer",
    b"'ncu'", b'"ncu', b"NVCC", b"cpp_extension", b".asm[", b"float8_e4m3fn", b"pycuda", b"polygraphy",
    b"JAX_PLATFORM", b"ptxas", b"libcu", b"libnv", b"extra_compile_args",
)  # fmt: skip
"""Words that make a file worth it."""
_WITH = {
    b"CUDA": (
        b"CUDA_HOME", b"CUDA_PATH", b"CUDA_LAUNCH", b"CUDA_ARCH", b"CUDACXX", b"CUDA_CACHE", b"CUDA_ROOT",
        b"CUDA_TOOLKIT", b"CUDA_BIN", b"CUDA_FORCE", b"CUDA_DEVICE_", b"CUDA_MPS", b"CUDAExecutionProvider",
        b"CUDAExtension", b"ffi_target",
    ),
    b"NVIDIA": (
        b"NVIDIA_",
    ),
    b"nvidia": (
        b"nvidia-smi", b"import nvidia", b"from nvidia", b"libnv", b"nvidia_smi",
    ),
    b"cuda": (
        b"version.cuda", b"import cuda", b"from cuda", b"get_device_capability", b"get_device_properties",
        b"get_device_name", b"get_gencode", b"cudart", b"libcuda", b"nvcuda", b"built_with_cuda", b"cuda_version",
        b"_compile_kernel", b"jiterator", b"jax.devices", b"local_devices", b"platform_dependent", b"cudnn_version",
        b"load_inline", b"cuda_sources",
    ),
    b"triton": (
        b"inline_asm", b"libdevice", b"num_ctas", b"maxnreg", b"warp_speciali", b"num_consumer_groups",
        b"num_buffers_warp_spec", b"experimental_descriptor", b"tensormap", b"extra.cuda", b"'tf32", b'"tf32',
        b"launch_pdl", b"GPUTarget", b"triton.backends", b"triton.experimental", b"float8e4",
    ),
    b"cupy": (
        b"import cupy", b"from cupy",
    ),
    b"cutlass": (
        b"import cutlass", b"from cutlass",
    ),
    b"ensor": (
        b"tensorrt", b"built_with_cuda", b"get_build_info", b"TensorrtExecutionProvider", b"NvTensorRT",
    ),
    b"trt": (
        b"torch2trt", b"trtorch",
    ),
    b"jax": (
        b"jax_platform", b"mosaic_gpu", b"implementation=", b"ffi_target",
    ),
    b"64_": (
        b"cudart64", b"cublas64", b"cudnn64", b"nvrtc64",
    ),
}  # fmt: skip
"""Words that do, by one that stands in every file which has them."""
_SHAPES = {
    b"sm_": re.compile(rb"sm_\d\d"),
    b"compute_": re.compile(rb"compute_\d\d"),
    b"num_warps": re.compile(rb"num_warps['\"]?\s*[=:]\s*(?:32|64)"),
    b"num_stages": re.compile(rb"num_stages['\"]?\s*[=:]\s*[4-9]"),
}
"""What a plain word cannot say, by what it begins with."""
_GPUS = re.compile(rb"['\"](?:NVIDIA )?(?:[ABHV]\d00|GeForce|Tesla|RTX|GH200|GB200)")


class Trigger:
    """A stand-in for a pattern: `search` is true for a file that is worth parsing."""

    def search(self, data: bytes) -> bool:
        """Whether `data` holds one of the words or shapes."""
        return (
            any(gate in data and any(word in data for word in words) for gate, words in _WITH.items())
            or any(word in data for word in _ALONE)
            or any(begin in data and shape.search(data) for begin, shape in _SHAPES.items())
            or (b"device" in data and _GPUS.search(data) is not None)
        )
