// cudamigrate_bf16.h: CUDA's conversions of bfloat16 numbers that HIP does not declare.
//
// Included by code that cudamigrate converted; copy it, cudamigrate_ptx.h and cudamigrate_hip.h wherever that code goes.
// It works with ROCm 5.2 and later. Each function has the name of CUDA's without the underscores in front and gives the
// same result. The type of the numbers is known by its size, so that it may be that of any header: `T`.
#ifndef CUDAMIGRATE_BF16_H
#define CUDAMIGRATE_BF16_H

// A compiler for the host that is given nothing of HIP's reads nothing of it here either.
#if defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)

#include <hip/hip_runtime.h>

#include "cudamigrate_ptx.h"

#if defined(__HIPCC__) || !defined(__HIP_PLATFORM_AMD__)  // not where the host's compiler reads HIP's headers

namespace cudamigrate {

namespace detail {

// What is cut off a number moves it away from zero or does not: `n` to the nearest, a half to even, `z` to zero, `d` down,
// `u` up. `kept` is the last bit that stays, `rest` and `half` are what goes and half of a unit.
template <char Mode>
__host__ __device__ inline bool rounds_away(bool negative, bool odd, unsigned long long rest, unsigned long long half) {
    if (Mode == 'n') return rest > half || (rest == half && odd);
    return rest != 0ull && (Mode == 'u' ? !negative : Mode == 'd' && negative);
}

template <char Mode, typename T>
__host__ __device__ inline T bf16_of(float x) {
    const unsigned int raw = bits<unsigned int>(x);
    if (x != x) return bits<T>(static_cast<unsigned short>(0x7fffu));
    const bool away = rounds_away<Mode>(raw >> 31 != 0u, (raw >> 16 & 1u) != 0u, raw & 0xffffu, 0x8000ull);
    return bits<T>(static_cast<unsigned short>((raw >> 16) + (away ? 1u : 0u)));
}

// An integer has at most 64 bits, of which 8 are kept.
template <char Mode, typename T>
__host__ __device__ inline T bf16_of_size(unsigned long long size, bool negative) {
    int places = 0;
    while (places < 64 && size >> places != 0ull) ++places;
    if (places == 0) return bits<T>(static_cast<unsigned short>(0));
    unsigned long long digits = places > 8 ? size >> (places - 8) : size << (8 - places);
    if (places > 8) {
        const unsigned long long rest = size & ((1ull << (places - 8)) - 1ull), half = 1ull << (places - 9);
        if (rounds_away<Mode>(negative, (digits & 1ull) != 0ull, rest, half)) ++digits;
    }
    const unsigned int made = (static_cast<unsigned int>(places + 125) << 7) + static_cast<unsigned int>(digits);
    return bits<T>(static_cast<unsigned short>(made | (negative ? 0x8000u : 0u)));
}
template <char Mode, typename T, typename From>
__host__ __device__ inline T bf16_of_integer(From x) {
    const bool negative = x < static_cast<From>(0);
    const unsigned long long same = static_cast<unsigned long long>(x);
    return bf16_of_size<Mode, T>(negative ? 0ull - same : same, negative);
}

template <char Mode>
__host__ __device__ inline float integral(float x) {
    return Mode == 'n' ? rintf(x) : Mode == 'z' ? truncf(x) : Mode == 'd' ? floorf(x) : ceilf(x);
}
template <char Mode, typename To, typename T>
__host__ __device__ inline To integer_of(T x) {
    return to_integer<To>(integral<Mode>(from_bf16(bits<unsigned short>(x))));
}

}  // namespace detail

// From a float: __float2bfloat16_rz and its kin; to nearest is HIP's own.
template <typename T>
__host__ __device__ inline T float2bfloat16_rz(float x) { return detail::bf16_of<'z', T>(x); }
template <typename T>
__host__ __device__ inline T float2bfloat16_rd(float x) { return detail::bf16_of<'d', T>(x); }
template <typename T>
__host__ __device__ inline T float2bfloat16_ru(float x) { return detail::bf16_of<'u', T>(x); }

// To an integer, the nearest where it is out of range; a NaN gives 0, and the top bit for 64 bits. From an integer, rounded
// once.
#define CUDAMIGRATE_TO(name, type)                                                                                   \
    template <typename T>                                                                                            \
    __host__ __device__ inline type bfloat162##name##_rn(T x) { return detail::integer_of<'n', type>(x); }           \
    template <typename T>                                                                                            \
    __host__ __device__ inline type bfloat162##name##_rd(T x) { return detail::integer_of<'d', type>(x); }           \
    template <typename T>                                                                                            \
    __host__ __device__ inline type bfloat162##name##_ru(T x) { return detail::integer_of<'u', type>(x); }           \
    template <typename T>                                                                                            \
    __host__ __device__ inline type bfloat162##name##_rz(T x) { return detail::integer_of<'z', type>(x); }
#define CUDAMIGRATE_FROM(name, type)                                                                                 \
    template <typename T>                                                                                            \
    __host__ __device__ inline T name##2bfloat16_rn(type x) { return detail::bf16_of_integer<'n', T>(x); }            \
    template <typename T>                                                                                            \
    __host__ __device__ inline T name##2bfloat16_rd(type x) { return detail::bf16_of_integer<'d', T>(x); }            \
    template <typename T>                                                                                            \
    __host__ __device__ inline T name##2bfloat16_ru(type x) { return detail::bf16_of_integer<'u', T>(x); }            \
    template <typename T>                                                                                            \
    __host__ __device__ inline T name##2bfloat16_rz(type x) { return detail::bf16_of_integer<'z', T>(x); }

CUDAMIGRATE_TO(char, signed char)
CUDAMIGRATE_TO(uchar, unsigned char)
CUDAMIGRATE_TO(short, short)
CUDAMIGRATE_TO(ushort, unsigned short)
CUDAMIGRATE_TO(int, int)
CUDAMIGRATE_TO(uint, unsigned int)
CUDAMIGRATE_TO(ll, long long)
CUDAMIGRATE_TO(ull, unsigned long long)
CUDAMIGRATE_FROM(short, short)
CUDAMIGRATE_FROM(ushort, unsigned short)
CUDAMIGRATE_FROM(int, int)
CUDAMIGRATE_FROM(uint, unsigned int)
CUDAMIGRATE_FROM(ll, long long)
CUDAMIGRATE_FROM(ull, unsigned long long)

#undef CUDAMIGRATE_FROM
#undef CUDAMIGRATE_TO

}  // namespace cudamigrate

#endif

#endif

#endif  // CUDAMIGRATE_BF16_H
