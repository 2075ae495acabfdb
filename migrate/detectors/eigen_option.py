"""Build files that ask Eigen's tensors for the GPU, `-DEIGEN_USE_GPU`, without the macro for HIP's headers.

Source: Eigen, unsupported/Eigen/CXX11/Tensor, which includes `cuda_runtime.h` unless `EIGEN_USE_HIP` is defined too.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import build_definitions
from cudamigrate.model import Hit, Use
from cudamigrate.syntax.project_file import ProjectFile

_GPU, _HIP = b"EIGEN_USE_GPU", b"EIGEN_USE_HIP"
_TRUE = (b"", b"1")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """The definitions of a file that defines the one macro, where nothing in it speaks of the other."""
    if parsed.ported or _GPU not in parsed.data or _HIP in parsed.data:
        return
    in_list = parsed.source.language in build_definitions.LISTS
    for one in build_definitions.of(parsed):
        if one.name == _GPU and one.value in _TRUE:
            use = Use("name", _GPU.decode(), one.span, one.span, certainty="syntax")
            yield Hit("build/eigen-in-list" if in_list else "build/eigen-option", use)
