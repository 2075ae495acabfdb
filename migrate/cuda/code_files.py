"""Which files are code, and which of these have anything to do with CUDA: asked of every file, so nothing is parsed."""

from __future__ import annotations

from cudamigrate.cuda.words import vocabulary
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile

FILES = {
    ".cu": "cuda",
    ".cuh": "cuda",
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
_QUALIFIER = re.compile(rb"__(?<!\w__)(?:global|device|constant|shared|managed|launch_bounds|grid_constant)__(?!\w)")
"""CUDA's qualifiers, `__global__`. The lookbehind is after `__`, so that the search begins with fixed bytes."""
CUDA_INCLUDE = re.compile(
    rb'#[ \t]*include[ \t]*[<"](?:cuda|cu(?:blas|fft|rand|sparse|solver|dnn|pti|tensor|complex)|cub/|thrust/|nccl|nv'
    rb"|cooperative_groups|mma\.h|cutlass/|cute/|c10/cuda|ATen/cuda|torch/csrc/cuda|device_functions|sm_\d)",
    re.IGNORECASE,
)
"""An include of CUDA or of a library on it, in any case: `<cuda_runtime.h>`, `<cub/cub.cuh>`, `<ATen/cuda/x.h>`."""


def is_cuda(source: SourceFile, words: frozenset[bytes]) -> bool:
    """Whether a file has anything to do with CUDA; cheap, and exact enough to leave plain C++ unparsed.

    A `.cu` or `.cuh` file always has; other C and C++ files have when they include a CUDA header or spell a
    qualifier or a name that rules report.
    """
    if source.language == "cuda":
        return True
    if CUDA_INCLUDE.search(source.data) or _QUALIFIER.search(source.data):
        return True
    if b"nvinfer1" in source.data:  # of which headers often declare classes themselves
        return True
    return not words.isdisjoint(vocabulary(source.data))
