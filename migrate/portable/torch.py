"""What PyTorch's own build renames on ROCm: an extension needs no help with that.

From `torch/utils/hipify` of PyTorch 2.13 (hipify 2.0.0) and 2.9 (1.0.0): the names of `rules/torch-hipify.txt`, and the
runtime header that it adds to a file with device code.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

from cudamigrate.lazy_re import re
from cudamigrate.shipped_data import rules_folder

_FOLDERS = (
    "ATen/cuda",
    "ATen/native/cuda",
    "ATen/native/nested/cuda",
    "ATen/native/quantized/cuda",
    "ATen/native/sparse/cuda",
    "ATen/native/transformers/cuda",
    "THC/",
)
"""Headers of PyTorch's own that it has for HIP under another path."""
_DEVICE = (b"__global__", b"__shared__", b"__syncthreads")
_MAIN = "cuda.h"
_MAIN_INCLUDE = re.compile(r"include [<\"]cuda\.h(?=\W)")
"""How hipify takes `cuda.h`, which it knows in no other place: by `include <cuda.h` and `include "cuda.h`."""
_BORDER = re.compile(r"\b")


@cache
def _known(every: bool = False) -> frozenset[str]:
    """The names that both versions of hipify rename, or either of them."""
    text = (rules_folder() / "torch-hipify.txt").read_text(encoding="utf-8")
    listed = (line.partition(" ") for line in text.splitlines() if line and not line.startswith("#"))
    return frozenset(name for name, _, newer in listed if every or not newer)


def renames(name: bytes, space: bool = False) -> bool:
    """Whether the build renames a name, or a namespace before `::`, with either version of hipify."""
    return name.decode("latin-1") + ("::" if space else "") in _known()


def may_rename(name: bytes) -> bool:
    """Whether one version of hipify renames a name, in the header of names too."""
    return name.decode("latin-1") in _known(every=True)


def renames_header(path: str) -> bool:
    """Whether it replaces the include of a header."""
    return path in _known() or path.startswith(_FOLDERS)


def taken_include(line: str, path: str) -> str:
    """The name in an include of `path` that the build replaces before it asks which file is meant; empty where none is.

    hipify replaces its keys as text wherever no letter, digit or `_` is beside them: a header of the project's own that
    has the name of one of CUDA's is no longer included, by whatever folder it is asked for.
    """
    if _MAIN_INCLUDE.search(line) is not None:
        return _MAIN
    borders = [match.start() for match in _BORDER.finditer(path)]
    parts = (path[start:end] for start, end in combinations(borders, 2))
    return max((part for part in parts if part != _MAIN and may_rename(part.encode())), key=len, default="")


def adds_runtime(data: bytes) -> bool:
    """Whether it adds HIP's runtime header to a file."""
    return any(word in data for word in _DEVICE)
