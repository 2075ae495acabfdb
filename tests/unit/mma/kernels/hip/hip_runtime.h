// HIP on a CPU for whole programs with matrix products: the emulated GPU, and what the runtime headers call besides.
#ifndef STAND_IN_HIP_RUNTIME_H
#define STAND_IN_HIP_RUNTIME_H

#include "../../../runtime/emulation/programs/hip/hip_runtime.h"

// Addresses of shared memory are numbers of 32 bits; those of statics are, in a program at a fixed place.
#undef __shared__
#define __shared__ static

template <typename To, typename From>
inline To taken(From from) {
    static_assert(sizeof(To) == sizeof(From), "bits");
    To to;
    std::memcpy(static_cast<void *>(&to), &from, sizeof(To));
    return to;
}
struct float2 {
    float x, y;
};
inline float2 make_float2(float x, float y) { return {x, y}; }
inline int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned int>(x)) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
inline float __uint_as_float(unsigned int x) { return taken<float>(x); }
inline unsigned int atomicCAS(unsigned int *at, unsigned int expected, unsigned int value) {
    const unsigned int seen = *at;
    if (seen == expected) *at = value;
    return seen;
}

#endif  // STAND_IN_HIP_RUNTIME_H
