"""Cython files: the headers of CUDA that they declare functions from, and the functions of CUDA that they call.

Nothing is rewritten, and one place stands for a file: what it declares is C, what it calls is neither Python nor C.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Use
from cudamigrate.syntax.project_file import ProjectFile, use_at

FILES = {".pyx": "cython", ".pxd": "cython", ".pxi": "cython"}
PART = "python"
TRIGGER = re.compile(
    rb"\bc(?:uda|u(?:blas|fft|rand|sparse|solver|dnn)|u[A-Z]|ufile)|\bn(?:ccl|vml|vrtc|pp)|cooperative", re.I
)
"""How names of CUDA, its libraries and headers begin, of which a file that speaks of it has one."""
_TOKEN = re.compile(
    rb"#[^\n]*|\bextern\s+from\s+(?P<quote>[\"'])<?(?P<header>[^\"'\n<>]+)>?(?P=quote)"
    rb"|\"\"\".*?\"\"\"|'''.*?'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
    rb"|(?<!\w)(?P<call>cuda[A-Z]\w*|cu(?:blas|fft|rand|sparse|solver|dnn)[A-Z]\w*|cu[A-Z][a-z]\w*)\s*\(",
    re.DOTALL,
)
"""A remark, a header that functions are declared from, a string, or a call of a function of CUDA's."""


_HEADER = "extern from"
_OF_CUDA = re.compile(
    rb"(?:cuda(?:_runtime(?:_api)?|_(?:gl|egl|vdpau)_interop|_profiler_api|_fp16|_bf16|_fp8|GL|Typedefs)?|cuComplex"
    rb"|(?:cublas|cufft|curand|cusparse|cusolver|cudnn|cupti|cutensor|cufile|nvml|nvrtc|nvToolsExt|nvJitLink|nccl|npp)\w*"
    rb"|(?:driver|vector|library|channel|surface|texture)_types)\.h|cub/\w[\w/]*\.cuh|nvtx3/\w+\.h(?:pp)?"
)
"""Headers of CUDA and its libraries: a project's own `cuda_utils.h` is none of them."""


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    uses = sorted(_uses(source.data), key=lambda use: use.name != _HEADER)
    return ProjectFile(source, uses[:1])


def broken(data: bytes) -> int:
    """Nothing is rewritten here, and nothing can be worse."""
    return 0


def _uses(data: bytes) -> Iterator[Use]:
    for match in _TOKEN.finditer(data):
        if match["header"] and _OF_CUDA.fullmatch(match["header"]) is not None:
            yield use_at(_HEADER, *match.span("header"))
        elif match["call"]:
            yield use_at("call of CUDA", *match.span("call"))
