// cudamigrate_hip.h: what migrated code needs and HIP does not declare.
//
// Included by code that cudamigrate converted to HIP; copy it wherever that code goes. It needs nothing but
// <hip/hip_runtime.h> and works with ROCm 5.2 and later, on wavefronts of 32 and of 64 lanes. Every function means
// what its CUDA namesake means; where AMD has no such cache policy, the plain access is used, which is slower at
// worst.
#ifndef CUDAMIGRATE_HIP_H
#define CUDAMIGRATE_HIP_H

#include <hip/hip_runtime.h>

namespace cudamigrate {

// Cached loads: __ldca, __ldcg, __ldlu. A hint on CUDA, so a plain load is the same value.
template <typename T>
__device__ inline T load_cached(const T *address) {
    return *address;
}

// Streaming load: __ldcs. T is a scalar or a HIP vector type.
template <typename T>
__device__ inline T load_streaming(const T *address) {
    return *address;
}

// Cached and streaming stores: __stwb, __stcg, __stcs.
template <typename T>
__device__ inline void store_cached(T *address, T value) {
    *address = value;
}

// Stop the kernel with an error: __trap.
__device__ inline void trap() { __builtin_trap(); }

// Dot product of four signed bytes: __dp4a(int, int, int).
__device__ inline int dp4a(int a, int b, int c) {
    for (int shift = 0; shift < 32; shift += 8) {
        c += static_cast<int>(static_cast<signed char>(a >> shift)) * static_cast<signed char>(b >> shift);
    }
    return c;
}

// Dot product of four unsigned bytes: __dp4a(unsigned, unsigned, unsigned).
__device__ inline unsigned int dp4a(unsigned int a, unsigned int b, unsigned int c) {
    for (int shift = 0; shift < 32; shift += 8) c += ((a >> shift) & 0xffu) * ((b >> shift) & 0xffu);
    return c;
}

}  // namespace cudamigrate

#endif  // CUDAMIGRATE_HIP_H
