// hipBLAS: see common/blas.h.
#ifndef CUDAMIGRATE_EMULATION_HIPBLAS_H
#define CUDAMIGRATE_EMULATION_HIPBLAS_H

#include "../hip/hip_runtime.h"
#define BLAS(name) hipblas##name
#define BLAS_UPPER(name) HIPBLAS_##name
#include "../../common/blas.h"
#undef BLAS
#undef BLAS_UPPER

typedef enum { HIPBLAS_DEFAULT_MATH, HIPBLAS_TENSOR_OP_MATH, HIPBLAS_XF32_XDL_MATH } hipblasMath_t;
inline hipblasStatus_t hipblasSetMathMode(hipblasHandle_t, hipblasMath_t) { return HIPBLAS_STATUS_SUCCESS; }
inline const char *hipblasStatusToString(hipblasStatus_t status) {
    return status == HIPBLAS_STATUS_SUCCESS ? "success" : "an error of hipBLAS";
}

#endif  // CUDAMIGRATE_EMULATION_HIPBLAS_H
