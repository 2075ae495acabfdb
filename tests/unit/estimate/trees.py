"""Small trees to estimate."""

from __future__ import annotations

from pathlib import Path

from cudamigrate import estimate as estimates
from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.estimate.survey import Survey, join
from cudamigrate.frontends import known_files
from cudamigrate.model import FileResult, SourceFile
from cudamigrate.model.estimate import Component, Estimate
from cudamigrate.project import discovery

KERNEL = """#include <cuda_runtime.h>
__global__ void scale(float *x, float k) { x[threadIdx.x] *= k; }
void run(float *x) { cudaMalloc(&x, 64); scale<<<1, 16>>>(x, 2.f); }
"""
EXTENSION = """from setuptools import setup
from torch.utils.cpp_extension import CUDAExtension
setup(ext_modules=[CUDAExtension("a", ["a.cu"])])
"""
TRITON = "import torch\nimport triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x):\n    pass\n"
CUTLASS = """#include "cutlass/cutlass.h"
#include "cutlass/gemm/device/gemm.h"
using Gemm = cutlass::gemm::device::Gemm<float, int, float, int, float, int>;
"""
SPIN = "__global__ void lock(int *l) { while (atomicCAS(l, 0, 1)); *l = 0; }\n"
"""Manual work that no fix handles."""


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def estimate(root: Path, files: dict[str, str], config: Config | None = None) -> Estimate:
    found = pipeline.scan(write(root, files), config or Config(jobs=1)).estimate
    assert found is not None
    return found


def survey(root: Path, config: Config | None = None) -> Survey:
    """What the files that a scan reads below `root` say together."""
    read, results = estimates.reader(), []
    for entry in discovery.discover(root, config or Config(), known_files()).entries:
        source = discovery.read(root, entry)
        if isinstance(source, SourceFile):
            results.append(FileResult(entry.path, entry.language, 0, entry.size, False, clues=read(source)))
    return join(results)


def components(found: Estimate) -> dict[str, Component]:
    return {component.path: component for component in found.components}
