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

// Loads with a cache hint: __ldca, __ldcg, __ldcs, __ldlu. A plain load gives the same value.
template <typename T>
__device__ inline T load_cached(const T *address) {
    return *address;
}

// Stores with a cache hint: __stwb, __stcg, __stcs.
template <typename T, typename Value>
__device__ inline void store_cached(T *address, Value value) {
    *address = value;
}

// Stop the kernel with an error: __trap.
__device__ inline void trap() { __builtin_trap(); }

// Dot product of four signed bytes: __dp4a(int, int, int). The sum wraps around.
__device__ inline int dp4a(int a, int b, int c) {
    unsigned int sum = static_cast<unsigned int>(c);
    for (int shift = 0; shift < 32; shift += 8) {
        const int product = static_cast<signed char>(a >> shift) * static_cast<signed char>(b >> shift);
        sum += static_cast<unsigned int>(product);
    }
    return static_cast<int>(sum);
}

// Dot product of four unsigned bytes: __dp4a(unsigned int, unsigned int, unsigned int).
__device__ inline unsigned int dp4a(unsigned int a, unsigned int b, unsigned int c) {
    for (int shift = 0; shift < 32; shift += 8) c += ((a >> shift) & 0xffu) * ((b >> shift) & 0xffu);
    return c;
}

// The same for vectors of four bytes: __dp4a(char4, char4, int) and __dp4a(uchar4, uchar4, unsigned int).
__device__ inline int dp4a(char4 a, char4 b, int c) {
    const int products = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    return static_cast<int>(static_cast<unsigned int>(c) + static_cast<unsigned int>(products));
}
__device__ inline unsigned int dp4a(uchar4 a, uchar4 b, unsigned int c) {
    return c + static_cast<unsigned int>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}

}  // namespace cudamigrate

#endif  // CUDAMIGRATE_HIP_H
