"""A first file for a process: all that is imported, compiled and looked up for usual CUDA code, before others need it.

A worker that is started by copying a process has what that process has. The first file with device code takes as long
as several others; read here once, it takes no time of any worker.
"""

from __future__ import annotations

from pathlib import Path

from cudamigrate import estimate
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.inspect_tree import Inspector
from cudamigrate.rulebase.code_rules import Rulebook

_SOURCE = b"""#include <cuda_runtime.h>
#include <cub/cub.cuh>
#include "own.h"
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 700
#define LANES 32
#endif
namespace own {
template <typename T>
struct Shifted {
    T by;
    __device__ T operator()(T value) const { return value + by; }
};
__device__ __forceinline__ float sum(float value) {
    for (int step = LANES / 2; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
    return value;
}
__global__ void add(const float* in, float* out, int count) {
    __shared__ float sums[32];
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    float value = sum(at < count ? in[at] : 0.f);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
    __syncthreads();
    unsigned votes = __ballot_sync(0xffffffff, value > 0);
    if (threadIdx.x == 0) atomicAdd(out, sums[0] + __popc(votes));
}
void run(const float* host, int count) {
    float *in, *out;
    cudaStream_t stream;
    cudaMalloc(&in, count * sizeof(float));
    cudaMalloc(&out, sizeof(float));
    cudaStreamCreate(&stream);
    cudaMemcpyAsync(in, host, count * sizeof(float), cudaMemcpyHostToDevice, stream);
    add<<<(count + 255) / 256, 256, 0, stream>>>(in, out, count);
    if (cudaGetLastError() != cudaSuccess) return;
    cudaFree(in);
}
}
"""


def read(root: Path, book: Rulebook) -> None:
    """Inspect a small source of our own with some rules; nothing comes of it."""
    work = Inspector(root, book, (), False, estimate.reader(), None, {}, {})
    work.of(SourceFile("first.cu", _SOURCE, "cuda"))
