// cudamigrate declarations: launches with events of HIP 7; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIP_EXT
#define CUDAMIGRATE_DECLARES_HIP_EXT
#include <hip/hip_runtime.h>
#include <cstdint>

extern "C" hipError_t hipExtModuleLaunchKernel(
    hipFunction_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, size_t, hipStream_t, void **kernelParams,
    void **extra, hipEvent_t start = nullptr, hipEvent_t stop = nullptr, uint32_t flags = 0);
extern "C" hipError_t hipExtLaunchKernel(
    const void *, dim3, dim3, void **, size_t, hipStream_t, hipEvent_t start, hipEvent_t stop, int flags);
template <typename... Args, typename F = void (*)(Args...)>
void hipExtLaunchKernelGGL(
    F, const dim3 &, const dim3 &, std::uint32_t, hipStream_t, hipEvent_t, hipEvent_t, std::uint32_t, Args...);
#endif
