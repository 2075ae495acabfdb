// HIP on the emulated GPU: wavefronts of 32 or 64 lanes in lock step, and masks of 64 bits.
//
// Where HIP leaves a value undefined, or where its releases disagree, the value is poison, so that whoever relies on it
// is seen. With MASKS_WIDENED functions also take masks of 32 bits, and a full one is then the whole wave: what is had
// by casting each mask until the code compiles.
#ifndef CUDAMIGRATE_EMULATION_HIP_RUNTIME_H
#define CUDAMIGRATE_EMULATION_HIP_RUNTIME_H

// Headers ask by these whether the runtime is there.
#define HIP_INCLUDE_HIP_HIP_RUNTIME_H
#define HIP_INCLUDE_HIP_HIP_RUNTIME_API_H
#define HIP_INCLUDE_HIP_DRIVER_TYPES_H

#define CUDAMIGRATE_EMULATION_NAN 0
#include "../../common/atomics.h"
#include "../../common/language.h"
#include "../../common/lanes.h"
#include "../../common/math.h"

#define API(name) hip##name
#define API_MAKE(name) make_hip##name
#include "../../common/runtime_api.h"
#include "../../common/texture_references.h"
#include "../../common/graphs.h"
#undef API_MAKE
#undef API

// The order of members is HIP's.
struct hipKernelNodeParams {
    dim3 cudamigrate_emulation_blockDim;
    void **extra;
    void *func;
    dim3 cudamigrate_emulation_gridDim;
    void **kernelParams;
    unsigned int sharedMemBytes;
};

struct hipDeviceArch_t {
    unsigned hasWarpVote : 1, hasWarpBallot : 1, hasWarpShuffle : 1, hasDoubles : 1;
};
struct hipDeviceProp_t {
    CUDAMIGRATE_EMULATION_PROPERTIES
    hipDeviceArch_t arch;
    char gcnArchName[256];
    int clockInstructionRate;
};
inline hipError_t hipGetDeviceProperties(hipDeviceProp_t *device, int) {
    ::cudamigrate_emulation::describe(device);
    device->sharedMemPerBlock = device->sharedMemPerMultiprocessor = device->sharedMemPerBlockOptin = 64 * 1024;
    std::strcpy(device->gcnArchName, ::cudamigrate_emulation::wave_width() == 64 ? "gfx90a" : "gfx1100");
    return hipSuccess;
}
enum hipDeviceAttribute_t {
    hipDeviceAttributeMaxThreadsPerBlock = 1,
    hipDeviceAttributeMaxSharedMemoryPerBlock = 8,
    hipDeviceAttributeWarpSize = 10,
    hipDeviceAttributeClockRate = 13,
    hipDeviceAttributeIntegrated = 18,
    hipDeviceAttributeComputeMode = 20,
    hipDeviceAttributeUnifiedAddressing = 41,
    hipDeviceAttributeMaxThreadsPerMultiProcessor = 39,
    hipDeviceAttributeManagedMemory = 83,
    hipDeviceAttributeConcurrentManagedAccess = 89,
    hipDeviceAttributeMemoryPoolsSupported = 115,
    hipDeviceAttributeMultiprocessorCount = 16,
    hipDeviceAttributeComputeCapabilityMajor = 75,
    hipDeviceAttributeComputeCapabilityMinor = 76,
    hipDeviceAttributeCooperativeLaunch = 95,
    hipDeviceAttributeSharedMemPerBlockOptin = 97,
};
inline hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t which, int) {
    *value = which == hipDeviceAttributeMaxThreadsPerBlock         ? 1024
             : which == hipDeviceAttributeMaxSharedMemoryPerBlock  ? 64 * 1024
             : which == hipDeviceAttributeSharedMemPerBlockOptin   ? 64 * 1024
             : which == hipDeviceAttributeWarpSize                 ? ::cudamigrate_emulation::wave_width()
             : which == hipDeviceAttributeMultiprocessorCount      ? 4
             : which == hipDeviceAttributeMaxThreadsPerMultiProcessor ? 2048
             : which == hipDeviceAttributeClockRate                ? 1000000
             : which == hipDeviceAttributeManagedMemory            ? 1
             : which == hipDeviceAttributeComputeCapabilityMajor   ? 7  // as for CUDA: it is a GPU of no vendor
                                                                   : which == hipDeviceAttributeCooperativeLaunch;
    return hipSuccess;
}
#define hipErrorOutOfMemory hipErrorMemoryAllocation
enum hipComputeMode { hipComputeModeDefault, hipComputeModeExclusive, hipComputeModeProhibited };
enum {
    hipHostMallocDefault = 0,
    hipHostMallocPortable = 1,
    hipHostMallocMapped = 2,
    hipHostMallocWriteCombined = 4,
    hipHostRegisterDefault = 0,
    hipHostRegisterPortable = 1,
    hipHostRegisterMapped = 2,
    hipMemAttachGlobal = 1,
    hipStreamDefault = 0,
    hipStreamNonBlocking = 1,
    hipEventDefault = 0,
    hipEventBlockingSync = 1,
    hipEventDisableTiming = 2,
    hipDeviceMapHost = 8,
    hipDeviceScheduleAuto = 0,
    hipDeviceScheduleSpin = 1,
    hipDeviceScheduleBlockingSync = 4,
    hipCpuDeviceId = -1,
};
enum hipMemoryAdvise {
    hipMemAdviseSetReadMostly = 1,
    hipMemAdviseSetPreferredLocation = 3,
    hipMemAdviseSetAccessedBy = 5
};
template <typename T>
CUDAMIGRATE_EMULATION_APART hipError_t hipHostMalloc(T **address, size_t bytes, unsigned int = 0) {
    return ::cudamigrate_emulation::give(address, bytes, CUDAMIGRATE_EMULATION_PLACE, true);
}
inline hipError_t hipHostFree(void *address) { return hipFree(address); }
inline hipError_t hipProfilerStart() { return hipSuccess; }
inline hipError_t hipProfilerStop() { return hipSuccess; }
#define HIP_SYMBOL(symbol) symbol
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, name) type *name = static_cast<type *>(::cudamigrate_emulation::dynamic_shared());
#define hipLaunchKernelGGL(kernel, blocks, threads, shared, stream, ...)                                        \
    do {                                                                                                        \
        ::cudamigrate_emulation::see(__VA_ARGS__);                                                              \
        ::cudamigrate_emulation::launch(#kernel, {(blocks), (threads), static_cast<std::size_t>(shared)},       \
                                        [&] { (kernel)(__VA_ARGS__); });                                        \
    } while (0)

