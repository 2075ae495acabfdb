"""A port's macro for a shuffle is reported where a kernel counts 32 lanes with it, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

HEADER = """#pragma once
#ifdef USE_ROCM
#include <hip/hip_runtime.h>
#define SHFL(mask, value, lane) __shfl(value, lane)
#else
#define SHFL __shfl_sync
#endif
"""
KERNEL = """#include "shuffles.cuh"
__global__ void rows(const int *in, int *out) {
    int lane = threadIdx.x & 31, row = threadIdx.x >> 5;
    int first = SHFL(0xffffffff, in[row * 32 + lane], 0);
    out[row * 32 + lane] = first;
}
"""
BUILD = "import torch\nif torch.version.hip:\n    macros = [('USE_ROCM', None)]\n"


def found(root: Path, header: str, kernel: str) -> list[tuple[str, int]]:
    """Where the rule speaks."""
    written(root, {"shuffles.cuh": header, "rows.cu": kernel, "setup.py": BUILD})
    findings = pipeline.scan(root, Config(jobs=1, cache=False)).findings
    return [(one.path, one.position.line) for one in findings if one.rule == "warp/wide-macro"]


BY_WAVE = KERNEL.replace("& 31", "% warpSize").replace(">> 5", "/ warpSize").replace("32", "warpSize")


@pytest.mark.parametrize(
    ("header", "kernel", "told"),
    [
        pytest.param(HEADER, KERNEL, [("shuffles.cuh", 4)], id="no width"),
        pytest.param(HEADER.replace("__shfl(value, lane)", "__shfl(value, lane, 32)"), KERNEL, [], id="a width"),
        pytest.param(HEADER, BY_WAVE, [], id="counts by the wave"),
        pytest.param(HEADER, KERNEL.replace("SHFL(0xffffffff, in[row * 32 + lane], 0)", "in[row]"), [], id="not used"),
        pytest.param(HEADER.replace("__shfl(", "__shfl_xor("), KERNEL, [], id="by a distance"),
        pytest.param(HEADER.replace("#ifdef", "#ifndef"), KERNEL, [], id="for CUDA"),
    ],
)
def test_a_shuffle_without_a_width_is_found_where_32_lanes_are_counted(
    tmp_path: Path, header: str, kernel: str, told: list[tuple[str, int]]
) -> None:
    assert found(tmp_path, header, kernel) == told
