// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/hip/HIPMacros.h>
#include <c10/util/Exception.h>
#include <c10/util/irange.h>

#include <hip/hip_runtime.h>

namespace c10 {
class CUDAError : public Error {
 public:
  using Error::Error;
};
namespace cuda {
void c10_cuda_check_implementation(const int32_t err, const char* filename, const char* function_name,
                                   const uint32_t line_number, const bool include_device_assertions);
}
}  // namespace c10

#define C10_CUDA_CHECK(EXPR)                                                                                       \
  do {                                                                                                             \
    const hipError_t __err = EXPR;                                                                                 \
    c10::cuda::c10_cuda_check_implementation(static_cast<int32_t>(__err), __FILE__, __func__,                      \
                                             static_cast<uint32_t>(__LINE__), true);                               \
  } while (0)
#define C10_HIP_CHECK C10_CUDA_CHECK
#define C10_CUDA_CHECK_WARN(EXPR) C10_CUDA_CHECK(EXPR)
#define C10_CUDA_ERROR_HANDLED(EXPR) EXPR
#define C10_CUDA_IGNORE_ERROR(EXPR)                       \
  do {                                                    \
    [[maybe_unused]] const hipError_t __err = EXPR;       \
  } while (0)
#define C10_CUDA_CLEAR_ERROR() C10_CUDA_IGNORE_ERROR(hipGetLastError())
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(hipGetLastError())
