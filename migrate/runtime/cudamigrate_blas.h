// cudamigrate_blas.h: what cuBLAS takes for the type to compute in, as hipBLAS takes it.
//
// Included by code that cudamigrate converted to HIP; copy it wherever that code goes.
#ifndef CUDAMIGRATE_BLAS_H
#define CUDAMIGRATE_BLAS_H

#include <hip/library_types.h>
#include <hipblas/hipblas.h>

namespace cudamigrate {

// The compute type that cuBLAS's own header makes of a data type: cublasMigrateComputeType. For the data types that it
// refuses, a number that is no compute type, so that hipBLAS refuses it.
inline hipblasComputeType_t compute_type(hipDataType type) {
    switch (type) {
        case HIP_R_16F: return HIPBLAS_COMPUTE_16F;
        case HIP_R_32F:
        case HIP_C_32F: return HIPBLAS_COMPUTE_32F;
        case HIP_R_64F:
        case HIP_C_64F: return HIPBLAS_COMPUTE_64F;
        case HIP_R_32I: return HIPBLAS_COMPUTE_32I;
        default: return static_cast<hipblasComputeType_t>(15);
    }
}

}  // namespace cudamigrate

#endif  // CUDAMIGRATE_BLAS_H
