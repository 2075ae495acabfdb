// cudamigrate_matrix_cores.h: the matrix instructions of AMD GPUs under cudamigrate_mma.h, which includes it.
//
// MFMA of CDNA GPUs multiplies 16 x k by k x 16 over a wavefront of 64 lanes. Two warps share each wavefront, so their
// products share the work: the columns of both B matrices are its 16 rows, and the 16 rows of one A are its columns; the
// result comes out transposed, which puts the elements that one lane of NVIDIA's layout wants side by side.
// Lane 16u + r gives row r of an operand, at places in k that MFMA leaves to us, so k may be in any order that is the
// same for both: here u stands for the lane u of a group of four, whose registers are taken as they are.
//
// It is done where all 64 lanes are there. MFMA does not look at which lanes run, and lanes that do not run cannot be
// read; where half a wavefront is alone, multiply_by_cores says no, and the lanes multiply for themselves.
//
// On gfx90a matrix instructions on f16 and bf16 take subnormal numbers for zero, as NVIDIA's do not. There f16 goes by
// way of f32, which is exact and has a quarter of the rate; with CUDAMIGRATE_FLUSH_HALVES defined it does not.
//
// WMMA of RDNA 3 multiplies 16 x 16 by 16 x 16 over a wavefront of 32 lanes, which is one warp: the columns of B are the
// upper 8 rows of the first operand, the rows of A the columns of the second. Each lane gives a whole row, of which the
// lanes of a group of four hold a quarter each. Nothing public says that it keeps subnormal numbers of f16 and bf16, so
// these take it with CUDAMIGRATE_FLUSH_HALVES alone; integers always do, and so does e4m3, whose least number is no
// subnormal one of f16. WMMA of RDNA 4 has half a row in each lane, which two lanes of a group of four hold.
// Sources: AMD matrix instruction calculator; CDNA3 ISA; MIOpen documentation, "MI200 MFMA behavior specifics".
#ifndef CUDAMIGRATE_MATRIX_CORES_H
#define CUDAMIGRATE_MATRIX_CORES_H

// A compiler for the host that is given nothing of HIP's reads nothing of it here either.
#if defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)

#include <hip/hip_runtime.h>

#if defined(__HIPCC__) || !defined(__HIP_PLATFORM_AMD__)  // not where the host's compiler reads HIP's headers

// Which instructions there are: 0x908, 0x90a, 0x940 (of gfx942 too) or 0x950. A model of them may say it itself.
#ifndef CUDAMIGRATE_MFMA
#if !defined(__AMDGCN__)
#define CUDAMIGRATE_MFMA 0
#elif defined(__gfx908__)
#define CUDAMIGRATE_MFMA 0x908
#elif defined(__gfx90a__)
#define CUDAMIGRATE_MFMA 0x90a
#elif defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__)
#define CUDAMIGRATE_MFMA 0x940
#elif defined(__gfx950__)
#define CUDAMIGRATE_MFMA 0x950
#else
#define CUDAMIGRATE_MFMA 0
#endif
#endif
#ifndef CUDAMIGRATE_WMMA
#if !defined(__AMDGCN__)
#define CUDAMIGRATE_WMMA 0
#elif defined(__gfx1100__) || defined(__gfx1101__) || defined(__gfx1102__) || defined(__gfx1103__) || \
    defined(__gfx1150__) || defined(__gfx1151__) || defined(__gfx1152__) || defined(__gfx1153__)
#define CUDAMIGRATE_WMMA 0x1100
#elif defined(__gfx1200__) || defined(__gfx1201__)
#define CUDAMIGRATE_WMMA 0x1200
#else
#define CUDAMIGRATE_WMMA 0
#endif
#endif

