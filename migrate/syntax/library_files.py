"""CUDA's libraries by the names of their files, in the text of a build file: `libcudart.so`, `stubs/libcuda.so.1`."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re

_NAMED = (
    r"(?<![\w.-])(?P<file>(?:stubs/)?lib(?P<name>cuda|(?:cudart|cublas|cublasLt|cufft|curand|cusparse|cusolver|nvrtc|nccl"
    r"|cudadevrt|cudnn|cupti|cutensor|cufile|nvToolsExt|nvidia-ml|nvjpeg|nppc)(?:_static)?)\.(?:so|a)(?:\.\d+)*)(?![\w.-])"
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
