"""CUDA's libraries by the names of their files, in the text of a build file: `libcudart.so`, `stubs/libcuda.so.1`."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re

ALONE = (
    "nvinfer",
    "nvinfer_plugin",
    "nvinfer_dispatch",
    "nvinfer_lean",
    "nvonnxparser",
    "nvparsers",
    "nvcaffe_parser",
    "nvcuvid",
    "nvidia-encode",
    "nvidia-fbc",
    "nvidia-opticalflow",
    "nvcomp",
    "nvgraph",
    "cudss",
    "cudla",
    "custatevec",
    "cutensornet",
    "cudensitymat",
    "cutensorMg",
    "cusolverMg",
    "cusolverMp",
    "cublasMp",
    "cufftMp",
    "nvjpeg2k",
    "nvtiff",
    "nvimgcodec",
    "nvperf_host",
    "nvperf_target",
    "cuinj64",
    "nvvm",
    "nvfatbin",
    "cuopt",
    "cvcuda",
    "nvcv_types",
    "cudnn_adv",
    "cudnn_adv_infer",
    "cudnn_adv_train",
    "cudnn_cnn",
    "cudnn_cnn_infer",
    "cudnn_cnn_train",
    "cudnn_ops",
    "cudnn_ops_infer",
    "cudnn_ops_train",
    "cudnn_graph",
    "cudnn_heuristic",
    "nvrtc-builtins",
    "nvbufsurface",
    "nvbufsurftransform",
)
"""NVIDIA's libraries that ROCm has nothing of the same interface for, and that no rule of the toolkit's names.

Source: NVIDIA's documentation of TensorRT, Video Codec SDK, nvCOMP, cuDSS, cuQuantum, cuTENSOR, cuSOLVERMg, nvJPEG2000,
nvTIFF, Nsight Perf SDK, libNVVM, cuDNN, CV-CUDA and DeepStream.
"""
OF_ALONE = rf"(?:{'|'.join(sorted(map(re.escape, ALONE), key=len, reverse=True))})(?:_static)?"
"""One of them, as a pattern."""
_NAMED = (
    r"(?<![\w.-])(?P<file>(?:stubs/)?lib(?P<name>cuda|(?:cudart|cublas|cublasLt|cufft|curand|cusparse|cusolver|nvrtc|nccl"
    r"|cudadevrt|cudnn|cupti|cutensor|cufile|nvToolsExt|nvidia-ml|nvjpeg|nppc)(?:_static)?"
    rf"|{OF_ALONE})\.(?:so|a)(?:\.\d+)*)(?![\w.-])"
)
STUBS = r"(?:/stubs(?![\w.-]|/+[\w$]))?"
"""The folder of stubs, if one is behind CUDA's folder of libraries, and no file below it: ROCm has none of it."""
IN_TEXT = re.compile(_NAMED)
IN_BYTES = re.compile(_NAMED.encode())
"""One such file: `file` with the folder of stubs, which ROCm has none of, and `name` as an option to link has it."""

_ON_WINDOWS = re.compile(
    rb"(?<![\w.-])(?P<file>(?P<name>(?:cuda|cudart(?:_static)?|cublas(?:Lt)?|cufft|curand|cusparse|cusolver|nvrtc|cudnn|cupti"
    rb"|cudadevrt|nvToolsExt|nvml|nvjpeg|nppc)\.lib))(?![\w.-])"
)
"""An import library of CUDA's for Windows: `lib/x64/cuda.lib`."""


def of_part(data: bytes, start: int, end: int) -> Iterator[re.Match[bytes]]:
    """The files that a part of a build file names, those for Windows with their ending as `name`."""
    yield from IN_BYTES.finditer(data, start, end)
    yield from _ON_WINDOWS.finditer(data, start, end)


def use_name(library: str) -> str:
    """The name that rules have for a use of such a file."""
    return f"library file {library}"