namespace cudamigrate {
namespace detail {

#if CUDAMIGRATE_MFMA
#ifdef CUDAMIGRATE_MATRIX_MODEL
namespace mfma = matrix_model;
#else
// The instructions, on registers as words: d += a * b.
namespace mfma {

typedef float floats __attribute__((vector_size(16)));
typedef int ints __attribute__((vector_size(16)));

__device__ inline void take(floats made, float (&d)[4]) {
    for (int i = 0; i < 4; ++i) d[i] = made[i];
}
__device__ inline floats given(const float (&d)[4]) { return floats{d[0], d[1], d[2], d[3]}; }

__device__ inline void f32_16x16x4f32(float a, float b, float (&d)[4]) {
    take(__builtin_amdgcn_mfma_f32_16x16x4f32(a, b, given(d), 0, 0, 0), d);
}
__device__ inline void f32_16x16x16f16(const unsigned int *a, const unsigned int *b, float (&d)[4]) {
    typedef _Float16 halves __attribute__((vector_size(8)));
    halves x, y;
    __builtin_memcpy(&x, a, sizeof(x));
    __builtin_memcpy(&y, b, sizeof(y));
    take(__builtin_amdgcn_mfma_f32_16x16x16f16(x, y, given(d), 0, 0, 0), d);
}
#if CUDAMIGRATE_MFMA >= 0x90a
__device__ inline void f32_16x16x16bf16(const unsigned int *a, const unsigned int *b, float (&d)[4]) {
    typedef short shorts __attribute__((vector_size(8)));
    shorts x, y;
    __builtin_memcpy(&x, a, sizeof(x));
    __builtin_memcpy(&y, b, sizeof(y));
    take(__builtin_amdgcn_mfma_f32_16x16x16bf16_1k(x, y, given(d), 0, 0, 0), d);
}
__device__ inline void f64_16x16x4f64(double a, double b, double (&d)[4]) {
    typedef double doubles __attribute__((vector_size(32)));
    const doubles made = __builtin_amdgcn_mfma_f64_16x16x4f64(a, b, doubles{d[0], d[1], d[2], d[3]}, 0, 0, 0);
    for (int i = 0; i < 4; ++i) d[i] = made[i];
}
#endif
#if CUDAMIGRATE_MFMA >= 0x940
__device__ inline void i32_16x16x32i8(const unsigned int *a, const unsigned int *b, unsigned int (&d)[4]) {
    long x, y;
    __builtin_memcpy(&x, a, sizeof(x));
    __builtin_memcpy(&y, b, sizeof(y));
    const ints c = {static_cast<int>(d[0]), static_cast<int>(d[1]), static_cast<int>(d[2]), static_cast<int>(d[3])};
    const ints made = __builtin_amdgcn_mfma_i32_16x16x32_i8(x, y, c, 0, 0, 0);
    for (int i = 0; i < 4; ++i) d[i] = static_cast<unsigned int>(made[i]);
}
#if CUDAMIGRATE_MFMA == 0x950
__device__ inline void i32_16x16x64i8(const unsigned int *a, const unsigned int *b, unsigned int (&d)[4]) {
    ints x, y;
    __builtin_memcpy(&x, a, sizeof(x));
    __builtin_memcpy(&y, b, sizeof(y));
    const ints c = {static_cast<int>(d[0]), static_cast<int>(d[1]), static_cast<int>(d[2]), static_cast<int>(d[3])};
    const ints made = __builtin_amdgcn_mfma_i32_16x16x64_i8(x, y, c, 0, 0, 0);
    for (int i = 0; i < 4; ++i) d[i] = static_cast<unsigned int>(made[i]);
}
#endif
#else
__device__ inline void i32_16x16x16i8(unsigned int a, unsigned int b, unsigned int (&d)[4]) {
    const ints c = {static_cast<int>(d[0]), static_cast<int>(d[1]), static_cast<int>(d[2]), static_cast<int>(d[3])};
    const ints made = __builtin_amdgcn_mfma_i32_16x16x16i8(static_cast<int>(a), static_cast<int>(b), c, 0, 0, 0);
    for (int i = 0; i < 4; ++i) d[i] = static_cast<unsigned int>(made[i]);
}
#endif
#if CUDAMIGRATE_MFMA == 0x940
__device__ inline void f32_16x16x8xf32(const float *a, const float *b, float (&d)[4]) {
    typedef float pair __attribute__((vector_size(8)));
    const pair x = {a[0], a[1]}, y = {b[0], b[1]};
    take(__builtin_amdgcn_mfma_f32_16x16x8_xf32(x, y, given(d), 0, 0, 0), d);
}
#endif

}  // namespace mfma
#endif

// One matrix product of 16 x 16, from `Words` registers of each lane. `first` and `second` are rows of the operands.
template <typename Type>
struct core;

template <>
struct core<element_tf32> {
    typedef float number;
    static const bool here = true;
    template <int Words>
    __device__ static void add(const unsigned int (&first)[Words], const unsigned int (&second)[Words], float (&d)[4]) {
#if CUDAMIGRATE_MFMA == 0x940
        for (int j = 0; j < Words; j += 2) {
            const bool both = j + 1 < Words;
            const float x[2] = {decode<element_tf32>::at(first[j], 0), both ? decode<element_tf32>::at(first[both ? j + 1 : j], 0) : 0.0f};
            const float y[2] = {decode<element_tf32>::at(second[j], 0), both ? decode<element_tf32>::at(second[both ? j + 1 : j], 0) : 0.0f};
            mfma::f32_16x16x8xf32(x, y, d);
        }
#else
        for (int j = 0; j < Words; ++j) mfma::f32_16x16x4f32(decode<element_tf32>::at(first[j], 0), decode<element_tf32>::at(second[j], 0), d);
#endif
    }
};

template <>
struct core<element_f16> {
    typedef float number;
    static const bool here = true;
    template <int Words>
    __device__ static void add(const unsigned int (&first)[Words], const unsigned int (&second)[Words], float (&d)[4]) {
#if CUDAMIGRATE_MFMA == 0x90a && !defined(CUDAMIGRATE_FLUSH_HALVES)
        for (int i = 0; i < 2 * Words; ++i)
            mfma::f32_16x16x4f32(decode<element_f16>::at(first[i / 2], i % 2), decode<element_f16>::at(second[i / 2], i % 2), d);
#else
        for (int j = 0; j < Words; j += 2) {
            const bool both = j + 1 < Words;
            const unsigned int x[2] = {first[j], both ? first[both ? j + 1 : j] : 0u};
            const unsigned int y[2] = {second[j], both ? second[both ? j + 1 : j] : 0u};
            mfma::f32_16x16x16f16(x, y, d);
        }
#endif
    }
};

template <>
struct core<element_bf16> {
    typedef float number;
    static const bool here = true;
    template <int Words>
    __device__ static void add(const unsigned int (&first)[Words], const unsigned int (&second)[Words], float (&d)[4]) {
#if CUDAMIGRATE_MFMA == 0x908 || (CUDAMIGRATE_MFMA == 0x90a && !defined(CUDAMIGRATE_FLUSH_HALVES))
        for (int i = 0; i < 2 * Words; ++i)
            mfma::f32_16x16x4f32(decode<element_bf16>::at(first[i / 2], i % 2), decode<element_bf16>::at(second[i / 2], i % 2), d);
#else
        for (int j = 0; j < Words; j += 2) {
            const bool both = j + 1 < Words;
            const unsigned int x[2] = {first[j], both ? first[both ? j + 1 : j] : 0u};
            const unsigned int y[2] = {second[j], both ? second[both ? j + 1 : j] : 0u};
            mfma::f32_16x16x16bf16(x, y, d);
        }
#endif
    }
};

template <>
struct core<element_s8> {
    typedef unsigned int number;
    static const bool here = true;
    template <int Words>
    __device__ static void add(const unsigned int (&first)[Words], const unsigned int (&second)[Words], unsigned int (&d)[4]) {
#if CUDAMIGRATE_MFMA >= 0x940
        int j = 0;
#if CUDAMIGRATE_MFMA == 0x950
        for (; j + 3 < Words; j += 4) mfma::i32_16x16x64i8(first + j, second + j, d);
#endif
        for (; j < Words; j += 2) {
            const bool both = j + 1 < Words;
            const unsigned int x[2] = {first[j], both ? first[both ? j + 1 : j] : 0u};
            const unsigned int y[2] = {second[j], both ? second[both ? j + 1 : j] : 0u};
            mfma::i32_16x16x32i8(x, y, d);
        }
#else
        for (int j = 0; j < Words; ++j) mfma::i32_16x16x16i8(first[j], second[j], d);
#endif
    }
};

#if CUDAMIGRATE_MFMA >= 0x90a
template <>
struct core<element_f64> {
    typedef double number;
    static const bool here = true;
    template <int Words>
    __device__ static void add(const double (&first)[Words], const double (&second)[Words], double (&d)[4]) {
        for (int j = 0; j < Words; ++j) mfma::f64_16x16x4f64(first[j], second[j], d);
    }
};
#endif

// What a register becomes for the matrix core: the type there, how many registers, how much is missing from each element.
template <typename Type>
struct core_words {
    typedef void type;
    static const int times = 0;
};
template <typename Type, int Missing = 0>
struct as_it_is {
    typedef Type type;
    static const int times = 1, missing = Missing;
    __device__ static void words(typename Type::word word, typename Type::word *made) { made[0] = word; }
};
template <>
struct core_words<element_f16> : as_it_is<element_f16> {};
template <>
struct core_words<element_bf16> : as_it_is<element_bf16> {};
template <>
struct core_words<element_tf32> : as_it_is<element_tf32> {};
#if CUDAMIGRATE_MFMA >= 0x90a
template <>
struct core_words<element_f64> : as_it_is<element_f64> {};
#endif
template <>
struct core_words<element_s8> : as_it_is<element_s8> {};
template <>
struct core_words<element_u8> : as_it_is<element_s8, 128> {
    __device__ static void words(unsigned int word, unsigned int *made) { made[0] = word ^ 0x80808080u; }
};
template <>
struct core_words<element_u4> {
    typedef element_s8 type;
    static const int times = 2, missing = 0;
    __device__ static void words(unsigned int word, unsigned int *made) {
        made[0] = word & 0x0f0f0f0fu;
        made[1] = word >> 4 & 0x0f0f0f0fu;
    }
};
template <>
struct core_words<element_s4> {
    typedef element_s8 type;
    static const int times = 2, missing = 0;
    __device__ static void words(unsigned int word, unsigned int *made) {
        core_words<element_u4>::words(word, made);
        for (int i = 0; i < 2; ++i) made[i] |= (made[i] & 0x08080808u) * 0x1eu;
    }
};
// 8-bit floats are exact in f16.
template <typename Type>
struct as_halves {
    typedef element_f16 type;
    static const int times = 2, missing = 0;
    __device__ static void words(unsigned int word, unsigned int *made) { to_f16<Type>(word, made); }
};
template <>
struct core_words<element_e4m3> : as_halves<element_e4m3> {};
template <>
struct core_words<element_e5m2> : as_halves<element_e5m2> {};

// What unsigned bytes lost when 128 was taken off each: 128 times the sum of the other side, by a product with 64 twice.
template <int MissingA, int MissingB, int Words>
struct correct {
    template <typename Word, typename Number>
    __device__ static void add(const Word (&)[Words], const Word (&)[Words], Number (&)[4]) {}
};
template <int MissingA, int MissingB, int Words>
struct correct_bytes {
    __device__ static void add(const unsigned int (&columns)[Words], const unsigned int (&rows)[Words], unsigned int (&d)[4]) {
        unsigned int many[Words];
        for (unsigned int &one : many) one = 0x40404040u;
        for (int twice = 0; twice < 2; ++twice) {
            if (MissingA != 0) core<element_s8>::add(columns, many, d);
            if (MissingB != 0) core<element_s8>::add(many, rows, d);
        }
        for (unsigned int &one : d) one += static_cast<unsigned int>(MissingA * MissingB * 16 * Words);
    }
};
template <int MissingA, int Words>
struct correct<MissingA, 128, Words> : correct_bytes<MissingA, 128, Words> {};
template <int Words>
struct correct<128, 0, Words> : correct_bytes<128, 0, Words> {};

// Which row of the first operand, of 16, a lane's columns of B become, and in which of a lane's four results of the
// product the element lies then: f64 has another layout.
template <typename Number>
struct order {
    __device__ static unsigned int of_four(unsigned int row) { return row >> 2; }
    __device__ static unsigned int place(unsigned int row) { return row & 3u; }
};
template <>
struct order<double> {
    __device__ static unsigned int of_four(unsigned int row) { return row & 3u; }
    __device__ static unsigned int place(unsigned int row) { return row >> 2; }
};

template <typename A, typename B, int Rows, int Words>
struct by_cores {
    typedef typename core_words<A>::type type;
    typedef typename core<type>::number number;
    typedef typename A::word word;
    static const int all = Words * core_words<A>::times;

