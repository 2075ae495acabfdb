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

#define C10_CUDA_CHECK(call)                                                                               \
  do {                                                                                                     \
    const hipError_t cudamigrate_status = (call);                                                          \
    ::c10::cuda::c10_cuda_check_implementation(cudamigrate_status, __FILE__, __func__, __LINE__, true);     \
  } while (false)
#define C10_HIP_CHECK C10_CUDA_CHECK
#define C10_CUDA_CHECK_WARN(call) C10_CUDA_CHECK(call)
#define C10_CUDA_ERROR_HANDLED(call) call
#define C10_CUDA_IGNORE_ERROR(call) \
  do static_cast<void>(static_cast<hipError_t>(call)); while (false)
#define C10_CUDA_CLEAR_ERROR() C10_CUDA_IGNORE_ERROR(hipGetLastError())
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(hipGetLastError())
