// CUDA on the emulated GPU: warps of 32 lanes, masks of 32 bits, and functions with a mask that wait for its lanes.
#ifndef CUDAMIGRATE_EMULATION_CUDA_RUNTIME_H
#define CUDAMIGRATE_EMULATION_CUDA_RUNTIME_H

// Headers of CUDA's samples ask by these whether the runtime is there.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define CUDART_CB
#define CUDARTAPI

// What a NaN of a double is as an integer of 32 bits: the least one on an NVIDIA GPU, 0 on an AMD one.
#define CUDAMIGRATE_EMULATION_NAN (-2147483647 - 1)
#include "../common/atomics.h"
#include "../common/language.h"
#include "../common/lanes.h"
#include "../common/math.h"

#define API(name) cuda##name
#define API_MAKE(name) make_cuda##name
#include "../common/runtime_api.h"
#include "../common/texture_references.h"
#include "../common/graphs.h"
#undef API_MAKE
#undef API

// The order of members is CUDA's.
struct cudaKernelNodeParams {
    void *func;
    dim3 cudamigrate_emulation_gridDim;
    dim3 cudamigrate_emulation_blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra;
};

struct cudaDeviceProp {
    CUDAMIGRATE_EMULATION_PROPERTIES
};
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *device, int) {
    ::cudamigrate_emulation::describe(device);
    device->sharedMemPerMultiprocessor = device->sharedMemPerBlockOptin = 96 * 1024;
    return cudaSuccess;
}
typedef enum cudaFuncCache cudaFuncCache;
typedef cudaError_t cudaError;
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrClockRate = 13,
    cudaDevAttrIntegrated = 18,
    cudaDevAttrComputeMode = 20,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrMemoryPoolsSupported = 115,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
};
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr which, int) {
    *value = which == cudaDevAttrMaxThreadsPerBlock               ? 1024
             : which == cudaDevAttrMaxSharedMemoryPerBlock        ? 48 * 1024
             : which == cudaDevAttrWarpSize                       ? 32
             : which == cudaDevAttrMultiProcessorCount            ? 4
             : which == cudaDevAttrComputeCapabilityMajor         ? 7
             : which == cudaDevAttrMaxSharedMemoryPerBlockOptin   ? 96 * 1024
             : which == cudaDevAttrMaxThreadsPerMultiProcessor    ? 2048
             : which == cudaDevAttrClockRate                      ? 1000000
             : which == cudaDevAttrManagedMemory                  ? 1
                                                                  : which == cudaDevAttrCooperativeLaunch;
    return cudaSuccess;
}
enum cudaComputeMode { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited };
enum {
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaMemAttachGlobal = 1,
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaDeviceMapHost = 8,
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleBlockingSync = 4,
    cudaCpuDeviceId = -1,
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseSetAccessedBy = 5
};
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaThreadExit() { return cudaSuccess; }
template <typename... Any>
cudaError_t cudaProfilerStart(const Any &...) {
    return cudaSuccess;
}
template <typename... Any>
cudaError_t cudaProfilerStop(const Any &...) {
    return cudaSuccess;
}

namespace cudamigrate_emulation {

// Which lane a shuffle reads, by the PTX instruction behind it: the lane's number, and all of its arguments.
CUDAMIGRATE_EMULATION_UNSEEN inline int from_lane(int lane_number, int width) {
    return (lane() & ~(width - 1)) | (lane_number & (width - 1));
}
CUDAMIGRATE_EMULATION_UNSEEN inline int from_above(unsigned int delta, int width) {
    const int from = lane() - static_cast<int>(delta & 31u);
    return from < (lane() & ~(width - 1)) ? lane() : from;
}
CUDAMIGRATE_EMULATION_UNSEEN inline int from_below(unsigned int delta, int width) {
    const int from = lane() + static_cast<int>(delta & 31u);
    return from > (lane() | (width - 1)) ? lane() : from;
}
CUDAMIGRATE_EMULATION_UNSEEN inline int from_across(int mask, int width) {
    const int from = lane() ^ (mask & 31);
    return from > (lane() | (width - 1)) ? lane() : from;
}

// Registers of PTX.
inline unsigned int register_laneid() { return static_cast<unsigned int>(lane()); }
inline unsigned int register_warpid() {
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / 32u;
}
inline unsigned int register_lanemask_eq() { return 1u << lane(); }
inline unsigned int register_lanemask_lt() { return register_lanemask_eq() - 1u; }
inline unsigned int register_lanemask_le() { return register_lanemask_lt() | register_lanemask_eq(); }
inline unsigned int register_lanemask_gt() { return ~register_lanemask_le(); }
inline unsigned int register_lanemask_ge() { return ~register_lanemask_lt(); }

// What CUDA's shuffles give for a type: that of the overload which takes it. Halves have their own.
struct Own {};
int overload(int);
unsigned int overload(unsigned int);
long overload(long);
unsigned long overload(unsigned long);
long long overload(long long);
unsigned long long overload(unsigned long long);
Own overload(float);
Own overload(double);
template <typename T>
decltype(overload(std::declval<T>())) overload_of(int);
template <typename T>
Own overload_of(...);
template <typename T>
using Overload = decltype(overload_of<T>(0));
template <typename T>
using Shuffled = std::conditional_t<std::is_same<Overload<T>, Own>::value, T, Overload<T>>;

}  // namespace cudamigrate_emulation