inline unsigned int __lane_id() { return static_cast<unsigned int>(::cudamigrate_emulation::lane()); }
inline void __builtin_amdgcn_s_sleep(int) {}
inline void __builtin_amdgcn_wave_barrier() {}  // it holds back the compiler alone

namespace cudamigrate_emulation {

template <typename Mask>
std::uint64_t wide(Mask mask) {
#ifdef MASKS_WIDENED
    if (sizeof(Mask) == 4 && static_cast<std::uint32_t>(mask) == 0xffffffffu) return ~std::uint64_t{0};
#else
    static_assert(std::is_integral<Mask>::value && sizeof(Mask) == 8, "the mask must be an integer of 64 bits");
#endif
    return static_cast<std::uint64_t>(mask);
}

// Which lane a shuffle reads, for parts of `width` lanes. Releases disagree about a lane outside of the part: -1.
CUDAMIGRATE_EMULATION_UNSEEN inline int from_lane(int number, int width) {
    return number >= 0 && number < width ? number + (lane() & ~(width - 1)) : -1;
}
CUDAMIGRATE_EMULATION_UNSEEN inline int from_above(unsigned int delta, int width) {
    const int from = lane() - static_cast<int>(delta);
    return from < (lane() & ~(width - 1)) ? lane() : from;
}
CUDAMIGRATE_EMULATION_UNSEEN inline int from_below(unsigned int delta, int width) {
    const int distance = static_cast<int>(delta);
    return (lane() & (width - 1)) + distance >= width ? lane() : lane() + distance;
}
CUDAMIGRATE_EMULATION_UNSEEN inline int from_across(int mask, int width) {
    const int from = lane() ^ mask;
    return from >= ((lane() + width) & ~(width - 1)) ? lane() : from;
}

// The types beside int and unsigned int that HIP's shuffles take.
template <typename T>
using Shuffled = std::enable_if_t<std::is_same<T, float>::value || (std::is_arithmetic<T>::value && sizeof(T) == 8), T>;

}  // namespace cudamigrate_emulation

#define CUDAMIGRATE_EMULATION_SHUFFLE(name, kind, source)                                                              \
    CUDAMIGRATE_EMULATION_UNSEEN inline int name(int value, kind lane, int width = warpSize) {                         \
        return ::cudamigrate_emulation::read_lane(value, ::cudamigrate_emulation::source(lane, width));                \
    }                                                                                                                  \
    CUDAMIGRATE_EMULATION_UNSEEN inline unsigned int name(unsigned int value, kind lane, int width = warpSize) {       \
        return ::cudamigrate_emulation::read_lane(value, ::cudamigrate_emulation::source(lane, width));                \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    CUDAMIGRATE_EMULATION_UNSEEN ::cudamigrate_emulation::Shuffled<T> name(T value, kind lane, int width = warpSize) { \
        return ::cudamigrate_emulation::read_lane(value, ::cudamigrate_emulation::source(lane, width));                \
    }                                                                                                                  \
    template <typename Mask, typename T>                                                                               \
    CUDAMIGRATE_EMULATION_UNSEEN T name##_sync(Mask mask, T value, kind lane, int width = warpSize) {                  \
        ::cudamigrate_emulation::wide(mask);                                                                           \
        return name(value, lane, width);                                                                               \
    }
