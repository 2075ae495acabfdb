// cudamigrate_math.h: CUDA's arithmetic functions that HIP does not declare.
//
// Included by code that cudamigrate converted; copy it, cudamigrate_ptx.h and cudamigrate_hip.h wherever that code goes.
// It works with ROCm 5.2 and later. Each function has the name of CUDA's without the underscores in front, takes the same
// arguments, and gives the same result, unless it says otherwise.
#ifndef CUDAMIGRATE_MATH_H
#define CUDAMIGRATE_MATH_H

// A compiler for the host that is given nothing of HIP's reads nothing of it here either.
#if defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)

#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include "cudamigrate_ptx.h"

#if defined(__HIPCC__) || !defined(__HIP_PLATFORM_AMD__)  // not where the host's compiler reads HIP's headers

namespace cudamigrate {

// Two halves or four bytes of a word at once: __vadd2, __vadd4 and their kin. `s` reads the parts as signed, `u` as
// unsigned; `ss` and `us` stop at the ends of the range.
#define CUDAMIGRATE_PARTS(name, bits, is_signed, saturates, expression)                       \
    __host__ __device__ inline unsigned int name(unsigned int a, unsigned int b) {            \
        return detail::each<bits, is_signed>(a, b, saturates, [](int x, int y) { return expression; }); \
    }
#define CUDAMIGRATE_PART(name, bits, saturates, expression)                                   \
    __host__ __device__ inline unsigned int name(unsigned int a) {                            \
        return detail::each<bits, true>(a, 0u, saturates, [](int x, int) { return expression; }); \
    }
#define CUDAMIGRATE_BOTH(name, sign, saturates, expression)                                   \
    CUDAMIGRATE_PARTS(name##2, 16, sign, saturates, expression)                               \
    CUDAMIGRATE_PARTS(name##4, 8, sign, saturates, expression)
#define CUDAMIGRATE_COMPARED(name, sign, comparison)                                          \
    CUDAMIGRATE_BOTH(vcmp##name, sign, false, x comparison y ? -1 : 0)                        \
    CUDAMIGRATE_BOTH(vset##name, sign, false, x comparison y ? 1 : 0)

CUDAMIGRATE_PART(vabs2, 16, false, x < 0 ? -x : x)
CUDAMIGRATE_PART(vabs4, 8, false, x < 0 ? -x : x)
CUDAMIGRATE_PART(vabsss2, 16, true, x < 0 ? -x : x)
CUDAMIGRATE_PART(vabsss4, 8, true, x < 0 ? -x : x)
CUDAMIGRATE_PART(vneg2, 16, false, -x)
CUDAMIGRATE_PART(vneg4, 8, false, -x)
CUDAMIGRATE_PART(vnegss2, 16, true, -x)
CUDAMIGRATE_PART(vnegss4, 8, true, -x)
CUDAMIGRATE_BOTH(vadd, false, false, x + y)
CUDAMIGRATE_BOTH(vaddss, true, true, x + y)
CUDAMIGRATE_BOTH(vaddus, false, true, x + y)
CUDAMIGRATE_BOTH(vsub, false, false, x - y)
CUDAMIGRATE_BOTH(vsubss, true, true, x - y)
CUDAMIGRATE_BOTH(vsubus, false, true, x - y)
CUDAMIGRATE_BOTH(vabsdiffs, true, false, x < y ? y - x : x - y)
CUDAMIGRATE_BOTH(vabsdiffu, false, false, x < y ? y - x : x - y)
CUDAMIGRATE_BOTH(vmaxs, true, false, x < y ? y : x)
CUDAMIGRATE_BOTH(vmaxu, false, false, x < y ? y : x)
CUDAMIGRATE_BOTH(vmins, true, false, x < y ? x : y)
CUDAMIGRATE_BOTH(vminu, false, false, x < y ? x : y)

// Averages: half of a sum goes away from zero, and for `vhaddu` to zero.
CUDAMIGRATE_BOTH(vavgs, true, false, (x + y + (x + y < 0 ? 0 : 1)) >> 1)
CUDAMIGRATE_BOTH(vavgu, false, false, (x + y + 1) >> 1)
CUDAMIGRATE_BOTH(vhaddu, false, false, (x + y) >> 1)

// Comparisons: `vcmp` gives all ones, `vset` gives 1.
CUDAMIGRATE_COMPARED(eq, false, ==)
CUDAMIGRATE_COMPARED(ne, false, !=)
CUDAMIGRATE_COMPARED(ges, true, >=)
CUDAMIGRATE_COMPARED(geu, false, >=)
CUDAMIGRATE_COMPARED(gts, true, >)
CUDAMIGRATE_COMPARED(gtu, false, >)
CUDAMIGRATE_COMPARED(les, true, <=)
CUDAMIGRATE_COMPARED(leu, false, <=)
CUDAMIGRATE_COMPARED(lts, true, <)
CUDAMIGRATE_COMPARED(ltu, false, <)

#undef CUDAMIGRATE_COMPARED
#undef CUDAMIGRATE_BOTH
#undef CUDAMIGRATE_PART
#undef CUDAMIGRATE_PARTS

// Sums of absolute differences.
__host__ __device__ inline unsigned int vsads2(unsigned int a, unsigned int b) { return sum_parts<16>(vabsdiffs2(a, b), 0u); }
__host__ __device__ inline unsigned int vsads4(unsigned int a, unsigned int b) { return sum_parts<8>(vabsdiffs4(a, b), 0u); }
__host__ __device__ inline unsigned int vsadu2(unsigned int a, unsigned int b) { return sum_parts<16>(vabsdiffu2(a, b), 0u); }
__host__ __device__ inline unsigned int vsadu4(unsigned int a, unsigned int b) { return sum_parts<8>(vabsdiffu4(a, b), 0u); }

// The smaller and the larger of integers of one type.
__host__ __device__ inline unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
__host__ __device__ inline unsigned int umax(unsigned int a, unsigned int b) { return a < b ? b : a; }
__host__ __device__ inline long long llmin(long long a, long long b) { return a < b ? a : b; }
__host__ __device__ inline long long llmax(long long a, long long b) { return a < b ? b : a; }
__host__ __device__ inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
__host__ __device__ inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }

// Two of them, or a sum and one of them, and zero at least for `relu`: __vimax3_s32, __viaddmax_s32 and their kin. Sums
// wrap around.
namespace detail {

__host__ __device__ inline int least(int a, int b) { return a < b ? a : b; }
__host__ __device__ inline int most(int a, int b) { return a < b ? b : a; }
__host__ __device__ inline int sum(int a, int b) { return static_cast<int>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b)); }

}  // namespace detail

__host__ __device__ inline int viaddmax_s32(int a, int b, int c) { return detail::most(detail::sum(a, b), c); }
__host__ __device__ inline int viaddmin_s32(int a, int b, int c) { return detail::least(detail::sum(a, b), c); }
__host__ __device__ inline int viaddmax_s32_relu(int a, int b, int c) { return detail::most(viaddmax_s32(a, b, c), 0); }
__host__ __device__ inline int viaddmin_s32_relu(int a, int b, int c) { return detail::most(viaddmin_s32(a, b, c), 0); }
__host__ __device__ inline unsigned int viaddmax_u32(unsigned int a, unsigned int b, unsigned int c) { return umax(a + b, c); }
__host__ __device__ inline unsigned int viaddmin_u32(unsigned int a, unsigned int b, unsigned int c) { return umin(a + b, c); }
__host__ __device__ inline int vimax3_s32(int a, int b, int c) { return detail::most(detail::most(a, b), c); }
__host__ __device__ inline int vimin3_s32(int a, int b, int c) { return detail::least(detail::least(a, b), c); }
__host__ __device__ inline int vimax3_s32_relu(int a, int b, int c) { return detail::most(vimax3_s32(a, b, c), 0); }
__host__ __device__ inline int vimin3_s32_relu(int a, int b, int c) { return detail::most(vimin3_s32(a, b, c), 0); }
__host__ __device__ inline unsigned int vimax3_u32(unsigned int a, unsigned int b, unsigned int c) { return umax(umax(a, b), c); }
__host__ __device__ inline unsigned int vimin3_u32(unsigned int a, unsigned int b, unsigned int c) { return umin(umin(a, b), c); }
__host__ __device__ inline int vimax_s32_relu(int a, int b) { return detail::most(detail::most(a, b), 0); }
__host__ __device__ inline int vimin_s32_relu(int a, int b) { return detail::most(detail::least(a, b), 0); }

// The same on both halves of a word.
__host__ __device__ inline unsigned int viaddmax_s16x2(unsigned int a, unsigned int b, unsigned int c) { return vmaxs2(vadd2(a, b), c); }
__host__ __device__ inline unsigned int viaddmin_s16x2(unsigned int a, unsigned int b, unsigned int c) { return vmins2(vadd2(a, b), c); }
__host__ __device__ inline unsigned int viaddmax_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) { return vmaxs2(viaddmax_s16x2(a, b, c), 0u); }
__host__ __device__ inline unsigned int viaddmin_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) { return vmaxs2(viaddmin_s16x2(a, b, c), 0u); }
__host__ __device__ inline unsigned int viaddmax_u16x2(unsigned int a, unsigned int b, unsigned int c) { return vmaxu2(vadd2(a, b), c); }
__host__ __device__ inline unsigned int viaddmin_u16x2(unsigned int a, unsigned int b, unsigned int c) { return vminu2(vadd2(a, b), c); }
__host__ __device__ inline unsigned int vimax3_s16x2(unsigned int a, unsigned int b, unsigned int c) { return vmaxs2(vmaxs2(a, b), c); }
__host__ __device__ inline unsigned int vimin3_s16x2(unsigned int a, unsigned int b, unsigned int c) { return vmins2(vmins2(a, b), c); }
__host__ __device__ inline unsigned int vimax3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) { return vmaxs2(vimax3_s16x2(a, b, c), 0u); }
__host__ __device__ inline unsigned int vimin3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) { return vmaxs2(vimin3_s16x2(a, b, c), 0u); }
__host__ __device__ inline unsigned int vimax3_u16x2(unsigned int a, unsigned int b, unsigned int c) { return vmaxu2(vmaxu2(a, b), c); }
__host__ __device__ inline unsigned int vimin3_u16x2(unsigned int a, unsigned int b, unsigned int c) { return vminu2(vminu2(a, b), c); }
__host__ __device__ inline unsigned int vimax_s16x2_relu(unsigned int a, unsigned int b) { return vmaxs2(vmaxs2(a, b), 0u); }
__host__ __device__ inline unsigned int vimin_s16x2_relu(unsigned int a, unsigned int b) { return vmaxs2(vmins2(a, b), 0u); }

