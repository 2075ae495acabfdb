"""Eigen's tensors asked for the GPU, `#define EIGEN_USE_GPU`, without the macro by which they take HIP's headers.

Source: Eigen, unsupported/Eigen/CXX11/Tensor, which includes `cuda_runtime.h` unless `EIGEN_USE_HIP` is defined too.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Span

WORDS = (b"EIGEN_USE_GPU",)

_GPU, _HIP = b"EIGEN_USE_GPU", b"EIGEN_USE_HIP"


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The directives of a file that define the one macro, where nothing in it speaks of the other."""
    if _HIP in parsed.data:
        return
    for one in parsed.lexed.directives:
        if one.name != "define" or one.argument(parsed.data).split()[:1] != [_GPU]:
            continue
        at = parsed.data.index(_GPU, one.start)
        yield Hit("library/eigen-for-gpu", parsed.named_use("EIGEN_USE_GPU", Span(at, at + len(_GPU))))
