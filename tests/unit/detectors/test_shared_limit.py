"""Limits for dynamic shared memory that launches do not use up."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import reported

CODE = """\
#include <cuda_runtime.h>
constexpr int kMost = 200 * 1024;
__global__ void gemm(float *data) { extern __shared__ float tile[]; data[0] = tile[0]; }
void run(float *data, int used) {
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, kMost);
    %s
}
"""
LIMIT, LAUNCH = "memory/shared-memory-limit", "memory/dynamic-shared-memory"


@pytest.mark.parametrize(
    ("launches", "found"),
    [
        ("gemm<<<1, 256, used>>>(data);", [LIMIT]),
        ("gemm<<<1, 256, 32 * 1024>>>(data);", [LIMIT]),
        ("gemm<<<1, 256, kMost>>>(data);", [LAUNCH, LAUNCH]),
        ("gemm<<<1, 256, 204800>>>(data);", [LAUNCH, LAUNCH]),
        ("gemm<<<1, 256, used>>>(data); gemm<<<1, 256, kMost>>>(data);", [LAUNCH, LAUNCH]),
        ("other<<<1, 256, used>>>(data);", [LAUNCH]),
        ("", [LAUNCH]),
    ],
)
def test_the_attribute_alone_is_a_limit(tmp_path: Path, launches: str, found: list[str]) -> None:
    findings = reported(tmp_path, {"a.cu": CODE % launches}).findings
    assert [one.rule for one in findings if one.rule in (LIMIT, LAUNCH)] == found
