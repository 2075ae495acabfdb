// A stand-in for HIP on a CPU: the device functions that cudamigrate_hip.h may use, as in ROCm 5.2, and no others.
//
// They mean what the HIP headers say on an AMD wavefront of wavefront::width() lanes. Where HIP leaves a value
// undefined, or where its releases disagree, the value is junk, so that whoever relies on it is seen.
#ifndef EMULATION_HIP_RUNTIME_H
#define EMULATION_HIP_RUNTIME_H

#include "../wavefront.h"

#define __device__
#define __global__
#define __shared__ thread_local

struct char4 {
    signed char x, y, z, w;
};
struct uchar4 {
    unsigned char x, y, z, w;
};

// An object that converts, as it is since ROCm 7: not a constant expression.
struct WarpSize {
    operator int() const { return wavefront::width(); }
};
static const WarpSize warpSize;

inline unsigned int __lane_id() { return static_cast<unsigned int>(wavefront::lane()); }

// Each of these stops the lane until the lanes that run the same call are there too; the call is known by where it
// returns to, so none may be inlined.
unsigned long long __ballot(int predicate);
int __any(int predicate);
int __all(int predicate);
int __shfl(int value, int lane, int width = warpSize);
int __shfl_up(int value, unsigned int delta, int width = warpSize);
int __shfl_down(int value, unsigned int delta, int width = warpSize);
int __shfl_xor(int value, int lane_mask, int width = warpSize);
unsigned int __shfl(unsigned int value, int lane, int width = warpSize);
unsigned int __shfl_up(unsigned int value, unsigned int delta, int width = warpSize);
unsigned int __shfl_down(unsigned int value, unsigned int delta, int width = warpSize);
unsigned int __shfl_xor(unsigned int value, int lane_mask, int width = warpSize);

inline void __threadfence_block() {}
inline unsigned int __popc(unsigned int bits) { return static_cast<unsigned int>(__builtin_popcount(bits)); }
inline unsigned int __ffs(unsigned int bits) { return static_cast<unsigned int>(__builtin_ffs(static_cast<int>(bits))); }
inline unsigned int __ffs(int bits) { return static_cast<unsigned int>(__builtin_ffs(bits)); }
inline unsigned int __brev(unsigned int bits) {
    unsigned int turned = 0;
    for (int bit = 0; bit < 32; ++bit) turned |= (bits >> bit & 1u) << (31 - bit);
    return turned;
}

#endif  // EMULATION_HIP_RUNTIME_H
