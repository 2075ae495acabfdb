// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/hip/HIPContext.h>
#include <ATen/ceil_div.h>

namespace at::cuda {
template <typename T>
__host__ __device__ __forceinline__ T ATenCeilDiv(T a, T b) {
  return (a + b - 1) / b;
}
template <int step = 1>
bool getApplyGrid(uint64_t totalElements, dim3& grid, c10::DeviceIndex curDevice, int max_threads_per_block = 512);
constexpr int getApplyBlocksPerSM() { return 4; }
constexpr int getApplyBlockSize() { return 512; }
dim3 getApplyBlock(int max_threads_per_block = getApplyBlockSize());
}  // namespace at::cuda