// The larger or the smaller, and whether it is the first: __vibmax_s32 and its kin. Of equal ones it is the first.
__host__ __device__ inline int vibmax_s32(int a, int b, bool *first) { return (*first = a >= b) ? a : b; }
__host__ __device__ inline int vibmin_s32(int a, int b, bool *first) { return (*first = a <= b) ? a : b; }
__host__ __device__ inline unsigned int vibmax_u32(unsigned int a, unsigned int b, bool *first) { return (*first = a >= b) ? a : b; }
__host__ __device__ inline unsigned int vibmin_u32(unsigned int a, unsigned int b, bool *first) { return (*first = a <= b) ? a : b; }

namespace detail {

template <unsigned int (*Pick)(unsigned int, unsigned int), unsigned int (*First)(unsigned int, unsigned int)>
__host__ __device__ inline unsigned int picked(unsigned int a, unsigned int b, bool *high, bool *low) {
    const unsigned int first = First(a, b);
    *high = first >> 16 != 0u, *low = (first & 1u) != 0u;
    return Pick(a, b);
}

}  // namespace detail

__host__ __device__ inline unsigned int vibmax_s16x2(unsigned int a, unsigned int b, bool *high, bool *low) { return detail::picked<vmaxs2, vsetges2>(a, b, high, low); }
__host__ __device__ inline unsigned int vibmin_s16x2(unsigned int a, unsigned int b, bool *high, bool *low) { return detail::picked<vmins2, vsetles2>(a, b, high, low); }
__host__ __device__ inline unsigned int vibmax_u16x2(unsigned int a, unsigned int b, bool *high, bool *low) { return detail::picked<vmaxu2, vsetgeu2>(a, b, high, low); }
__host__ __device__ inline unsigned int vibmin_u16x2(unsigned int a, unsigned int b, bool *high, bool *low) { return detail::picked<vminu2, vsetleu2>(a, b, high, low); }