CUDAMIGRATE_EMULATION_SHUFFLE(__shfl, int, from_lane)
CUDAMIGRATE_EMULATION_SHUFFLE(__shfl_up, unsigned int, from_above)
CUDAMIGRATE_EMULATION_SHUFFLE(__shfl_down, unsigned int, from_below)
CUDAMIGRATE_EMULATION_SHUFFLE(__shfl_xor, int, from_across)
#undef CUDAMIGRATE_EMULATION_SHUFFLE

inline unsigned long long __ballot(int predicate) { return ::cudamigrate_emulation::ballot(predicate != 0); }
inline unsigned long long __ballot64(int predicate) { return __ballot(predicate); }
inline int __any(int predicate) { return __ballot(predicate) != 0; }
inline int __all(int predicate) { return __ballot(predicate == 0) == 0; }
inline unsigned long long __activemask() { return __ballot(1); }
template <typename Mask>
unsigned long long __ballot_sync(Mask mask, int predicate) {
    return __ballot(predicate) & ::cudamigrate_emulation::wide(mask);
}
template <typename Mask>
int __any_sync(Mask mask, int predicate) {
    return __ballot_sync(mask, predicate) != 0;
}
template <typename Mask>
int __all_sync(Mask mask, int predicate) {
    return __ballot_sync(mask, predicate == 0) == 0;
}
template <typename Mask, typename T>
unsigned long long __match_any_sync(Mask mask, T value) {
    return ::cudamigrate_emulation::match(::cudamigrate_emulation::wide(mask), value);
}
template <typename Mask, typename T>
unsigned long long __match_all_sync(Mask mask, T value, int *predicate) {
    const std::uint64_t members = __activemask() & ::cudamigrate_emulation::wide(mask);
    *predicate = ::cudamigrate_emulation::match(members, value) == members;
    return *predicate ? members : 0;
}
#define CUDAMIGRATE_EMULATION_REDUCE(name, Operation)                                                      \
    template <typename Mask, typename T>                                                                   \
    T name(Mask mask, T value) {                                                                           \
        return ::cudamigrate_emulation::combined(::cudamigrate_emulation::wide(mask), value,               \
                                                 ::cudamigrate_emulation::Operation());                    \
    }
CUDAMIGRATE_EMULATION_REDUCE(__reduce_add_sync, Add)
CUDAMIGRATE_EMULATION_REDUCE(__reduce_min_sync, Least)
CUDAMIGRATE_EMULATION_REDUCE(__reduce_max_sync, Most)
CUDAMIGRATE_EMULATION_REDUCE(__reduce_and_sync, And)
CUDAMIGRATE_EMULATION_REDUCE(__reduce_or_sync, Or)
CUDAMIGRATE_EMULATION_REDUCE(__reduce_xor_sync, Xor)
#undef CUDAMIGRATE_EMULATION_REDUCE
template <typename... Mask>
void __syncwarp(Mask...) {
    __ballot(1);
}

// HIP's vector types compute.
#define CUDAMIGRATE_EMULATION_OPERATOR(V, op)                                                          \
    inline V##2 operator op(V##2 a, V##2 b) { return V##2{a.x op b.x, a.y op b.y}; }                   \
    inline V##3 operator op(V##3 a, V##3 b) { return V##3{a.x op b.x, a.y op b.y, a.z op b.z}; }       \
    inline V##4 operator op(V##4 a, V##4 b) {                                                          \
        return V##4{a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w};                                   \
    }                                                                                                  \
    inline V##2 &operator op##=(V##2 &a, V##2 b) { return a = a op b; }                                \
    inline V##3 &operator op##=(V##3 &a, V##3 b) { return a = a op b; }                                \
    inline V##4 &operator op##=(V##4 &a, V##4 b) { return a = a op b; }
#define CUDAMIGRATE_EMULATION_OPERATORS(V)      \
    CUDAMIGRATE_EMULATION_OPERATOR(V, +)        \
    CUDAMIGRATE_EMULATION_OPERATOR(V, -)        \
    CUDAMIGRATE_EMULATION_OPERATOR(V, *)        \
    CUDAMIGRATE_EMULATION_OPERATOR(V, /)
#ifndef CUDAMIGRATE_EMULATION_NO_VECTOR_OPERATORS
CUDAMIGRATE_EMULATION_OPERATORS(float)
CUDAMIGRATE_EMULATION_OPERATORS(double)
CUDAMIGRATE_EMULATION_OPERATORS(int)
CUDAMIGRATE_EMULATION_OPERATORS(uint)
#endif
#undef CUDAMIGRATE_EMULATION_OPERATORS
#undef CUDAMIGRATE_EMULATION_OPERATOR

#endif  // CUDAMIGRATE_EMULATION_HIP_RUNTIME_H
