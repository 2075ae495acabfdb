// cudamigrate declarations: names and types of hipFFT 10.0; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIPFFT_HIPFFT_H
#define CUDAMIGRATE_DECLARES_HIPFFT_HIPFFT_H
#include <hip/hip_runtime_api.h>
#include <hip/hip_complex.h>
#include <hip/library_types.h>
#include <stdint.h>
#include <cstddef>
#define HIPFFT_H_
#define HIPFFT_FORWARD -1
#define HIPFFT_BACKWARD 1
extern "C" {
enum hipfftResult_t { HIPFFT_SUCCESS = 0, HIPFFT_INVALID_PLAN = 1, HIPFFT_ALLOC_FAILED = 2, HIPFFT_INVALID_TYPE = 3, HIPFFT_INVALID_VALUE = 4, HIPFFT_INTERNAL_ERROR = 5, HIPFFT_EXEC_FAILED = 6, HIPFFT_SETUP_FAILED = 7, HIPFFT_INVALID_SIZE = 8, HIPFFT_UNALIGNED_DATA = 9, HIPFFT_INCOMPLETE_PARAMETER_LIST = 10, HIPFFT_INVALID_DEVICE = 11, HIPFFT_PARSE_ERROR = 12, HIPFFT_NO_WORKSPACE = 13, HIPFFT_NOT_IMPLEMENTED = 14, HIPFFT_NOT_SUPPORTED = 16 };
typedef hipfftResult_t hipfftResult;
enum hipfftType_t { HIPFFT_R2C = 42, HIPFFT_C2R = 44, HIPFFT_C2C = 41, HIPFFT_D2Z = 106, HIPFFT_Z2D = 108, HIPFFT_Z2Z = 105 };
typedef hipfftType_t hipfftType;
enum hipfftLibraryPropertyType_t { HIPFFT_MAJOR_VERSION = 0, HIPFFT_MINOR_VERSION = 1, HIPFFT_PATCH_LEVEL = 2 };
typedef hipfftLibraryPropertyType_t hipfftLibraryPropertyType;
struct hipfftHandle_t;
typedef hipfftHandle_t *hipfftHandle;
typedef float2 hipfftComplex;
typedef double2 hipfftDoubleComplex;
typedef float hipfftReal;
typedef double hipfftDoubleReal;
hipfftResult_t hipfftPlan1d(hipfftHandle *plan, int nx, hipfftType_t type, int batch);
hipfftResult_t hipfftPlan2d(hipfftHandle *plan, int nx, int ny, hipfftType_t type);
hipfftResult_t hipfftPlan3d(hipfftHandle *plan, int nx, int ny, int nz, hipfftType_t type);
hipfftResult_t hipfftPlanMany(hipfftHandle *plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist, hipfftType_t type, int batch);
hipfftResult_t hipfftCreate(hipfftHandle *plan);
hipfftResult_t hipfftExtPlanScaleFactor(hipfftHandle plan, double scalefactor);
hipfftResult_t hipfftMakePlan1d(hipfftHandle plan, int nx, hipfftType_t type, int batch, size_t *workSize);
hipfftResult_t hipfftMakePlan2d(hipfftHandle plan, int nx, int ny, hipfftType_t type, size_t *workSize);
hipfftResult_t hipfftMakePlan3d(hipfftHandle plan, int nx, int ny, int nz, hipfftType_t type, size_t *workSize);
hipfftResult_t hipfftMakePlanMany(hipfftHandle plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist, hipfftType_t type, int batch, size_t *workSize);
hipfftResult_t hipfftMakePlanMany64(hipfftHandle plan, int rank, long long *n, long long *inembed, long long istride, long long idist, long long *onembed, long long ostride, long long odist, hipfftType_t type, long long batch, size_t *workSize);
hipfftResult_t hipfftEstimate1d(int nx, hipfftType_t type, int batch, size_t *workSize);
hipfftResult_t hipfftEstimate2d(int nx, int ny, hipfftType_t type, size_t *workSize);
hipfftResult_t hipfftEstimate3d(int nx, int ny, int nz, hipfftType_t type, size_t *workSize);
hipfftResult_t hipfftEstimateMany(int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist, hipfftType_t type, int batch, size_t *workSize);
hipfftResult_t hipfftGetSize1d(hipfftHandle plan, int nx, hipfftType_t type, int batch, size_t *workSize);
hipfftResult_t hipfftGetSize2d(hipfftHandle plan, int nx, int ny, hipfftType_t type, size_t *workSize);
hipfftResult_t hipfftGetSize3d(hipfftHandle plan, int nx, int ny, int nz, hipfftType_t type, size_t *workSize);
hipfftResult_t hipfftGetSizeMany(hipfftHandle plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist, hipfftType_t type, int batch, size_t *workSize);
hipfftResult_t hipfftGetSizeMany64(hipfftHandle plan, int rank, long long *n, long long *inembed, long long istride, long long idist, long long *onembed, long long ostride, long long odist, hipfftType_t type, long long batch, size_t *workSize);
hipfftResult_t hipfftGetSize(hipfftHandle plan, size_t *workSize);
hipfftResult_t hipfftSetAutoAllocation(hipfftHandle plan, int autoAllocate);
hipfftResult_t hipfftSetWorkArea(hipfftHandle plan, void *workArea);
hipfftResult_t hipfftExecC2C(hipfftHandle plan, float2 *idata, float2 *odata, int direction);
hipfftResult_t hipfftExecR2C(hipfftHandle plan, float *idata, float2 *odata);
hipfftResult_t hipfftExecC2R(hipfftHandle plan, float2 *idata, float *odata);
hipfftResult_t hipfftExecZ2Z(hipfftHandle plan, double2 *idata, double2 *odata, int direction);
hipfftResult_t hipfftExecD2Z(hipfftHandle plan, double *idata, double2 *odata);
hipfftResult_t hipfftExecZ2D(hipfftHandle plan, double2 *idata, double *odata);
hipfftResult_t hipfftSetStream(hipfftHandle plan, hipStream_t stream);
hipfftResult_t hipfftDestroy(hipfftHandle plan);
hipfftResult_t hipfftGetVersion(int *version);
hipfftResult_t hipfftGetProperty(hipfftLibraryPropertyType_t type, int *value);
}
#endif