    __device__ static void widen(const word (&given)[Words], word (&made)[all]) {
        for (int j = 0; j < Words; ++j) core_words<A>::words(given[j], made + j * core_words<A>::times);
    }

    __device__ static void product(const word (&columns)[all], const word (&rows)[all], number (&d)[4]) {
        for (number &one : d) one = 0;
        core<type>::add(columns, rows, d);
        correct<core_words<A>::missing, core_words<B>::missing, all>::add(columns, rows, d);
    }

    // The columns of both warps' B: row m of the operand is the column 2t + c of the warp w.
    __device__ static void columns(const word *b, word (&made)[all]) {
        const unsigned int lane = __lane_id(), row = lane & 15u, part = lane >> 4;
        const unsigned int place = order<number>::place(row), t = order<number>::of_four(row);
        const unsigned int from = (place >> 1) * 32u + 4u * (2u * t + (place & 1u)) + part;
        for (int j = 0; j < Words; ++j) core_words<B>::words(read_lane(b[j], from, 64), made + j * core_words<B>::times);
    }
};

// 16 rows: a product for each warp. The halves of the rows (registers) and the warps (lanes) change places.
template <typename A, typename B, int Rows, int Words>
struct rows_of : by_cores<A, B, Rows, Words> {
    typedef by_cores<A, B, Rows, Words> base;
    typedef typename base::word word;
    typedef typename base::number number;

