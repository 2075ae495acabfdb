// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/csrc/stable/c/shim.h>
#include <torch/headeronly/util/Exception.h>
#include <torch/headeronly/util/shim_utils.h>

#include <hip/hip_runtime.h>

#define STD_CUDA_CHECK(EXPR)                                                                                      \
  do {                                                                                                            \
    const hipError_t __err = EXPR;                                                                                \
    char* __message = nullptr;                                                                                    \
    torch_c10_cuda_check_msg(static_cast<int32_t>(__err), __FILE__, __func__, static_cast<uint32_t>(__LINE__), true, \
                             &__message);                                                                         \
  } while (0)
#define STD_CUDA_KERNEL_LAUNCH_CHECK() STD_CUDA_CHECK(hipGetLastError())
#define STABLE_TORCH_ERROR_CODE_CHECK(call) TORCH_ERROR_CODE_CHECK(call)
