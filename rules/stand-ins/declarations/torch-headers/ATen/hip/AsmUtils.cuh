// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <cstdint>

#include <hip/hip_runtime.h>

namespace at::cuda {
template <typename T>
struct Bitfield {
  static __host__ __device__ T getBitfield(T value, int position, int length);
  static __host__ __device__ T setBitfield(T value, T insert, int position, int length);
};
__device__ int getLaneId();
// A mask has a bit for each of 64 lanes.
__device__ unsigned long long int getLaneMaskLt();
__device__ unsigned long long int getLaneMaskLe();
__device__ unsigned long long int getLaneMaskGt();
__device__ unsigned long long int getLaneMaskGe();
}  // namespace at::cuda