    __device__ static void run(const word *a, const word *b, number *sums) {
        const unsigned int lane = __lane_id(), warp = lane >> 5, half = lane >> 3 & 1u;
        word columns[base::all], given[2][Words], rows[2][base::all];
        base::columns(b, columns);
        for (unsigned int i = 0; i < 2u; ++i) {
            const unsigned int from = 32u * (half ^ i) + 4u * (lane & 7u) + (lane >> 4);
            for (int j = 0; j < Words; ++j) {
                const word got = read_lane((warp ^ i) != 0u ? a[2 * j + 1] : a[2 * j], from, 64);
                given[0][j] = i == 0u || half != 0u ? got : given[0][j];
                given[1][j] = i == 0u || half == 0u ? got : given[1][j];
            }
        }
        number made[2][4];
        for (int w = 0; w < 2; ++w) {
            base::widen(given[w], rows[w]);
            base::product(columns, rows[w], made[w]);
        }
        back(made, sums);
    }

    __device__ static void back(const number (&made)[2][4], number *sums) {
        const unsigned int lane = __lane_id(), warp = lane >> 5, half = lane >> 3 & 1u;
        for (unsigned int i = 0; i < 2u; ++i) {
            const unsigned int from = 16u * (lane & 3u) + 8u * (warp ^ i) + (lane >> 2 & 7u);
            for (int c = 0; c < 2; ++c) {
                const number got = read_lane((half ^ i) != 0u ? made[1][2 + c] : made[0][c], from, 64);
                sums[c] = i == 0u || warp != 0u ? got : sums[c];
                sums[2 + c] = i == 0u || warp == 0u ? got : sums[2 + c];
            }
        }
    }
};

// 8 rows: those of both warps fill one product.
template <typename A, typename B, int Words>
struct rows_of<A, B, 1, Words> : by_cores<A, B, 1, Words> {
    typedef by_cores<A, B, 1, Words> base;
    typedef typename base::word word;
    typedef typename base::number number;

