// cuBLAS: see common/blas.h.
#ifndef CUDAMIGRATE_EMULATION_CUBLAS_H
#define CUDAMIGRATE_EMULATION_CUBLAS_H

#include "cuda_runtime.h"
#define BLAS(name) cublas##name
#define BLAS_UPPER(name) CUBLAS_##name
#include "../common/blas.h"
#undef BLAS
#undef BLAS_UPPER

typedef enum { CUBLAS_DEFAULT_MATH, CUBLAS_TENSOR_OP_MATH, CUBLAS_PEDANTIC_MATH, CUBLAS_TF32_TENSOR_OP_MATH } cublasMath_t;
inline cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t) { return CUBLAS_STATUS_SUCCESS; }
inline const char *cublasGetStatusString(cublasStatus_t status) {
    return status == CUBLAS_STATUS_SUCCESS ? "success" : "an error of cuBLAS";
}

#endif  // CUDAMIGRATE_EMULATION_CUBLAS_H