// Two products of 16 bits and 8 bits, and a sum: __dp2a_lo, __dp2a_hi.
__host__ __device__ inline int dp2a_lo(int a, int b, int c) { return static_cast<int>(dp2a<true, true, false>(static_cast<unsigned int>(a), static_cast<unsigned int>(b), static_cast<unsigned int>(c))); }
__host__ __device__ inline int dp2a_hi(int a, int b, int c) { return static_cast<int>(dp2a<true, true, true>(static_cast<unsigned int>(a), static_cast<unsigned int>(b), static_cast<unsigned int>(c))); }
__host__ __device__ inline unsigned int dp2a_lo(unsigned int a, unsigned int b, unsigned int c) { return dp2a<false, false, false>(a, b, c); }
__host__ __device__ inline unsigned int dp2a_hi(unsigned int a, unsigned int b, unsigned int c) { return dp2a<false, false, true>(a, b, c); }
__host__ __device__ inline int dp2a_lo(short2 a, char4 b, int c) { return dp2a_lo(bits<int>(a), bits<int>(b), c); }
__host__ __device__ inline int dp2a_hi(short2 a, char4 b, int c) { return dp2a_hi(bits<int>(a), bits<int>(b), c); }
__host__ __device__ inline unsigned int dp2a_lo(ushort2 a, uchar4 b, unsigned int c) { return dp2a_lo(bits<unsigned int>(a), bits<unsigned int>(b), c); }
__host__ __device__ inline unsigned int dp2a_hi(ushort2 a, uchar4 b, unsigned int c) { return dp2a_hi(bits<unsigned int>(a), bits<unsigned int>(b), c); }