    __device__ static void run(const word *a, const word *b, number *sums) {
        const unsigned int lane = __lane_id(), warp = lane >> 5;
        word columns[base::all], given[Words], rows[base::all];
        base::columns(b, columns);
        for (int j = 0; j < Words; ++j)
            given[j] = read_lane(a[j], 32u * (lane >> 3 & 1u) + 4u * (lane & 7u) + (lane >> 4), 64);
        base::widen(given, rows);
        number made[4];
        base::product(columns, rows, made);
        const unsigned int from = 16u * (lane & 3u) + 8u * warp + (lane >> 2 & 7u);
        for (int c = 0; c < 2; ++c) sums[c] = read_lane((lane >> 3 & 1u) != 0u ? made[2 + c] : made[c], from, 64);
    }
};

template <typename A, typename B, int Rows, int Words, bool Here>
struct cores {
    template <typename Number>
    __device__ static bool multiply(const typename A::word *, const typename B::word *, Number *) {
        return false;
    }
};
template <typename A, typename B, int Rows, int Words>
struct cores<A, B, Rows, Words, true> {
    template <typename Number>
    __device__ static bool multiply(const typename A::word *a, const typename B::word *b, Number *sums) {
        if (warpSize != 64 || __ballot(1) != ~0ull) return false;
        rows_of<A, B, Rows, Words>::run(a, b, sums);
        return true;
    }
};

// The sums of products without the third matrix, where matrix cores can make them.
template <typename A, typename B, int Rows, int Words, typename Number>
__device__ inline bool multiply_by_cores(const typename A::word *a, const typename B::word *b, Number *sums) {
    return cores<A, B, Rows, Words, core_words<A>::times != 0>::multiply(a, b, sums);
}

#elif CUDAMIGRATE_WMMA
#ifdef CUDAMIGRATE_MATRIX_MODEL
namespace wmma_cores = matrix_model;
#else
// The instructions, on registers as words: d += a * b. Bytes and numbers of 4 bits are signed or not on each side.
namespace wmma_cores {

typedef float floats __attribute__((ext_vector_type(8)));
typedef int ints __attribute__((ext_vector_type(8)));
#if CUDAMIGRATE_WMMA == 0x1200
typedef _Float16 halves __attribute__((ext_vector_type(8)));
typedef short brains __attribute__((ext_vector_type(8)));
typedef int bytes __attribute__((ext_vector_type(2)));
typedef bytes nibbles;
#define CUDAMIGRATE_WAVE_CORE(name) __builtin_amdgcn_wmma_##name##_w32_gfx12
#define CUDAMIGRATE_WAVE_NIBBLES CUDAMIGRATE_WAVE_CORE(i32_16x16x32_iu4)
#else
typedef _Float16 halves __attribute__((ext_vector_type(16)));
typedef short brains __attribute__((ext_vector_type(16)));
typedef int bytes __attribute__((ext_vector_type(4)));
typedef int nibbles __attribute__((ext_vector_type(2)));
#define CUDAMIGRATE_WAVE_CORE(name) __builtin_amdgcn_wmma_##name##_w32
#define CUDAMIGRATE_WAVE_NIBBLES CUDAMIGRATE_WAVE_CORE(i32_16x16x16_iu4)
#endif

// Words of a lane as what an instruction takes.
template <typename Operand, typename Sums>
struct Given {
    Operand x, y;
    Sums z;
    template <typename Number>
    __device__ Given(const unsigned int *a, const unsigned int *b, const Number (&d)[8]) {
        __builtin_memcpy(&x, a, sizeof(x));
        __builtin_memcpy(&y, b, sizeof(y));
        __builtin_memcpy(&z, d, sizeof(z));
    }
};

__device__ inline void f32_f16(const unsigned int *a, const unsigned int *b, float (&d)[8]) {
    const Given<halves, floats> given(a, b, d);
    const floats made = CUDAMIGRATE_WAVE_CORE(f32_16x16x16_f16)(given.x, given.y, given.z);
    __builtin_memcpy(d, &made, sizeof(made));
}
__device__ inline void f32_bf16(const unsigned int *a, const unsigned int *b, float (&d)[8]) {
    const Given<brains, floats> given(a, b, d);
    const floats made = CUDAMIGRATE_WAVE_CORE(f32_16x16x16_bf16)(given.x, given.y, given.z);
    __builtin_memcpy(d, &made, sizeof(made));
}
template <bool SignedA, bool SignedB>
__device__ inline void i32_iu8(const unsigned int *a, const unsigned int *b, unsigned int (&d)[8]) {
    const Given<bytes, ints> given(a, b, d);
    const ints made = CUDAMIGRATE_WAVE_CORE(i32_16x16x16_iu8)(SignedA, given.x, SignedB, given.y, given.z, false);
    __builtin_memcpy(d, &made, sizeof(made));
}
template <bool SignedA, bool SignedB>
__device__ inline void i32_iu4(const unsigned int *a, const unsigned int *b, unsigned int (&d)[8]) {
    const Given<nibbles, ints> given(a, b, d);
    const ints made = CUDAMIGRATE_WAVE_NIBBLES(SignedA, given.x, SignedB, given.y, given.z, false);
    __builtin_memcpy(d, &made, sizeof(made));
}
#undef CUDAMIGRATE_WAVE_CORE
#undef CUDAMIGRATE_WAVE_NIBBLES

}  // namespace wmma_cores
#endif

// How many registers of a lane one instruction takes for a type, 0 where there is none, and the instruction. `first` are
// columns of B, `second` rows of A.
template <typename A, typename B>
struct wave_core {
    static const int words = 0;
};
#if CUDAMIGRATE_WMMA == 0x1200
static const int of_halves = 4, of_bytes = 2, of_nibbles = 2;
#else
static const int of_halves = 8, of_bytes = 4, of_nibbles = 2;
#endif
template <bool SignedA, bool SignedB>
struct wave_bytes {
    static const int words = of_bytes;
    typedef unsigned int number;
    __device__ static void add(const unsigned int *first, const unsigned int *second, unsigned int (&d)[8]) {
        wmma_cores::i32_iu8<SignedB, SignedA>(first, second, d);
    }
};
template <bool SignedA, bool SignedB>
struct wave_nibbles {
    static const int words = of_nibbles;
    typedef unsigned int number;
    __device__ static void add(const unsigned int *first, const unsigned int *second, unsigned int (&d)[8]) {
        wmma_cores::i32_iu4<SignedB, SignedA>(first, second, d);
    }
};
template <> struct wave_core<element_s8, element_s8> : wave_bytes<true, true> {};
template <> struct wave_core<element_s8, element_u8> : wave_bytes<true, false> {};
template <> struct wave_core<element_u8, element_s8> : wave_bytes<false, true> {};
template <> struct wave_core<element_u8, element_u8> : wave_bytes<false, false> {};
template <> struct wave_core<element_s4, element_s4> : wave_nibbles<true, true> {};
template <> struct wave_core<element_s4, element_u4> : wave_nibbles<true, false> {};
template <> struct wave_core<element_u4, element_s4> : wave_nibbles<false, true> {};
template <> struct wave_core<element_u4, element_u4> : wave_nibbles<false, false> {};
template <>
struct wave_core<element_e4m3, element_e4m3> {
    static const int words = of_bytes;
    typedef float number;
    __device__ static void add(const unsigned int *first, const unsigned int *second, float (&d)[8]) {
        unsigned int x[of_halves], y[of_halves];
        for (int w = 0; w < words; ++w) to_f16<element_e4m3>(first[w], x + 2 * w), to_f16<element_e4m3>(second[w], y + 2 * w);
        wmma_cores::f32_f16(x, y, d);
    }
};
#ifdef CUDAMIGRATE_FLUSH_HALVES
template <>
struct wave_core<element_f16, element_f16> {
    static const int words = of_halves;
    typedef float number;
    __device__ static void add(const unsigned int *first, const unsigned int *second, float (&d)[8]) {
        wmma_cores::f32_f16(first, second, d);
    }
};
template <>
struct wave_core<element_bf16, element_bf16> {
    static const int words = of_halves;
    typedef float number;
    __device__ static void add(const unsigned int *first, const unsigned int *second, float (&d)[8]) {
        wmma_cores::f32_bf16(first, second, d);
    }
};
#endif

#if CUDAMIGRATE_WMMA == 0x1200
template <typename A, typename B, int Rows, int Words, int OfOne>
struct by_wave {
    // Words of half a row, zeros behind them where one instruction takes more.
    static const int given = 2 * Words, all = (given + OfOne - 1) / OfOne * OfOne;

