"""Whether the host's compiler reads a place: not what only compilers for GPUs get, as in `#ifdef __CUDACC__`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.preprocessor import Branch, value_with

_BY_COMPILER = frozenset(
    (b"__CUDACC__", b"__NVCC__", b"__CUDA_ARCH__", b"__HIPCC__", b"__HIP__", b"__HIP_DEVICE_COMPILE__")
)
"""Macros that compilers for GPUs define, and no other."""


def host_reads(parts: Sequence[Branch], at: int) -> bool:
    """False where one of the branches around a place is left out for want of such a macro."""
    return not any(
        value_with(part.conditions[-1], _BY_COMPILER, False) is False
        or any(value_with(one, _BY_COMPILER, False) for one in part.conditions[:-1])
        for part in parts
        if part.conditions and part.start <= at < part.end
    )
