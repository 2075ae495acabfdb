// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/csrc/stable/c/shim.h>
#include <torch/headeronly/util/Exception.h>
#include <torch/headeronly/util/shim_utils.h>

#include <hip/hip_runtime.h>

#define STD_CUDA_CHECK(call)                                                                                    \
  do {                                                                                                          \
    const hipError_t cudamigrate_status = (call);                                                               \
    char* cudamigrate_text;                                                                                     \
    torch_c10_cuda_check_msg(cudamigrate_status, __FILE__, __func__, __LINE__, true, &cudamigrate_text);        \
  } while (false)
#define STD_CUDA_KERNEL_LAUNCH_CHECK() STD_CUDA_CHECK(hipGetLastError())
#define STABLE_TORCH_ERROR_CODE_CHECK(call) TORCH_ERROR_CODE_CHECK(call)
