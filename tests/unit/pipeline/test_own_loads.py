"""Loads of 16-bit floats that a header of the project defines: HIP has those, and others it has not."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

KERNEL = """#include "loads.cuh"
#include <hip/hip_runtime.h>
template <typename scalar_t> __global__ void take(int n, scalar_t *out, const scalar_t *in) { out[n] = __ldg(in + n); }
void f(at::Tensor t, at::Tensor o, int n) {
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(t.scalar_type(), "take", [&] {
        take<scalar_t><<<2, 64>>>(n, o.data_ptr<scalar_t>(), t.data_ptr<scalar_t>());
    });
}
"""
LOAD = "__device__ __inline__ {0} __ldg(const {0} *p) {{ return *p; }}\n"


@pytest.mark.parametrize(
    ("header", "found"),
    [
        pytest.param(f"#ifdef USE_ROCM\n{LOAD.format('at::Half')}#endif\n", 0, id="for HIP"),
        pytest.param(LOAD.format("c10::Half"), 0, id="for both"),
        pytest.param(f"#ifndef USE_ROCM\n{LOAD.format('at::Half')}#endif\n", 1, id="for CUDA"),
        pytest.param(LOAD.format("at::BFloat16"), 1, id="another type"),
        pytest.param("__device__ at::Half __ldg(const at::Half *p);\n", 1, id="declared alone"),
    ],
)
def test_a_load_that_the_project_defines_for_hip_is_there(tmp_path: Path, header: str, found: int) -> None:
    written(tmp_path, {"k.cu": KERNEL, "loads.cuh": f"#pragma once\n#include <ATen/ATen.h>\n{header}"})
    rules = [one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings]
    assert rules.count("memory/load-type") == found


def test_a_header_that_the_file_does_not_read_says_nothing(tmp_path: Path) -> None:
    files = {"k.cu": KERNEL.partition("\n")[2], "loads.cuh": LOAD.format("at::Half"), "b.cu": '#include "loads.cuh"\n'}
    written(tmp_path, files)
    assert "memory/load-type" in [one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings]
