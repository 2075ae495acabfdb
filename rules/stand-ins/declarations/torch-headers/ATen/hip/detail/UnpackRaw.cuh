// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/hip/detail/PhiloxCudaStateRaw.cuh>

#include <hip/hip_runtime.h>

#include <tuple>

namespace at::cuda::philox {
__host__ __device__ std::tuple<uint64_t, uint64_t> unpack(at::PhiloxCudaState state);
}