#define CUDAMIGRATE_EMULATION_SHUFFLE(name, kind, source)                                                           \
    template <typename T, typename Given = ::cudamigrate_emulation::Shuffled<T>>                                    \
    CUDAMIGRATE_EMULATION_UNSEEN Given name##_sync(unsigned int mask, T value, kind lane, int width = 32) {         \
        return ::cudamigrate_emulation::read_lane<Given>(value, ::cudamigrate_emulation::source(lane, width), mask); \
    }                                                                                                               \
    template <typename T, typename Given = ::cudamigrate_emulation::Shuffled<T>>                                    \
    CUDAMIGRATE_EMULATION_UNSEEN Given name(T value, kind lane, int width = 32) {                                   \
        return ::cudamigrate_emulation::read_lane<Given>(value, ::cudamigrate_emulation::source(lane, width));      \
    }
CUDAMIGRATE_EMULATION_SHUFFLE(__shfl, int, from_lane)
CUDAMIGRATE_EMULATION_SHUFFLE(__shfl_up, unsigned int, from_above)
CUDAMIGRATE_EMULATION_SHUFFLE(__shfl_down, unsigned int, from_below)
CUDAMIGRATE_EMULATION_SHUFFLE(__shfl_xor, int, from_across)
#undef CUDAMIGRATE_EMULATION_SHUFFLE

inline unsigned int __ballot(int predicate) {
    return static_cast<unsigned int>(::cudamigrate_emulation::ballot(predicate != 0));
}
inline int __any(int predicate) { return __ballot(predicate) != 0; }
inline int __all(int predicate) { return __ballot(predicate == 0) == 0; }
inline unsigned int __activemask() { return __ballot(1); }
inline unsigned int __ballot_sync(unsigned int mask, int predicate) {
    return static_cast<unsigned int>(::cudamigrate_emulation::ballot(predicate != 0, mask)) & mask;
}
inline int __any_sync(unsigned int mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
inline int __all_sync(unsigned int mask, int predicate) { return __ballot_sync(mask, predicate == 0) == 0; }
inline void __syncwarp(unsigned int mask = 0xffffffffu) { ::cudamigrate_emulation::meet(0, mask); }
template <typename T>
unsigned int __match_any_sync(unsigned int mask, T value) {
    return static_cast<unsigned int>(::cudamigrate_emulation::match(mask, value, mask));
}
template <typename T>
unsigned int __match_all_sync(unsigned int mask, T value, int *predicate) {
    const unsigned int members = __ballot_sync(mask, 1);
    *predicate = __match_any_sync(mask, value) == members && __all_sync(mask, 1);
    return *predicate ? members : 0;
}
#define CUDAMIGRATE_EMULATION_REDUCE(name, Operation)                                                             \
    template <typename T>                                                                                         \
    T name(unsigned int mask, T value) {                                                                          \
        return ::cudamigrate_emulation::combined(mask, value, ::cudamigrate_emulation::Operation(), mask);        \
    }
CUDAMIGRATE_EMULATION_REDUCE(__reduce_add_sync, Add)
CUDAMIGRATE_EMULATION_REDUCE(__reduce_min_sync, Least)
CUDAMIGRATE_EMULATION_REDUCE(__reduce_max_sync, Most)
CUDAMIGRATE_EMULATION_REDUCE(__reduce_and_sync, And)
CUDAMIGRATE_EMULATION_REDUCE(__reduce_or_sync, Or)
CUDAMIGRATE_EMULATION_REDUCE(__reduce_xor_sync, Xor)
#undef CUDAMIGRATE_EMULATION_REDUCE

CUDAMIGRATE_EMULATION_UNSEEN inline int __dp4a(int a, int b, int c) {
    for (int shift = 0; shift < 32; shift += 8) {
        c += static_cast<signed char>(a >> shift) * static_cast<signed char>(b >> shift);
    }
    return c;
}
CUDAMIGRATE_EMULATION_UNSEEN inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
    for (int shift = 0; shift < 32; shift += 8) c += (a >> shift & 0xffu) * (b >> shift & 0xffu);
    return c;
}
CUDAMIGRATE_EMULATION_UNSEEN inline unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
    if (offset == 0) return mask >> base & 1u ? base : ~0u;
    int left = offset < 0 ? -offset : offset;
    for (int at = static_cast<int>(base); at >= 0 && at < 32; at += offset > 0 ? 1 : -1) {
        if ((mask >> at & 1u) != 0 && --left == 0) return static_cast<unsigned int>(at);
    }
    return ~0u;
}

#endif  // CUDAMIGRATE_EMULATION_CUDA_RUNTIME_H
