"""What PyTorch's own build renames on ROCm: an extension needs no help with that.

From `torch/utils/hipify` of PyTorch 2.13 (hipify 2.0.0) and 2.9 (1.0.0): the names of `rules/torch-hipify.txt`, and the
runtime header that it adds to a file with device code.
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


def adds_runtime(data: bytes) -> bool:
    """Whether it adds HIP's runtime header to a file."""
    return any(word in data for word in _DEVICE)