// Averages of two integers, without overflow: half of one goes up.
__host__ __device__ inline int rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }
__host__ __device__ inline unsigned int uhadd(unsigned int a, unsigned int b) { return static_cast<unsigned int>((static_cast<unsigned long long>(a) + b) >> 1); }
__host__ __device__ inline unsigned int urhadd(unsigned int a, unsigned int b) { return static_cast<unsigned int>((static_cast<unsigned long long>(a) + b + 1) >> 1); }

// One over the root, rounded to the nearest float: that worked out in double, or a neighbour where a point halfway between
// the two shows it to be nearer.
__host__ __device__ inline float frsqrt_rn(float x) {
    const float near = static_cast<float>(1.0 / sqrt(static_cast<double>(x)));
    if (!(x > 0.0f) || near == 0.0f) return near;
    const float up = bits<float>(bits<unsigned int>(near) + 1u), down = bits<float>(bits<unsigned int>(near) - 1u);
    const double above = (static_cast<double>(near) + up) * 0.5, below = (static_cast<double>(near) + down) * 0.5;
    if (fma(above * above, static_cast<double>(x), -1.0) < 0.0) return up;
    return fma(below * below, static_cast<double>(x), -1.0) > 0.0 ? down : near;
}

// Pairs of floats, each rounded by itself: __fadd2_rn, __fmul2_rn, __ffma2_rn and those rounded to zero, down and up.
#define CUDAMIGRATE_PAIRS(mode, add, mul, fused)                                                                          \
    __host__ __device__ inline float2 fadd2_##mode(float2 a, float2 b) { return make_float2(add(a.x, b.x), add(a.y, b.y)); } \
    __host__ __device__ inline float2 fmul2_##mode(float2 a, float2 b) { return make_float2(mul(a.x, b.x), mul(a.y, b.y)); } \
    __host__ __device__ inline float2 ffma2_##mode(float2 a, float2 b, float2 c) { return make_float2(fused(a.x, b.x, c.x), fused(a.y, b.y, c.y)); }
