"""Sizes and indices that CUDA's groups tell and HIP's do not: the built-in variables have them too."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use

_BUILT_IN = {
    "grid.num_blocks": "(static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z)",
    "grid.dim_blocks": "dim3(gridDim.x, gridDim.y, gridDim.z)",
    "grid.block_index": "dim3(blockIdx.x, blockIdx.y, blockIdx.z)",
    "grid.dim_threads": "dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z)",
    "grid.thread_index": "dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y, "
    "blockIdx.z * blockDim.z + threadIdx.z)",
    "block.dim_threads": "dim3(blockDim.x, blockDim.y, blockDim.z)",
}


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Write the built-in variable in place of the whole call."""
    return [Edit(use.extent, _BUILT_IN[use.name].encode())] if use.name in _BUILT_IN and not use.args else []
