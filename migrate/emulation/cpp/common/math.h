// Device functions on numbers: by the host's mathematical library, without the faster and less exact forms of GPUs.
#ifndef CUDAMIGRATE_EMULATION_MATH_H
#define CUDAMIGRATE_EMULATION_MATH_H

#include <time.h>

#include <chrono>
#include <limits>

#include "language.h"

using std::max;
using std::min;
template <typename A, typename B>
using CudamigrateEmulationMixed =
    std::enable_if_t<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value && !std::is_same<A, B>::value,
                     std::common_type_t<A, B>>;
template <typename A, typename B>
CudamigrateEmulationMixed<A, B> min(A a, B b) {
    typedef std::common_type_t<A, B> T;
    return std::min(static_cast<T>(a), static_cast<T>(b));
}
template <typename A, typename B>
CudamigrateEmulationMixed<A, B> max(A a, B b) {
    typedef std::common_type_t<A, B> T;
    return std::max(static_cast<T>(a), static_cast<T>(b));
}
template <typename B>
std::enable_if_t<std::is_arithmetic<B>::value, std::common_type_t<int, B>> min(const ::cudamigrate_emulation::WarpSize &a, B b) {
    return min(static_cast<int>(a), b);
}
template <typename A>
std::enable_if_t<std::is_arithmetic<A>::value, std::common_type_t<A, int>> min(A a, const ::cudamigrate_emulation::WarpSize &b) {
    return min(a, static_cast<int>(b));
}
template <typename B>
std::enable_if_t<std::is_arithmetic<B>::value, std::common_type_t<int, B>> max(const ::cudamigrate_emulation::WarpSize &a, B b) {
    return max(static_cast<int>(a), b);
}
template <typename A>
std::enable_if_t<std::is_arithmetic<A>::value, std::common_type_t<A, int>> max(A a, const ::cudamigrate_emulation::WarpSize &b) {
    return max(a, static_cast<int>(b));
}

inline int __popc(unsigned int bits) { return __builtin_popcount(bits); }
inline int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }
inline int __clz(int bits) { return bits == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(bits)); }
inline int __clzll(long long bits) { return bits == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(bits)); }
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline int __ffs(unsigned int bits) { return __builtin_ffs(static_cast<int>(bits)); }
inline int __ffsll(long long bits) { return __builtin_ffsll(bits); }
inline int __ffsll(unsigned long long bits) { return __builtin_ffsll(static_cast<long long>(bits)); }
inline int __ffsll(unsigned long bits) { return __builtin_ffsll(static_cast<long long>(bits)); }
CUDAMIGRATE_EMULATION_UNSEEN inline unsigned long long __brevll(unsigned long long bits) {
    unsigned long long turned = 0;
    for (int bit = 0; bit < 64; ++bit) turned |= (bits >> bit & 1u) << (63 - bit);
    return turned;
}
inline unsigned int __brev(unsigned int bits) { return static_cast<unsigned int>(__brevll(bits) >> 32); }
inline int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
inline unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffffu) * (b & 0xffffffu); }
inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
inline unsigned int __umulhi(unsigned int a, unsigned int b) {
    return static_cast<unsigned int>(static_cast<unsigned long long>(a) * b >> 32);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
    return static_cast<unsigned int>(((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31)) >> 32);
}
inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
    return static_cast<unsigned int>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}
CUDAMIGRATE_EMULATION_UNSEEN inline unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int choice) {
    const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
    unsigned int made = 0;
    for (int at = 0; at < 4; ++at) {
        made |= static_cast<unsigned int>(both >> 8 * (choice >> 4 * at & 7u) & 0xffu) << 8 * at;
    }
    return made;
}
inline unsigned int __sad(int a, int b, unsigned int c) { return c + static_cast<unsigned int>(a > b ? a - b : b - a); }

#define CUDAMIGRATE_EMULATION_AS(name, To, From)          \
    inline To name(From value) {                          \
        To made;                                          \
        std::memcpy(&made, &value, sizeof(made));         \
        return made;                                      \
    }
CUDAMIGRATE_EMULATION_AS(__float_as_int, int, float)
CUDAMIGRATE_EMULATION_AS(__float_as_uint, unsigned int, float)
CUDAMIGRATE_EMULATION_AS(__int_as_float, float, int)
CUDAMIGRATE_EMULATION_AS(__uint_as_float, float, unsigned int)
CUDAMIGRATE_EMULATION_AS(__double_as_longlong, long long, double)
CUDAMIGRATE_EMULATION_AS(__longlong_as_double, double, long long)
#undef CUDAMIGRATE_EMULATION_AS
inline int __double2hiint(double value) { return static_cast<int>(__double_as_longlong(value) >> 32); }
inline int __double2loint(double value) { return static_cast<int>(__double_as_longlong(value)); }
inline double __hiloint2double(int high, int low) {
    return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned int>(low));
}

#define CUDAMIGRATE_EMULATION_FLOAT(name, result) \
    inline float name(float x) { return result; }