CUDAMIGRATE_PAIRS(rn, add_rn, mul_rn, fmaf)
CUDAMIGRATE_PAIRS(rz, add_rz, mul_rz, fma_rz)
CUDAMIGRATE_PAIRS(rd, add_rd, mul_rd, fma_rd)
CUDAMIGRATE_PAIRS(ru, add_ru, mul_ru, fma_ru)
#undef CUDAMIGRATE_PAIRS

// Halves and bfloat16 numbers. The types of bfloat16 are known by their size here, so that their header is not needed;
// `T` is one of them where it has to be named. A NaN stays a NaN, of any bits.
namespace detail {

template <typename T>
struct element {
    typedef decltype(T::x) type;
};
template <>
struct element<__half2> {
    typedef __half type;
};
template <typename E>
struct couple {
    E x, y;
};

template <typename T>
__device__ inline float widened(T x) { return from_bf16(bits<unsigned short>(x)); }
__device__ inline float widened(__half x) { return __half2float(x); }
template <typename T>
struct narrowed {
    static __device__ inline T of(float x) { return bits<T>(to_bf16(x)); }
};
template <>
struct narrowed<__half> {
    static __device__ inline __half of(float x) { return __float2half_rn(x); }
};

// A function of one number, of two or of three, on both parts of a pair.
template <typename T, typename Function>
__device__ inline T paired(T a, T b, T c, Function function) {
    typedef couple<typename element<T>::type> parts;
    const parts x = bits<parts>(a), y = bits<parts>(b), z = bits<parts>(c);
    const parts made = {function(x.x, y.x, z.x), function(x.y, y.y, z.y)};
    return bits<T>(made);
}
template <typename T, typename Function>
__device__ inline unsigned int masked(T a, T b, Function function) {
    typedef couple<typename element<T>::type> parts;
    const parts x = bits<parts>(a), y = bits<parts>(b);
    return (function(widened(x.x), widened(y.x)) ? 0xffffu : 0u) | (function(widened(x.y), widened(y.y)) ? 0xffff0000u : 0u);
}

// The larger of two numbers, or the smaller; -0 is below 0.
template <bool Larger, bool Nan, typename E>
__device__ inline E extreme(E a, E b) {
    const float x = widened(a), y = widened(b);
    if (x != x || y != y) return (Nan ? x != x : y != y) ? a : b;
    const bool below = x < y || (x == y && bits<unsigned int>(x) >> 31 > bits<unsigned int>(y) >> 31);
    return below == Larger ? b : a;
}
template <typename E>
__device__ inline E not_negative(E x) { return widened(x) <= 0.0f ? bits<E>(static_cast<unsigned short>(0)) : x; }

}  // namespace detail