    // The columns 0 to 3 of B are the rows 0 to 3 of the first operand, the columns 4 to 7 its rows 8 to 11: so each lane
    // gets four elements of the result that are of use.
    template <typename Number>
    __device__ static bool multiply(const unsigned int *a, const unsigned int *b, Number *sums) {
        if (warpSize != 32 || __ballot(1) != 0xffffffffull) return false;
        unsigned int first[all] = {}, second[all] = {};
        const unsigned int lane = lane_id(), column = (lane & 3u) | (lane >> 1 & 4u);
        for (int w = 0; w < given; ++w)
            first[w] = read_lane(b[w / 2], 4u * column + 2u * (lane >> 4) + static_cast<unsigned int>(w % 2));
        rows(a, second);
        Number made[8] = {};
        for (int w = 0; w < all; w += OfOne) wave_core<A, B>::add(first + w, second + w, made);
        back(made, sums);
        return true;
    }

    // Two lanes of a group hold a half of its rows. Lanes of the lower eight rows read from one of them, those of the upper
    // ones from the other: so each lane is asked for one of its halves at a time.
    __device__ static void rows(const unsigned int *a, unsigned int (&second)[all]) {
        const unsigned int lane = lane_id(), half = Rows == 2 ? lane >> 3 & 1u : 0u;
        for (int j = 0; j < Words; ++j) {
            unsigned int got[2];
            for (unsigned int i = 0; i < 2u; ++i) {
                const bool upper = Rows == 2 && ((lane ^ i) & 1u) != 0u;
                const unsigned int source = 4u * (lane & 7u) + 2u * (lane >> 4) + (i ^ half);
                got[i] = read_lane(upper ? a[Rows * j + Rows - 1] : a[Rows * j], source);
            }
            second[2 * j] = half != 0u ? got[1] : got[0];
            second[2 * j + 1] = half != 0u ? got[0] : got[1];
        }
    }

