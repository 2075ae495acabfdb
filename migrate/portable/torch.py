"""What PyTorch's own build renames on ROCm: an extension needs no help with that.

From `torch/utils/hipify` of PyTorch 2.13 (hipify 2.0.0): the names of `rules/torch-hipify.txt`, and the runtime header
that it adds to a file with device code.
"""

from __future__ import annotations

from functools import cache

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


@cache
def _known() -> frozenset[str]:
    lines = (rules_folder() / "torch-hipify.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def renames(name: bytes, space: bool = False) -> bool:
    """Whether the build renames a name, or a namespace before `::`."""
    return name.decode("latin-1") + ("::" if space else "") in _known()


def renames_header(path: str) -> bool:
    """Whether it replaces the include of a header."""
    return path in _known() or path.startswith(_FOLDERS)


def adds_runtime(data: bytes) -> bool:
    """Whether it adds HIP's runtime header to a file."""
    return any(word in data for word in _DEVICE)
