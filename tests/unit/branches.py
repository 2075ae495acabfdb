"""A small CUDA project in a git repository, and `cudamigrate apply` on it in this process."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from cudamigrate.cli import app

KERNEL = """\
#include <cuda_runtime.h>

__device__ float sum(float x) {
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_down_sync(0xffffffff, x, d);
    return x;
}

__device__ unsigned clock_now() {
    unsigned now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
    return now;
}

__global__ void total(float *out, const float *in) {
    float x = sum(__ldcs(in + threadIdx.x));
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = x + clock_now() * 0;
}
"""
HOST = """\
#include <cuda_runtime.h>
#include <cstdio>

int main() {
    float *out;
    cudaMalloc(&out, 64);
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    if (prop.major >= 7)
        std::printf("new\\n");
    cudaFree(out);
    return 0;
}
"""
FILES = {
    "src/sum.cu": KERNEL,
    "src/main.cu": HOST,
    "Makefile": "sum: src/sum.cu src/main.cu\n\tnvcc -arch=sm_80 -o sum src/sum.cu src/main.cu\n\ntest: sum\n\t./sum\n",
    "requirements.txt": "--extra-index-url https://download.pytorch.org/whl/cu124\ntorch\n",
    "Dockerfile": "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\nCOPY . /src\n",
    "README.md": "A sum.\n",
}


@dataclass
class Done:
    """What a command printed."""

    stdout: str
    stderr: str


def run(root: Path, *words: str, given: str = "", code: int = 0) -> Done:
    """`cudamigrate apply` in a folder, without the type check, in this process: a start takes longer than the work."""
    printed, told = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        for name, stream in (("stdin", io.StringIO(given)), ("stdout", printed), ("stderr", told)):
            patch.setattr(sys, name, stream)
        with pytest.raises(SystemExit) as ended:
            app.main(["apply", ".", "--no-verify", *words])
    texts = [stream.buffer.getvalue().decode() for stream in (printed, told)]  # type: ignore[attr-defined]
    assert ended.value.code == code, texts
    return Done(*texts)
