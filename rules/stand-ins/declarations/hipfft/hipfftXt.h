// cudamigrate declarations: plans of any type and several GPUs of hipFFT 1; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIPFFT_XT
#define CUDAMIGRATE_DECLARES_HIPFFT_XT
#include <hip/library_types.h>
#include <hipfft/hipfft.h>

extern "C" {
enum hipfftXtCallbackType_t {
    HIPFFT_CB_LD_COMPLEX = 0, HIPFFT_CB_LD_COMPLEX_DOUBLE = 1, HIPFFT_CB_LD_REAL = 2, HIPFFT_CB_LD_REAL_DOUBLE = 3,
    HIPFFT_CB_ST_COMPLEX = 4, HIPFFT_CB_ST_COMPLEX_DOUBLE = 5, HIPFFT_CB_ST_REAL = 6, HIPFFT_CB_ST_REAL_DOUBLE = 7,
    HIPFFT_CB_UNDEFINED = 8
};
typedef enum hipfftXtCallbackType_t hipfftXtCallbackType;
typedef hipfftComplex (*hipfftCallbackLoadC)(void *, size_t, void *, void *);
typedef hipfftDoubleComplex (*hipfftCallbackLoadZ)(void *, size_t, void *, void *);
typedef hipfftReal (*hipfftCallbackLoadR)(void *, size_t, void *, void *);
typedef hipfftDoubleReal (*hipfftCallbackLoadD)(void *, size_t, void *, void *);
typedef void (*hipfftCallbackStoreC)(void *, size_t, hipfftComplex, void *, void *);
typedef void (*hipfftCallbackStoreZ)(void *, size_t, hipfftDoubleComplex, void *, void *);
typedef void (*hipfftCallbackStoreR)(void *, size_t, hipfftReal, void *, void *);
typedef void (*hipfftCallbackStoreD)(void *, size_t, hipfftDoubleReal, void *, void *);

#define MAX_HIP_DESCRIPTOR_GPUS 64
struct hipXtDesc_t {
    int version;
    int nGPUs;
    int GPUs[MAX_HIP_DESCRIPTOR_GPUS];
    void *data[MAX_HIP_DESCRIPTOR_GPUS];
    size_t size[MAX_HIP_DESCRIPTOR_GPUS];
    void *hipXtState;
};
typedef struct hipXtDesc_t hipXtDesc;
enum hiplibFormat_t { HIPLIB_FORMAT_HIPFFT = 0, HIPLIB_FORMAT_UNDEFINED = 1 };
typedef enum hiplibFormat_t hiplibFormat;
struct hipLibXtDesc_t {
    int version;
    hipXtDesc *descriptor;
    hiplibFormat library;
    int subFormat;
    void *libDescriptor;
};
typedef struct hipLibXtDesc_t hipLibXtDesc;
enum hipfftXtCopyType_t {
    HIPFFT_COPY_HOST_TO_DEVICE = 0, HIPFFT_COPY_DEVICE_TO_HOST = 1, HIPFFT_COPY_DEVICE_TO_DEVICE = 2,
    HIPFFT_COPY_UNDEFINED = 3
};
typedef enum hipfftXtCopyType_t hipfftXtCopyType;
enum hipfftXtSubFormat_t {
    HIPFFT_XT_FORMAT_INPUT = 0, HIPFFT_XT_FORMAT_OUTPUT = 1, HIPFFT_XT_FORMAT_INPLACE = 2,
    HIPFFT_XT_FORMAT_INPLACE_SHUFFLED = 3, HIPFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 4, HIPFFT_FORMAT_UNDEFINED = 5
};
typedef enum hipfftXtSubFormat_t hipfftXtSubFormat;

hipfftResult hipfftXtMakePlanMany(
    hipfftHandle, int rank, long long *n, long long *inembed, long long istride, long long idist, hipDataType,
    long long *onembed, long long ostride, long long odist, hipDataType, long long batch, size_t *, hipDataType);
hipfftResult hipfftXtGetSizeMany(
    hipfftHandle, int rank, long long *n, long long *inembed, long long istride, long long idist, hipDataType,
    long long *onembed, long long ostride, long long odist, hipDataType, long long batch, size_t *, hipDataType);
hipfftResult hipfftXtExec(hipfftHandle, void *input, void *output, int direction);
hipfftResult hipfftXtSetCallback(hipfftHandle, void **, hipfftXtCallbackType, void **);
hipfftResult hipfftXtClearCallback(hipfftHandle, hipfftXtCallbackType);
hipfftResult hipfftXtSetCallbackSharedSize(hipfftHandle, hipfftXtCallbackType, size_t);
hipfftResult hipfftXtSetGPUs(hipfftHandle, int, int *);
hipfftResult hipfftXtMalloc(hipfftHandle, hipLibXtDesc **, hipfftXtSubFormat);
hipfftResult hipfftXtMemcpy(hipfftHandle, void *, void *, hipfftXtCopyType);
hipfftResult hipfftXtFree(hipLibXtDesc *);
hipfftResult hipfftXtSetWorkArea(hipfftHandle, void **);
hipfftResult hipfftXtExecDescriptor(hipfftHandle, hipLibXtDesc *, hipLibXtDesc *, int direction);
hipfftResult hipfftXtExecDescriptorC2C(hipfftHandle, hipLibXtDesc *, hipLibXtDesc *, int direction);
hipfftResult hipfftXtExecDescriptorZ2Z(hipfftHandle, hipLibXtDesc *, hipLibXtDesc *, int direction);
hipfftResult hipfftXtExecDescriptorR2C(hipfftHandle, hipLibXtDesc *, hipLibXtDesc *);
hipfftResult hipfftXtExecDescriptorD2Z(hipfftHandle, hipLibXtDesc *, hipLibXtDesc *);
hipfftResult hipfftXtExecDescriptorC2R(hipfftHandle, hipLibXtDesc *, hipLibXtDesc *);
hipfftResult hipfftXtExecDescriptorZ2D(hipfftHandle, hipLibXtDesc *, hipLibXtDesc *);
}
#endif