// Arithmetic that is rounded by itself and never fused: __hadd_rn and its kin.
template <typename E>
__device__ inline E hadd_rn(E a, E b) { return detail::narrowed<E>::of(add_rn(detail::widened(a), detail::widened(b))); }
template <typename E>
__device__ inline E hsub_rn(E a, E b) { return detail::narrowed<E>::of(sub_rn(detail::widened(a), detail::widened(b))); }
template <typename E>
__device__ inline E hmul_rn(E a, E b) { return detail::narrowed<E>::of(mul_rn(detail::widened(a), detail::widened(b))); }
namespace detail {
// What C++11 has no lambda for: one of parameters of any type.
struct half_sum {
    template <typename E>
    __device__ E operator()(E x, E y, E) const { return hadd_rn(x, y); }
};
struct half_difference {
    template <typename E>
    __device__ E operator()(E x, E y, E) const { return hsub_rn(x, y); }
};
struct half_product {
    template <typename E>
    __device__ E operator()(E x, E y, E) const { return hmul_rn(x, y); }
};
}  // namespace detail
template <typename T>
__device__ inline T hadd2_rn(T a, T b) { return detail::paired(a, b, a, detail::half_sum()); }
template <typename T>
__device__ inline T hsub2_rn(T a, T b) { return detail::paired(a, b, a, detail::half_difference()); }
template <typename T>
__device__ inline T hmul2_rn(T a, T b) { return detail::paired(a, b, a, detail::half_product()); }

// A fused product and sum, 0 where that is negative; and a product of complex numbers and a sum.
template <typename E>
__device__ inline E hfma_relu(E a, E b, E c) { return detail::not_negative(__hfma(a, b, c)); }
namespace detail {
struct not_negative_fused {
    template <typename E>
    __device__ E operator()(E x, E y, E z) const { return hfma_relu(x, y, z); }
};
}  // namespace detail
template <typename T>
__device__ inline T hfma2_relu(T a, T b, T c) { return detail::paired(a, b, c, detail::not_negative_fused()); }
template <typename T>
__device__ inline T hcmadd(T a, T b, T c) {
    typedef detail::couple<typename detail::element<T>::type> parts;
    const parts x = bits<parts>(a), y = bits<parts>(b), z = bits<parts>(c);
    const parts made = {__hfma(__hneg(x.y), y.y, __hfma(x.x, y.x, z.x)), __hfma(x.y, y.x, __hfma(x.x, y.y, z.y))};
    return bits<T>(made);
}

// The larger and the smaller, and a NaN where one is.
namespace detail {
template <bool Larger, bool Nan>
struct half_extreme {
    template <typename E>
    __device__ E operator()(E x, E y, E) const { return extreme<Larger, Nan>(x, y); }
};
}  // namespace detail
template <typename T>
__device__ inline T hmax2(T a, T b) { return detail::paired(a, b, a, detail::half_extreme<true, false>()); }
template <typename T>
__device__ inline T hmin2(T a, T b) { return detail::paired(a, b, a, detail::half_extreme<false, false>()); }
template <typename T>
__device__ inline T hmax2_nan(T a, T b) { return detail::paired(a, b, a, detail::half_extreme<true, true>()); }
template <typename T>
__device__ inline T hmin2_nan(T a, T b) { return detail::paired(a, b, a, detail::half_extreme<false, true>()); }

