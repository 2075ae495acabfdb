// A stand-in for HIP on a CPU that whole programs are compiled with, host code included.
//
// To what the helpers use it adds indices, barriers, atomics, memory, and HIP's functions with a mask. Those take masks
// of 64 bits only, as HIP does. With MASKS_WIDENED they also take 32 bits, and a full mask is then the whole wave: what
// is had by casting each mask until the code compiles.
#ifndef EMULATION_PROGRAMS_HIP_RUNTIME_H
#define EMULATION_PROGRAMS_HIP_RUNTIME_H

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "../../hip/hip_runtime.h"
#include "../../shuffles.h"
#include "../grid.h"

#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define threadIdx (grid::here().thread)
#define blockIdx (grid::here().block)
#define blockDim (grid::here().block_size)
#define gridDim (grid::here().grid_size)

using std::max;
using std::min;

inline void __syncthreads() { grid::barrier(); }

template <typename T>
T __ldg(const T *address) {
    return *address;
}

// Threads change hands in calls only, so plain accesses are atomic.
template <typename T>
T atomicAdd(T *address, std::common_type_t<T> value) {
    const T old = *address;
    *address += value;
    return old;
}
template <typename T>
T atomicMin(T *address, std::common_type_t<T> value) {
    const T old = *address;
    *address = std::min(old, value);
    return old;
}
template <typename T>
T atomicMax(T *address, std::common_type_t<T> value) {
    const T old = *address;
    *address = std::max(old, value);
    return old;
}

inline unsigned long long __ballot(int predicate) {
    const grid::Call &call = grid::meet(predicate != 0);
    unsigned long long set = 0;
    for (int lane = 0; lane < wavefront::width(); ++lane) set |= (call.lanes >> lane & call.value[lane] & 1u) << lane;
    return set;
}
inline int __popcll(unsigned long long mask) { return __builtin_popcountll(mask); }
inline int __any(int predicate) { return __ballot(predicate) != 0; }
inline int __all(int predicate) { return __ballot(predicate == 0) == 0; }
inline unsigned long long __activemask() { return __ballot(1); }

namespace lanes {

template <typename T>
std::uint64_t bits(T value) {
    std::uint64_t made = 0;
    std::memcpy(&made, &value, sizeof(T));
    return made;
}

// What the lane `from` brings to the call; junk where that lane does not run it.
template <typename T>
T read(T value, int from) {
    const grid::Call &call = grid::meet(bits(value));
    std::memcpy(&value, &call.value[from < 0 ? 64 : from], sizeof(T));
    return value;
}

template <typename Mask>
std::uint64_t wide(Mask mask) {
#ifdef MASKS_WIDENED
    if (sizeof(Mask) == 4 && static_cast<std::uint32_t>(mask) == 0xffffffffu) return ~std::uint64_t{0};
#else
    static_assert(std::is_integral<Mask>::value && sizeof(Mask) == 8, "the mask must be an integer of 64 bits");
#endif
    return static_cast<std::uint64_t>(mask);
}

// Combines the values of the mask's lanes that run the call, one after the other.
template <typename T, typename Combine>
T gathered(std::uint64_t mask, T value, Combine combine) {
    const grid::Call &call = grid::meet(bits(value));
    for (int lane = 0; lane < wavefront::width(); ++lane) {
        if ((mask & call.lanes) >> lane & 1u) value = combine(value, static_cast<T>(call.value[lane]));
    }
    return value;
}

// The types beside int and unsigned int that HIP's shuffles take.
template <typename T>
using Shuffled = std::enable_if_t<std::is_same<T, float>::value || (std::is_arithmetic<T>::value && sizeof(T) == 8), T>;

}  // namespace lanes

#define SHUFFLE(name, kind, source)                                      \
    inline int name(int value, kind lane, int width) {                   \
        return lanes::read(value, source(lane, width));                  \
    }                                                                    \
    inline unsigned int name(unsigned int value, kind lane, int width) { \
        return lanes::read(value, source(lane, width));                  \
    }                                                                    \
    template <typename T>                                                \
    lanes::Shuffled<T> name(T value, kind lane, int width = warpSize) {  \
        return lanes::read(value, source(lane, width));                  \
    }                                                                    \
    template <typename Mask, typename T>                                 \
    T name##_sync(Mask mask, T value, kind lane, int width = warpSize) { \
        lanes::wide(mask);                                               \
        return name(value, lane, width);                                 \
    }
SHUFFLE(__shfl, int, shuffles::at)
SHUFFLE(__shfl_up, unsigned int, shuffles::up)
SHUFFLE(__shfl_down, unsigned int, shuffles::down)
SHUFFLE(__shfl_xor, int, shuffles::across)
#undef SHUFFLE

template <typename Mask>
unsigned long long __ballot_sync(Mask mask, int predicate) {
    return __ballot(predicate) & lanes::wide(mask);
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
    const std::uint64_t among = lanes::wide(mask);
    const grid::Call &call = grid::meet(lanes::bits(value));
    unsigned long long same = 0;
    for (int lane = 0; lane < wavefront::width(); ++lane) {
        const bool equal = call.value[lane] == lanes::bits(value);
        same |= (among & call.lanes & std::uint64_t{equal} << lane);
    }
    return same;
}
template <typename Mask, typename T>
unsigned long long __match_all_sync(Mask mask, T value, int *predicate) {
    const std::uint64_t members = __activemask() & lanes::wide(mask);
    *predicate = __match_any_sync(members, value) == members;
    return *predicate ? members : 0;
}
template <typename Mask, typename T>
T __reduce_min_sync(Mask mask, T value) {
    return lanes::gathered(lanes::wide(mask), value, [](T a, T b) { return std::min(a, b); });
}
template <typename Mask, typename T>
T __reduce_max_sync(Mask mask, T value) {
    return lanes::gathered(lanes::wide(mask), value, [](T a, T b) { return std::max(a, b); });
}
inline void __syncwarp() { __ballot(1); }

typedef int hipError_t;
enum { hipSuccess };
enum hipMemcpyKind { hipMemcpyHostToDevice, hipMemcpyDeviceToHost };

template <typename T>
hipError_t hipMalloc(T **address, std::size_t size) {
    *address = static_cast<T *>(std::malloc(size));
    std::memset(static_cast<void *>(*address), 0xcd, size);  // nobody may count on zeros
    return hipSuccess;
}
inline hipError_t hipFree(void *address) {
    std::free(address);
    return hipSuccess;
}
inline hipError_t hipMemcpy(void *to, const void *from, std::size_t size, hipMemcpyKind) {
    std::memcpy(to, from, size);
    return hipSuccess;
}
inline hipError_t hipMemcpyAsync(void *to, const void *from, std::size_t size, hipMemcpyKind kind, int = 0) {
    return hipMemcpy(to, from, size, kind);
}
inline hipError_t hipMemset(void *address, int byte, std::size_t size) {
    std::memset(address, byte, size);
    return hipSuccess;
}
inline hipError_t hipGetLastError() { return hipSuccess; }
inline hipError_t hipPeekAtLastError() { return hipSuccess; }
inline hipError_t hipDeviceSynchronize() { return hipSuccess; }
inline const char *hipGetErrorString(hipError_t) { return "no error"; }

#endif  // EMULATION_PROGRAMS_HIP_RUNTIME_H
