"""Functions of CUDA and its libraries as other languages declare them, by how their names begin; and its headers."""

from __future__ import annotations

from cudamigrate.lazy_re import re

BEGINS = r"(?:cuda[A-Z]|cu(?:blas|fft|rand|sparse|solver|dnn)[A-Z]|cu[A-Z][a-z]|nccl[A-Z])"
"""How such a name begins; `cudf_rows` and `curl_easy_init` begin otherwise."""
NAME = re.compile(BEGINS + r"\w*")
HEADER = re.compile(
    rb"(?:cuda(?:_runtime(?:_api)?|_(?:gl|egl|vdpau)_interop|_profiler_api|_fp16|_bf16|_fp8|GL|Typedefs)?|cuComplex"
    rb"|(?:cublas|cufft|curand|cusparse|cusolver|cudnn|cupti|cutensor|cufile|nvml|nvrtc|nvToolsExt|nvJitLink|nccl|npp)\w*"
    rb"|(?:driver|vector|library|channel|surface|texture)_types)\.h|cub/\w[\w/]*\.cuh|nvtx3/\w+\.h(?:pp)?"
)
"""Headers of CUDA and its libraries: a project's own `cuda_utils.h` is none of them."""
