// cudamigrate declarations: names and types of helper_cuda.h of NVIDIA's CUDA samples; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HELPER_CUDA_H
#define CUDAMIGRATE_DECLARES_HELPER_CUDA_H
#include <hip/hip_runtime_api.h>
#include <stdint.h>
#include "helper_string.h"
template <class T> const char *_cudaGetErrorEnum(T);
template <class T> void check(T, const char *, const char *, int);
void __getLastCudaError(const char *, const char *, int);
void __printLastCudaError(const char *, const char *, int);
#define checkCudaErrors(call) check((call), "", "", 0)
#define getLastCudaError(text) __getLastCudaError(text, "", 0)
#define printLastCudaError(text) __printLastCudaError(text, "", 0)
#ifndef MAX
#define MAX(one, other) ((other) < (one) ? (one) : (other))
#endif
int ftoi(float);
int _ConvertSMVer2Cores(int, int);
const char *_ConvertSMVer2ArchName(int, int);
int gpuDeviceInit(int);
int gpuGetMaxGflopsDeviceId();
int findCudaDevice(int, const char **);
int findIntegratedGPU();
bool checkCudaCapabilities(int, int);
#endif