// Comparisons of both parts, all ones where they hold. With a NaN only those with a `u` hold.
template <typename T>
__device__ inline unsigned int heq2_mask(T a, T b) { return detail::masked(a, b, [](float x, float y) { return x == y; }); }
template <typename T>
__device__ inline unsigned int hne2_mask(T a, T b) { return detail::masked(a, b, [](float x, float y) { return x < y || x > y; }); }
template <typename T>
__device__ inline unsigned int hlt2_mask(T a, T b) { return detail::masked(a, b, [](float x, float y) { return x < y; }); }
template <typename T>
__device__ inline unsigned int hle2_mask(T a, T b) { return detail::masked(a, b, [](float x, float y) { return x <= y; }); }
template <typename T>
__device__ inline unsigned int hgt2_mask(T a, T b) { return detail::masked(a, b, [](float x, float y) { return x > y; }); }
template <typename T>
__device__ inline unsigned int hge2_mask(T a, T b) { return detail::masked(a, b, [](float x, float y) { return x >= y; }); }
template <typename T>
__device__ inline unsigned int hequ2_mask(T a, T b) { return ~hne2_mask(a, b); }
template <typename T>
__device__ inline unsigned int hneu2_mask(T a, T b) { return ~heq2_mask(a, b); }
template <typename T>
__device__ inline unsigned int hltu2_mask(T a, T b) { return ~hge2_mask(a, b); }
template <typename T>
__device__ inline unsigned int hleu2_mask(T a, T b) { return ~hgt2_mask(a, b); }
template <typename T>
__device__ inline unsigned int hgtu2_mask(T a, T b) { return ~hle2_mask(a, b); }
template <typename T>
__device__ inline unsigned int hgeu2_mask(T a, T b) { return ~hlt2_mask(a, b); }

// Unequal numbers: one or a pair of them, 1 or 0 for each part, or both parts at once. A NaN is not unequal to anything.
template <typename E>
__device__ inline bool hne(E a, E b) { return detail::widened(a) < detail::widened(b) || detail::widened(a) > detail::widened(b); }
namespace detail {
struct half_unequal {
    template <typename E>
    __device__ E operator()(E x, E y, E) const { return narrowed<E>::of(hne(x, y) ? 1.0f : 0.0f); }
};
}  // namespace detail
template <typename T>
__device__ inline T hne2(T a, T b) { return detail::paired(a, b, a, detail::half_unequal()); }
template <typename T>
__device__ inline bool hbne2(T a, T b) { return hne2_mask(a, b) == 0xffffffffu; }

// Whether both parts compare so, or one of the two is a NaN.
template <typename T>
__device__ inline bool hbequ2(T a, T b) { return hequ2_mask(a, b) == 0xffffffffu; }
template <typename T>
__device__ inline bool hbneu2(T a, T b) { return hneu2_mask(a, b) == 0xffffffffu; }
template <typename T>
__device__ inline bool hbltu2(T a, T b) { return hltu2_mask(a, b) == 0xffffffffu; }
template <typename T>
__device__ inline bool hbleu2(T a, T b) { return hleu2_mask(a, b) == 0xffffffffu; }
template <typename T>
__device__ inline bool hbgtu2(T a, T b) { return hgtu2_mask(a, b) == 0xffffffffu; }
template <typename T>
__device__ inline bool hbgeu2(T a, T b) { return hgeu2_mask(a, b) == 0xffffffffu; }

// Hyperbolic tangents, more exact than the `approx` forms of CUDA.
template <typename E>
__device__ inline E htanh(E x) { return detail::narrowed<E>::of(tanhf(detail::widened(x))); }
namespace detail {
struct half_tangent {
    template <typename E>
    __device__ E operator()(E x, E, E) const { return htanh(x); }
};
}  // namespace detail
template <typename T>
__device__ inline T h2tanh(T x) { return detail::paired(x, x, x, detail::half_tangent()); }
template <typename E>
__device__ inline E htanh_approx(E x) { return htanh(x); }
template <typename T>
__device__ inline T h2tanh_approx(T x) { return h2tanh(x); }

// A double as a half, rounded once: the float between them keeps in its last bit that something was cut off.
__device__ inline __half double2half(double x) {
    const float cut = detail::toward<'z'>(x, 0.0);
    return __float2half_rn(static_cast<double>(cut) == x || x != x ? cut : bits<float>(bits<unsigned int>(cut) | 1u));
}
__device__ inline signed char half2char_rz(__half x) { return to_integer<signed char>(truncf(__half2float(x))); }
__device__ inline unsigned char half2uchar_rz(__half x) { return to_integer<unsigned char>(truncf(__half2float(x))); }

}  // namespace cudamigrate

#endif

#endif

#endif  // CUDAMIGRATE_MATH_H
