// cudamigrate_mma.h: products of small matrices by a warp of 32 lanes: mma.sync, ldmatrix, stmatrix, movmatrix.
//
// Included by code that cudamigrate converted from inline PTX; copy it, cudamigrate_matrix_cores.h, cudamigrate_ptx.h and
// cudamigrate_hip.h wherever that code goes. It works with ROCm 5.2 and later, on wavefronts of 32 and of 64 lanes: a warp
// is all of a wavefront of 32 or one half of a wavefront of 64. Fragments lie over the lanes as the PTX ISA lays them
// out, so code that indexes, converts or exchanges their elements keeps its meaning.
//
// All 32 lanes of a warp make each call together, as `.sync.aligned` demands; the other half of the wavefront may be
// elsewhere. Matrix cores are used where the target has them and both halves are there (cudamigrate_matrix_cores.h);
// else each lane works out its own elements of the result, from words that it reads from other lanes.
//
// Results. Integers are exact: they wrap around, or stop at the ends of the range with Saturate. Products of floats are
// exact in the type of the sum, f32 or f64, and are added there one after the other, upwards in k, the third matrix
// first; matrix cores add the third matrix last, in one more rounding. NVIDIA's tensor cores add in an order of their
// own and may cut off low bits, so the last bits of a float result may differ on each of the three; a sum of f16 is
// rounded to f16 once, at the end. The low 13 bits of a tf32 element are ignored. Subnormal numbers are kept.
#ifndef CUDAMIGRATE_MMA_H
#define CUDAMIGRATE_MMA_H

// A compiler for the host that is given nothing of HIP's reads nothing of it here either.
#if defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)

#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include "cudamigrate_ptx.h"

#if defined(__HIPCC__) || !defined(__HIP_PLATFORM_AMD__)  // not where the host's compiler reads HIP's headers

