// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/Context.h>
#include <c10/hip/HIPException.h>

#include <hipblas/hipblas.h>
#include <hipsolver/hipsolver.h>
#include <hipsparse/hipsparse.h>

namespace at::cuda::blas {
const char* _cublasGetErrorEnum(hipblasStatus_t error);
}
namespace at::cuda::sparse {
const char* cusparseGetErrorString(hipsparseStatus_t status);
}
namespace at::cuda::solver {
const char* hipsolverGetErrorMessage(hipsolverStatus_t status);
}
#define CUDAMIGRATE_STATUS_CHECK(type, success, EXPR) \
  do {                                                \
    type __err = EXPR;                                \
    TORCH_CHECK(__err == success, #EXPR);             \
  } while (0)
#define TORCH_CUDABLAS_CHECK(EXPR) CUDAMIGRATE_STATUS_CHECK(hipblasStatus_t, HIPBLAS_STATUS_SUCCESS, EXPR)
#define TORCH_CUDASPARSE_CHECK(EXPR) CUDAMIGRATE_STATUS_CHECK(hipsparseStatus_t, HIPSPARSE_STATUS_SUCCESS, EXPR)
#define TORCH_CUSOLVER_CHECK(EXPR) CUDAMIGRATE_STATUS_CHECK(hipsolverStatus_t, HIPSOLVER_STATUS_SUCCESS, EXPR)
#define AT_CUDA_CHECK(EXPR) C10_CUDA_CHECK(EXPR)
#define AT_CUDA_DRIVER_CHECK(EXPR) CUDAMIGRATE_STATUS_CHECK(hipError_t, hipSuccess, EXPR)