    // A lane has columns 0 to 3, or 4 to 7, of one row; the lane that wants them has two columns of two rows. Of 8 rows the
    // others are the same once more.
    template <typename Number>
    __device__ static void back(const Number (&made)[8], Number *sums) {
        const unsigned int lane = lane_id(), half = lane >> 3 & 1u, odd = lane & 1u;
        for (unsigned int i = 0; i < static_cast<unsigned int>(Rows); ++i) {
            const unsigned int wanted = odd ^ i, source = 16u * (lane >> 1 & 1u) + (lane >> 2) + 8u * wanted;
            for (int c = 0; c < 2; ++c) {
                const Number got = read_lane((half ^ i) != 0u ? made[2 + c] : made[c], source);
                sums[c] = i == 0u || wanted == 0u ? got : sums[c];
                if (Rows == 2) sums[2 * Rows - 2 + c] = i == 0u || wanted != 0u ? got : sums[2 * Rows - 2 + c];
            }
        }
    }
};
#else
template <typename A, typename B, int Rows, int Words, int OfOne>
struct by_wave {
    // Words of a whole row, zeros behind them where one instruction takes more.
    static const int given = 4 * Words, all = (given + OfOne - 1) / OfOne * OfOne;

    template <typename Number>
    __device__ static bool multiply(const unsigned int *a, const unsigned int *b, Number *sums) {
        if (warpSize != 32 || __ballot(1) != 0xffffffffull) return false;
        unsigned int first[all] = {}, second[all] = {};
        const unsigned int row = lane_id() & 7u;
        for (int w = 0; w < given; ++w) first[w] = read_lane(b[w / 4], 4u * row + static_cast<unsigned int>(w % 4));
        rows(a, second);
        Number made[8] = {};
        for (int w = 0; w < all; w += OfOne) wave_core<A, B>::add(first + w, second + w, made);
        back(made, sums);
        return true;
    }