namespace cudamigrate {

// The registers of a fragment that one lane holds, in PTX's order.
template <typename T, int Count>
struct Registers {
    T value[Count];
};

// Types of elements. Several of them share a register, the first in its lowest bits; `count` is how many.
struct element_f16 {
    typedef unsigned int word;
    static const int count = 2;
};
struct element_bf16 {
    typedef unsigned int word;
    static const int count = 2;
};
struct element_tf32 {
    typedef unsigned int word;
    static const int count = 1;
};
struct element_f64 {
    typedef double word;
    static const int count = 1;
};
struct element_e4m3 {
    typedef unsigned int word;
    static const int count = 4;
};
struct element_e5m2 {
    typedef unsigned int word;
    static const int count = 4;
};
struct element_s8 {
    typedef unsigned int word;
    static const int count = 4;
};
struct element_u8 {
    typedef unsigned int word;
    static const int count = 4;
};
struct element_s4 {
    typedef unsigned int word;
    static const int count = 8;
};
struct element_u4 {
    typedef unsigned int word;
    static const int count = 8;
};
// Single bits: how many are set in a & b, or in a ^ b.
struct element_b1_and {
    typedef unsigned int word;
    static const int count = 32;
};
struct element_b1_xor {
    typedef unsigned int word;
    static const int count = 32;
};

namespace detail {

// Elements of one register as numbers.
template <typename Type>
struct decode;
template <>
struct decode<element_f16> {
    __device__ static float at(unsigned int word, int i) {
        return __half2float(__ushort_as_half(static_cast<unsigned short>(word >> (16 * i))));
    }
};
template <>
struct decode<element_bf16> {
    __device__ static float at(unsigned int word, int i) { return bits<float>(i != 0 ? word & 0xffff0000u : word << 16); }
};
template <>
struct decode<element_tf32> {
    __device__ static float at(unsigned int word, int) { return bits<float>(word & 0xffffe000u); }
};
template <>
struct decode<element_s8> {
    __device__ static int at(unsigned int word, int i) { return static_cast<signed char>(word >> (8 * i)); }
};
template <>
struct decode<element_u8> {
    __device__ static int at(unsigned int word, int i) { return static_cast<int>(word >> (8 * i) & 0xffu); }
};
template <>
struct decode<element_s4> {
    __device__ static int at(unsigned int word, int i) { return static_cast<int>(word << (28 - 4 * i)) >> 28; }
};
template <>
struct decode<element_u4> {
    __device__ static int at(unsigned int word, int i) { return static_cast<int>(word >> (4 * i) & 0xfu); }
};

// The sum of the products of two registers' elements, and `sum`.
template <typename A, typename B>
struct dot {
    __device__ static float add(unsigned int a, unsigned int b, float sum) {
        for (int i = 0; i < A::count; ++i) sum = fmaf(decode<A>::at(a, i), decode<B>::at(b, i), sum);
        return sum;
    }
    __device__ static unsigned int add(unsigned int a, unsigned int b, unsigned int sum) {
        for (int i = 0; i < A::count; ++i) sum += static_cast<unsigned int>(decode<A>::at(a, i) * decode<B>::at(b, i));
        return sum;
    }
};
template <>
struct dot<element_f64, element_f64> {
    __device__ static double add(double a, double b, double sum) { return fma(a, b, sum); }
};
template <>
struct dot<element_s8, element_s8> {
    __device__ static unsigned int add(unsigned int a, unsigned int b, unsigned int sum) {
        return static_cast<unsigned int>(dp4a(static_cast<int>(a), static_cast<int>(b), static_cast<int>(sum)));
    }
};
template <>
struct dot<element_u8, element_u8> {
    __device__ static unsigned int add(unsigned int a, unsigned int b, unsigned int sum) { return dp4a(a, b, sum); }
};
template <>
struct dot<element_s8, element_u8> {
    __device__ static unsigned int add(unsigned int a, unsigned int b, unsigned int sum) {
        return dp4a_mixed<true, false>(a, b, sum);
    }
};
template <>
struct dot<element_u8, element_s8> {
    __device__ static unsigned int add(unsigned int a, unsigned int b, unsigned int sum) {
        return dp4a_mixed<false, true>(a, b, sum);
    }
};
// Two 8-bit floats, in the upper bytes of the halves of a word, as f16, in which they are exact.
template <typename Type>
struct as_f16;
template <>
struct as_f16<element_e5m2> {
    __device__ static unsigned int of(unsigned int bytes) { return bytes; }
};
template <>
struct as_f16<element_e4m3> {
    __device__ static unsigned int of(unsigned int bytes) {
        const unsigned int size = bytes >> 1 & 0x3f803f80u, nan = (size + 0x00800080u) & 0x40004000u;
        const __half2 scaled = __hmul2(bits<__half2>((bytes & 0x80008000u) | size), __float2half2_rn(256.0f));
        return bits<unsigned int>(scaled) | nan | (nan - (nan >> 5));
    }
};
template <typename Type>
__device__ inline void to_f16(unsigned int word, unsigned int *made) {
    made[0] = as_f16<Type>::of((word & 0xffu) << 8 | (word & 0xff00u) << 16);
    made[1] = as_f16<Type>::of((word >> 8 & 0xff00u) | (word & 0xff000000u));
}
template <typename A, typename B>
struct dot_of_bytes {
    __device__ static float add(unsigned int a, unsigned int b, float sum) {
        unsigned int x[2], y[2];
        to_f16<A>(a, x);
        to_f16<B>(b, y);
        return dot<element_f16, element_f16>::add(x[1], y[1], dot<element_f16, element_f16>::add(x[0], y[0], sum));
    }
};
template <> struct dot<element_e4m3, element_e4m3> : dot_of_bytes<element_e4m3, element_e4m3> {};
template <> struct dot<element_e4m3, element_e5m2> : dot_of_bytes<element_e4m3, element_e5m2> {};
template <> struct dot<element_e5m2, element_e4m3> : dot_of_bytes<element_e5m2, element_e4m3> {};
template <> struct dot<element_e5m2, element_e5m2> : dot_of_bytes<element_e5m2, element_e5m2> {};
#if CUDAMIGRATE_DOT
template <>
struct dot<element_s4, element_s4> {
    __device__ static unsigned int add(unsigned int a, unsigned int b, unsigned int sum) {
        const int x = static_cast<int>(a), y = static_cast<int>(b), z = static_cast<int>(sum);
#if CUDAMIGRATE_DOT == 1
        return static_cast<unsigned int>(__builtin_amdgcn_sdot8(x, y, z, false));
#else
        return static_cast<unsigned int>(__builtin_amdgcn_sudot8(true, x, true, y, z, false));
#endif
    }
};
#endif
template <>
struct dot<element_b1_and, element_b1_and> {
    __device__ static unsigned int add(unsigned int a, unsigned int b, unsigned int sum) {
        return sum + static_cast<unsigned int>(__popc(a & b));
    }
};
template <>
struct dot<element_b1_xor, element_b1_xor> {
    __device__ static unsigned int add(unsigned int a, unsigned int b, unsigned int sum) {
        return sum + static_cast<unsigned int>(__popc(a ^ b));
    }
};

// How results lie in registers: the type of one, and of the sums that are worked out.
template <typename Sum>
struct result {
    typedef Sum word;
    typedef Sum number;
    static const int count = 1;
    static const bool integer = false;
};
template <>
struct result<int> {
    typedef int word;
    typedef unsigned int number;
    static const int count = 1;
    static const bool integer = true;
};
template <>
struct result<element_f16> {
    typedef unsigned int word;
    typedef float number;
    static const int count = 2;
    static const bool integer = false;
};

// A product's sums and the third matrix -> the registers of the result.
__device__ inline unsigned int packed_halves(float low, float high) {
    return bits<unsigned int>(__floats2half2_rn(low, high));
}

// The word that the lane `from` of the caller's four holds. DPP does it without a way through the LDS.
__device__ inline unsigned int of_four(unsigned int word, int from) {
#if defined(__AMDGCN__) && defined(__HIP_DEVICE_COMPILE__)
    const int given = static_cast<int>(word);
    switch (from) {
        case 0: return static_cast<unsigned int>(__builtin_amdgcn_mov_dpp(given, 0x00, 0xf, 0xf, true));
        case 1: return static_cast<unsigned int>(__builtin_amdgcn_mov_dpp(given, 0x55, 0xf, 0xf, true));
        case 2: return static_cast<unsigned int>(__builtin_amdgcn_mov_dpp(given, 0xaa, 0xf, 0xf, true));
        default: return static_cast<unsigned int>(__builtin_amdgcn_mov_dpp(given, 0xff, 0xf, 0xf, true));
    }
#else
    return read_lane(word, (lane_id() & ~3u) + static_cast<unsigned int>(from));
#endif
}
__device__ inline double of_four(double word, int from) {
    const unsigned long long raw = bits<unsigned long long>(word);
    const unsigned int low = of_four(static_cast<unsigned int>(raw), from);
    const unsigned int high = of_four(static_cast<unsigned int>(raw >> 32), from);
    return bits<double>(static_cast<unsigned long long>(high) << 32 | low);
}

// Each lane (row, t) of a group of four works out the elements of its own rows and of the columns 2t and 2t+1. The rows
// of A lie in its own group, and the columns of B in the groups of those numbers. `Rows` is how many eights of rows.
template <typename A, typename B, int Rows, int Words, typename Number>
__device__ inline void multiply_by_lanes(const typename A::word *a, const typename B::word *b, Number *sums) {
    const unsigned int column = (lane_id() & 3u) * 8u;
#pragma unroll
    for (int j = 0; j < Words; ++j) {
#pragma unroll
        for (int from = 0; from < 4; ++from) {
            const typename B::word left = read_lane(b[j], column + static_cast<unsigned int>(from));
            const typename B::word right = read_lane(b[j], column + static_cast<unsigned int>(from) + 4u);
#pragma unroll
            for (int half = 0; half < Rows; ++half) {
                const typename A::word row = of_four(a[half + Rows * j], from);
                sums[2 * half] = dot<A, B>::add(row, left, sums[2 * half]);
                sums[2 * half + 1] = dot<A, B>::add(row, right, sums[2 * half + 1]);
            }
        }
    }
}

}  // namespace detail
}  // namespace cudamigrate