CUDAMIGRATE_EMULATION_FLOAT(__expf, expf(x))
CUDAMIGRATE_EMULATION_FLOAT(__exp10f, powf(10.0f, x))
CUDAMIGRATE_EMULATION_FLOAT(__logf, logf(x))
CUDAMIGRATE_EMULATION_FLOAT(__log2f, log2f(x))
CUDAMIGRATE_EMULATION_FLOAT(__log10f, log10f(x))
CUDAMIGRATE_EMULATION_FLOAT(__sinf, sinf(x))
CUDAMIGRATE_EMULATION_FLOAT(__cosf, cosf(x))
CUDAMIGRATE_EMULATION_FLOAT(__tanf, tanf(x))
CUDAMIGRATE_EMULATION_FLOAT(rsqrtf, 1.0f / sqrtf(x))
CUDAMIGRATE_EMULATION_FLOAT(__frsqrt_rn, static_cast<float>(1.0 / sqrt(static_cast<double>(x))))
CUDAMIGRATE_EMULATION_FLOAT(__fsqrt_rn, sqrtf(x))
CUDAMIGRATE_EMULATION_FLOAT(__frcp_rn, 1.0f / x)
CUDAMIGRATE_EMULATION_FLOAT(rcbrtf, 1.0f / cbrtf(x))
CUDAMIGRATE_EMULATION_FLOAT(normcdff, 0.5f * erfcf(-x * 0.70710678118654752f))
CUDAMIGRATE_EMULATION_FLOAT(sinpif, sinf(3.14159265358979323846f * x))
CUDAMIGRATE_EMULATION_FLOAT(cospif, cosf(3.14159265358979323846f * x))
CUDAMIGRATE_EMULATION_FLOAT(__saturatef, x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f)
#undef CUDAMIGRATE_EMULATION_FLOAT
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rsqrt(float x) { return 1.0f / sqrtf(x); }
inline double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
inline double sinpi(double x) { return sin(3.14159265358979323846 * x); }
inline double cospi(double x) { return cos(3.14159265358979323846 * x); }
inline float __fdividef(float a, float b) { return a / b; }
inline float fdividef(float a, float b) { return a / b; }
inline float __powf(float a, float b) { return powf(a, b); }
inline void __sincosf(float x, float *s, float *c) { *s = sinf(x), *c = cosf(x); }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
#define CUDAMIGRATE_EMULATION_ROUNDED(name, T, op) \
    inline T name(T a, T b) { return a op b; }
CUDAMIGRATE_EMULATION_ROUNDED(__fadd_rn, float, +)
CUDAMIGRATE_EMULATION_ROUNDED(__fsub_rn, float, -)
CUDAMIGRATE_EMULATION_ROUNDED(__fmul_rn, float, *)
CUDAMIGRATE_EMULATION_ROUNDED(__fdiv_rn, float, /)
CUDAMIGRATE_EMULATION_ROUNDED(__dadd_rn, double, +)
CUDAMIGRATE_EMULATION_ROUNDED(__dsub_rn, double, -)
CUDAMIGRATE_EMULATION_ROUNDED(__dmul_rn, double, *)
CUDAMIGRATE_EMULATION_ROUNDED(__ddiv_rn, double, /)
#undef CUDAMIGRATE_EMULATION_ROUNDED
inline double __drcp_rn(double x) { return 1.0 / x; }
inline double __dsqrt_rn(double x) { return sqrt(x); }

// A number that the type has not becomes its nearest; a NaN is 0, of a double what the GPU makes of it. A cast of C++ says
// nothing of either.
template <typename To>
CUDAMIGRATE_EMULATION_UNSEEN To cudamigrate_emulation_saturated(double whole, To nan) {
    if (std::isnan(whole)) return nan;
    if (whole <= static_cast<double>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    return whole >= static_cast<double>(std::numeric_limits<To>::max()) ? std::numeric_limits<To>::max() : static_cast<To>(whole);
}
#define CUDAMIGRATE_EMULATION_WHOLE(name, To, From, whole)                                                   \
    inline To name(From x) {                                                                                 \
        return cudamigrate_emulation_saturated<To>(whole, sizeof(From) == 8 ? CUDAMIGRATE_EMULATION_NAN : 0); \
    }
CUDAMIGRATE_EMULATION_WHOLE(__float2int_rn, int, float, nearbyintf(x))
CUDAMIGRATE_EMULATION_WHOLE(__float2int_rz, int, float, truncf(x))
CUDAMIGRATE_EMULATION_WHOLE(__float2int_rd, int, float, floorf(x))
CUDAMIGRATE_EMULATION_WHOLE(__float2int_ru, int, float, ceilf(x))
CUDAMIGRATE_EMULATION_WHOLE(__float2uint_rn, unsigned int, float, nearbyintf(x))
CUDAMIGRATE_EMULATION_WHOLE(__float2uint_rz, unsigned int, float, truncf(x))
CUDAMIGRATE_EMULATION_WHOLE(__double2int_rn, int, double, nearbyint(x))
CUDAMIGRATE_EMULATION_WHOLE(__double2int_rz, int, double, trunc(x))
#undef CUDAMIGRATE_EMULATION_WHOLE
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned int x) { return static_cast<float>(x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }
inline double __int2double_rn(int x) { return x; }

template <typename T> T __ldg(const T *address) { return *address; }
template <typename T> T __ldcg(const T *address) { return *address; }
template <typename T> T __ldca(const T *address) { return *address; }
template <typename T> T __ldcs(const T *address) { return *address; }
template <typename T> void __stcg(T *address, T value) { *address = value; }
template <typename T> void __stcs(T *address, T value) { *address = value; }

// A count that goes on: programs measure with it, and what they measure means nothing here.
inline long long clock64() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
inline long long wall_clock64() { return clock64(); }
inline void __nanosleep(unsigned int) {}
inline void __trap() { abort(); }

#endif  // CUDAMIGRATE_EMULATION_MATH_H
