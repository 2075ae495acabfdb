// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/util/Exception.h>

#include <limits>

namespace at::cuda::detail {
// A loop whose index goes through the grid; the counter behind it is 64 bits wide whatever the index is.
#define CUDA_KERNEL_LOOP_TYPE(index, count, Index)                                     \
  int64_t _i_n_d_e_x = threadIdx.x + int64_t(blockIdx.x) * blockDim.x;                 \
  for (Index index = Index(_i_n_d_e_x); _i_n_d_e_x < (count);                          \
       index = Index(_i_n_d_e_x += int64_t(gridDim.x) * blockDim.x))
#define CUDA_KERNEL_LOOP(index, count) CUDA_KERNEL_LOOP_TYPE(index, count, int)
constexpr int CUDA_NUM_THREADS = 1024;
int GET_BLOCKS(const int64_t N, const int64_t max_threads_per_block = CUDA_NUM_THREADS);
}  // namespace at::cuda::detail