    // Lanes of the lower eight rows read from the lane `from` of a group, those of the upper ones from its neighbour: so
    // each lane is asked for one of its halves at a time.
    __device__ static void rows(const unsigned int *a, unsigned int (&second)[all]) {
        const unsigned int lane = lane_id(), half = lane >> 3 & 1u;
        for (int j = 0; j < Words; ++j) {
            unsigned int got[4];
            for (unsigned int from = 0; from < 4u; ++from) {
                const bool upper = Rows == 2 && ((lane ^ from) & 1u) != 0u;
                const unsigned int source = 4u * (lane & 7u) + (Rows == 2 ? from ^ half : from);
                got[from] = read_lane(upper ? a[Rows * j + Rows - 1] : a[Rows * j], source);
            }
            for (unsigned int from = 0; from < 4u; ++from)
                second[4 * j + static_cast<int>(from)] = Rows == 2 && half != 0u ? got[from ^ 1u] : got[from];
        }
    }

    // A lane has four columns 2t + c of one row, t in its registers; the lane that wants them has two columns of two rows.
    template <typename Number>
    __device__ static void back(const Number (&made)[8], Number *sums) {
        const unsigned int lane = lane_id(), eight = lane >> 3, t = lane & 3u;
        Number found[4];
        for (unsigned int i = 0; i < 4u; ++i) {
            const unsigned int sent = eight ^ i, wanted = t ^ i;
            const Number low = (sent & 1u) != 0u ? made[1] : made[0], high = (sent & 1u) != 0u ? made[3] : made[2];
            const Number got = read_lane((sent & 2u) != 0u ? high : low, 8u * wanted + (lane >> 2));
            for (unsigned int k = 0; k < 4u; ++k) found[k] = i == 0u || wanted == k ? got : found[k];
        }
        for (int half = 0; half < Rows; ++half) {
            for (int c = 0; c < 2; ++c) sums[2 * half + c] = found[2 * c + half];
        }
    }
};
#endif
template <typename A, typename B, int Rows, int Words>
struct by_wave<A, B, Rows, Words, 0> {
    template <typename Number>
    __device__ static bool multiply(const typename A::word *, const typename B::word *, Number *) {
        return false;
    }
};

// The sums of products without the third matrix, where matrix cores can make them.
template <typename A, typename B, int Rows, int Words, typename Number>
__device__ inline bool multiply_by_cores(const typename A::word *a, const typename B::word *b, Number *sums) {
    return by_wave<A, B, Rows, Words, wave_core<A, B>::words>::multiply(a, b, sums);
}

#else

template <typename A, typename B, int Rows, int Words, typename Number>
__device__ inline bool multiply_by_cores(const typename A::word *, const typename B::word *, Number *) {
    return false;
}

#endif

}  // namespace detail
}  // namespace cudamigrate

#endif

#endif

#endif  // CUDAMIGRATE_MATRIX_CORES_H