#include "cudamigrate_matrix_cores.h"

namespace cudamigrate {
namespace detail {

// Puts the third matrix to the sums, in the registers of the result.
template <typename Sum, bool Saturate>
struct finish {
    template <int Count>
    __device__ static void third(const Sum (&c)[Count], Sum (&sums)[Count]) {
        for (int i = 0; i < Count; ++i) sums[i] = c[i];
    }
    template <int Count>
    __device__ static void join(const Sum (&c)[Count], const Sum (&sums)[Count], bool with, Sum (&d)[Count]) {
        for (int i = 0; i < Count; ++i) d[i] = with ? sums[i] : c[i] + sums[i];
    }
};
template <bool Saturate>
struct finish<int, Saturate> {
    template <int Count>
    __device__ static void third(const int (&c)[Count], unsigned int (&sums)[Count]) {
        for (int i = 0; i < Count; ++i) sums[i] = Saturate ? 0u : static_cast<unsigned int>(c[i]);
    }
    template <int Count>
    __device__ static void join(const int (&c)[Count], const unsigned int (&sums)[Count], bool with, int (&d)[Count]) {
        for (int i = 0; i < Count; ++i) {
            const int product = static_cast<int>(sums[i]);
            d[i] = Saturate ? add_sat(c[i], product)
                            : static_cast<int>(sums[i] + (with ? 0u : static_cast<unsigned int>(c[i])));
        }
    }
};
template <bool Saturate>
struct finish<element_f16, Saturate> {
    template <int Count>
    __device__ static void third(const unsigned int (&c)[Count], float (&sums)[2 * Count]) {
        for (int i = 0; i < 2 * Count; ++i) sums[i] = decode<element_f16>::at(c[i / 2], i % 2);
    }
    template <int Count>
    __device__ static void join(const unsigned int (&c)[Count], float (&sums)[2 * Count], bool with, unsigned int (&d)[Count]) {
        for (int i = 0; i < Count; ++i) {
            if (!with) sums[2 * i] += decode<element_f16>::at(c[i], 0), sums[2 * i + 1] += decode<element_f16>::at(c[i], 1);
            d[i] = packed_halves(sums[2 * i], sums[2 * i + 1]);
        }
    }
};

}  // namespace detail

// D = A * B + C of M x K by K x 8 elements: mma.sync.aligned.m16n8k8 and its kin. A is in rows, B in columns, as `.row.col`
// says. Sum is float, int, double or f16.
template <int M, int N, int K, typename A, typename B, typename Sum, bool Saturate = false>
__device__ inline Registers<typename detail::result<Sum>::word, M / 4 / detail::result<Sum>::count> mma_sync(
    const Registers<typename A::word, M * K / 32 / A::count> &a, const Registers<typename B::word, K / 4 / B::count> &b,
    const Registers<typename detail::result<Sum>::word, M / 4 / detail::result<Sum>::count> &c) {
    static_assert(N == 8 && (M == 8 || M == 16), "mma.sync makes 8 or 16 rows of 8 columns");
    typedef typename detail::result<Sum>::number number;
    Registers<typename detail::result<Sum>::word, M / 4 / detail::result<Sum>::count> d;
    number sums[M / 4];
    const bool cores = detail::multiply_by_cores<A, B, M / 8, K / 4 / B::count>(a.value, b.value, sums);
    if (!cores) {
        detail::finish<Sum, Saturate>::third(c.value, sums);
        detail::multiply_by_lanes<A, B, M / 8, K / 4 / B::count>(a.value, b.value, sums);
    }
    detail::finish<Sum, Saturate>::join(c.value, sums, !cores, d.value);
    return d;
}

namespace detail {

// An element of an 8 x 4 or 4 x 8 operand of mma.m8n8k4: the halves that a lane holds lie along k, or across it.
template <bool Along>
__device__ inline float quad_element(const unsigned int (&words)[2], unsigned int line, unsigned int k) {
    const unsigned int quad = lane_id() & 12u, upper = line >= 4u ? 16u : 0u;
    const unsigned int from = quad + upper + (Along ? line & 3u : k), element = Along ? k : line & 3u;
    const unsigned int low = read_lane(words[0], from), high = read_lane(words[1], from);
    return decode<element_f16>::at(element < 2u ? low : high, static_cast<int>(element & 1u));
}

}  // namespace detail

// Four products of 8 x 4 by 4 x 8 halves, one for each eight lanes q, q+16: mma.sync.aligned.m8n8k4 of sm_70. A may be in
// columns and B in rows. Sum is float or f16; the sums lie otherwise over the lanes for each.
template <bool RowA, bool ColumnB, typename Sum>
__device__ inline Registers<typename detail::result<Sum>::word, 8 / detail::result<Sum>::count> mma_m8n8k4(
    const Registers<unsigned int, 2> &a, const Registers<unsigned int, 2> &b,
    const Registers<typename detail::result<Sum>::word, 8 / detail::result<Sum>::count> &c) {
    Registers<typename detail::result<Sum>::word, 8 / detail::result<Sum>::count> d;
    const bool halves = detail::result<Sum>::count == 2;
    const unsigned int lane = lane_id(), upper = lane >= 16u ? 4u : 0u;
    float sums[8];
    detail::finish<Sum, false>::third(c.value, sums);
    for (unsigned int i = 0; i < 8u; ++i) {
        const unsigned int row = upper + (halves ? lane & 3u : (lane & 1u) + (i & 2u));
        const unsigned int column = halves ? i : (i & 4u) + (lane & 2u) + (i & 1u);
        for (unsigned int k = 0; k < 4u; ++k) {
            const float x = detail::quad_element<RowA>(a.value, row, k);
            sums[i] = fmaf(x, detail::quad_element<ColumnB>(b.value, column, k), sums[i]);
        }
    }
    detail::finish<Sum, false>::join(c.value, sums, true, d.value);
    return d;
}

// Loads 8 x 8 matrices of 16 bits from shared memory, one to a register. Lane 8i + r gives the address of row r of the
// matrix i; lane 4r + t gets its elements 2t and 2t+1, transposed those of column r: ldmatrix.
template <int Count, bool Transposed>
__device__ inline Registers<unsigned int, Count> ldmatrix(unsigned int address) {
    Registers<unsigned int, Count> d;
    const unsigned int row = lane_id() >> 2, pair = (lane_id() & 3u) * 2u;
#pragma unroll
    for (int i = 0; i < Count; ++i) {
        const unsigned int first = static_cast<unsigned int>(8 * i);
        if (Transposed) {
            const unsigned int low = detail::read_lane(address, first + pair);
            const unsigned int high = detail::read_lane(address, first + pair + 1u);
            d.value[i] = *shared_pointer<const unsigned short>(low + 2u * row) |
                         static_cast<unsigned int>(*shared_pointer<const unsigned short>(high + 2u * row)) << 16;
        } else {
            d.value[i] = *shared_pointer<const unsigned int>(detail::read_lane(address, first + row) + 2u * pair);
        }
    }
    return d;
}

// Stores them: stmatrix.
template <int Count, bool Transposed>
__device__ inline void stmatrix(unsigned int address, const Registers<unsigned int, Count> &words) {
    const unsigned int row = lane_id() >> 2, pair = (lane_id() & 3u) * 2u;
#pragma unroll
    for (int i = 0; i < Count; ++i) {
        const unsigned int first = static_cast<unsigned int>(8 * i);
        if (Transposed) {
            const unsigned int low = detail::read_lane(address, first + pair);
            const unsigned int high = detail::read_lane(address, first + pair + 1u);
            *shared_pointer<unsigned short>(low + 2u * row) = static_cast<unsigned short>(words.value[i]);
            *shared_pointer<unsigned short>(high + 2u * row) = static_cast<unsigned short>(words.value[i] >> 16);
        } else {
            *shared_pointer<unsigned int>(detail::read_lane(address, first + row) + 2u * pair) = words.value[i];
        }
    }
}

// Transposes an 8 x 8 matrix of 16 bits that lies over the lanes: movmatrix.
__device__ inline unsigned int movmatrix(unsigned int word) {
    const unsigned int row = lane_id() >> 2, pair = (lane_id() & 3u) * 2u, shift = (row & 1u) * 16u;
    const unsigned int low = detail::read_lane(word, 4u * pair + row / 2u);
    const unsigned int high = detail::read_lane(word, 4u * (pair + 1u) + row / 2u);
    return (low >> shift & 0xffffu) | (high >> shift) << 16;
}

}  // namespace cudamigrate

#endif

#endif

#endif  // CUDAMIGRATE_MMA_H
