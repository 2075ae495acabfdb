// Every function of cudamigrate_hip.h in every overload, for compilers to judge; nothing here is run. Not every set of
// HIP headers has those of the small floats: NO_SMALL_FLOATS leaves them out.
#include "cudamigrate_hip.h"

#ifdef STAND_IN_HIP_RUNTIME_H
#define __launch_bounds__(threads)
#elif !defined(NO_SMALL_FLOATS)
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>
#endif

using namespace cudamigrate;

struct Pair {
    double sum;
    int count;
};
enum Color { red, green };
enum Shade : unsigned char { dark, light };
struct Numbered {
    __device__ explicit Numbered(int from) : number(from) {}
    __device__ operator int() const { return number; }
    int number;
};
enum class Mode : unsigned char { on, off };

// A call must give back exactly this type.
template <typename Expected>
struct Exactly {
    template <typename T>
    __device__ static T given(T value) = delete;
    __device__ static Expected given(Expected value) { return value; }
};

// `Given` is what CUDA's overloads give.
template <typename Given, typename T>
__device__ void shuffles(T *at, unsigned int mask, int lane) {
    at[0] = static_cast<T>(Exactly<Given>::given(shfl_sync(mask, at[0], lane)));
    at[1] = static_cast<T>(Exactly<Given>::given(shfl_sync(mask, at[1], lane, 16)));
    at[2] = static_cast<T>(Exactly<Given>::given(shfl_up_sync(mask, at[2], 1)));
    at[3] = static_cast<T>(Exactly<Given>::given(shfl_up_sync(mask, at[3], 1u, 8)));
    at[4] = static_cast<T>(Exactly<Given>::given(shfl_down_sync(mask, at[4], 1)));
    at[5] = static_cast<T>(Exactly<Given>::given(shfl_down_sync(mask, at[5], 1u, 4)));
    at[6] = static_cast<T>(Exactly<Given>::given(shfl_xor_sync(mask, at[6], 1)));
    at[7] = static_cast<T>(Exactly<Given>::given(shfl_xor_sync(mask, at[7], lane, 2)));
}

template <typename T>
__device__ unsigned int matches(const T *at, unsigned int mask) {
    int predicate = 0;
    const unsigned int found = Exactly<unsigned int>::given(match_all_sync(mask, at[0], &predicate));
    return found + Exactly<unsigned int>::given(match_any_sync(mask, at[0])) + static_cast<unsigned int>(predicate);
}

__global__ void __launch_bounds__(256) votes(unsigned int *out, int *in, bool flag, unsigned int mask) {
    out[0] = Exactly<unsigned int>::given(lane_id());
    out[1] = Exactly<unsigned int>::given(lanemask_eq());
    out[2] = Exactly<unsigned int>::given(lanemask_lt());
    out[3] = Exactly<unsigned int>::given(lanemask_le());
    out[4] = Exactly<unsigned int>::given(lanemask_gt());
    out[5] = Exactly<unsigned int>::given(lanemask_ge());
    out[6] = Exactly<unsigned int>::given(ballot(in[0] > 3));
    out[7] = Exactly<unsigned int>::given(ballot_sync(mask, flag));
    out[8] = Exactly<unsigned int>::given(ballot_sync(0xffffffff, in[1]));
    out[9] = Exactly<unsigned int>::given(activemask());
    out[10] = Exactly<unsigned int>::given(fns(mask, 0, in[2]));
    in[0] = Exactly<int>::given(any(flag));
    in[1] = Exactly<int>::given(all(flag));
    in[2] = Exactly<int>::given(any_sync(mask, in[2]));
    in[3] = Exactly<int>::given(all_sync(mask, in[3]));
    in[4] = Exactly<int>::given(uni_sync(mask, in[4]));
    syncwarp();
    syncwarp(mask);
}

__global__ void reductions(unsigned int *bits, int *numbers, unsigned int mask) {
    bits[0] = Exactly<unsigned int>::given(reduce_add_sync(mask, bits[0]));
    bits[1] = Exactly<unsigned int>::given(reduce_min_sync(mask, bits[1]));
    bits[2] = Exactly<unsigned int>::given(reduce_max_sync(mask, bits[2]));
    bits[3] = Exactly<unsigned int>::given(reduce_and_sync(mask, bits[3]));
    bits[4] = Exactly<unsigned int>::given(reduce_or_sync(mask, bits[4]));
    bits[5] = Exactly<unsigned int>::given(reduce_xor_sync(mask, bits[5]));
    numbers[0] = Exactly<int>::given(reduce_add_sync(mask, numbers[0]));
    numbers[1] = Exactly<int>::given(reduce_min_sync(mask, numbers[1]));
    numbers[2] = Exactly<int>::given(reduce_max_sync(mask, numbers[2]));
}

#define SHUFFLES(name, T) GIVES(name, T, T)
#define GIVES(name, T, Given) \
    __global__ void name(T *at, unsigned int mask, int lane) { shuffles<Given>(at, mask, lane); }
#define MATCHES(name, T) \
    __global__ void name(const T *at, unsigned int *out, unsigned int mask) { *out = matches(at, mask); }

GIVES(shuffle_bool, bool, int)
GIVES(shuffle_char, char, int)
GIVES(shuffle_unsigned_char, unsigned char, int)
GIVES(shuffle_short, short, int)
SHUFFLES(shuffle_int, int)
SHUFFLES(shuffle_unsigned, unsigned int)
SHUFFLES(shuffle_long, long)
SHUFFLES(shuffle_unsigned_long, unsigned long)
SHUFFLES(shuffle_long_long, long long)
SHUFFLES(shuffle_unsigned_long_long, unsigned long long)
SHUFFLES(shuffle_float, float)
SHUFFLES(shuffle_double, double)
SHUFFLES(shuffle_pointer, const float *)
SHUFFLES(shuffle_struct, Pair)
GIVES(shuffle_enum, Color, int)
GIVES(shuffle_small_enum, Shade, int)
GIVES(shuffle_numbered, Numbered, int)
SHUFFLES(shuffle_enum_class, Mode)
SHUFFLES(shuffle_uchar4, uchar4)

MATCHES(match_short, short)
MATCHES(match_int, int)
MATCHES(match_unsigned, unsigned int)
MATCHES(match_long, long)
MATCHES(match_unsigned_long, unsigned long)
MATCHES(match_long_long, long long)
MATCHES(match_unsigned_long_long, unsigned long long)
MATCHES(match_float, float)
MATCHES(match_double, double)
MATCHES(match_enum, Color)

__global__ void bytes(int *a, unsigned int *b, char4 *c, uchar4 *d) {
    a[0] = Exactly<int>::given(dp4a(a[1], a[2], a[3]));
    b[0] = Exactly<unsigned int>::given(dp4a(b[1], b[2], b[3]));
    a[4] = Exactly<int>::given(dp4a(c[0], c[1], a[5]));
    b[4] = Exactly<unsigned int>::given(dp4a(d[0], d[1], b[5]));
    store_cached(a, load_cached(a + 1));
    if (a[0] == 7) trap();
}

#ifndef STAND_IN_HIP_RUNTIME_H
#ifndef NO_SMALL_FLOATS
SHUFFLES(shuffle_half, __half)
SHUFFLES(shuffle_half2, __half2)
SHUFFLES(shuffle_bfloat16, hip_bfloat16)
#endif
SHUFFLES(shuffle_float2, float2)
SHUFFLES(shuffle_float4, float4)
SHUFFLES(shuffle_int3, int3)

__global__ void vectors(float4 *v) { store_cached(v, load_cached(v + 1)); }
#endif
