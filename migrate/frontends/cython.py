"""Cython files: the headers of CUDA that they declare functions from, and the functions of CUDA that they call.

Nothing is rewritten, and one place stands for a file: what it declares is C, what it calls is neither Python nor C.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Use
from cudamigrate.syntax import cuda_functions
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


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    uses = sorted(_uses(source.data), key=lambda use: use.name != _HEADER)
    return ProjectFile(source, uses[:1])


def broken(data: bytes) -> int:
    """Nothing is rewritten here, and nothing can be worse."""
    return 0


def _uses(data: bytes) -> Iterator[Use]:
    for match in _TOKEN.finditer(data):
        if match["header"] and cuda_functions.HEADER.fullmatch(match["header"]) is not None:
            yield use_at(_HEADER, *match.span("header"))
        elif match["call"]:
            yield use_at("call of CUDA", *match.span("call"))
