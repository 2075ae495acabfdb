// cudamigrate_ptx.h: what PTX instructions do and HIP has no function for.
//
// Included by code that cudamigrate converted from inline PTX; copy it, and cudamigrate_hip.h, wherever that code goes.
// It works with ROCm 5.2 and later. Each function gives the result that its instruction gives, unless it says otherwise.
#ifndef CUDAMIGRATE_PTX_H
#define CUDAMIGRATE_PTX_H

// A compiler for the host that is given nothing of HIP's reads nothing of it here either.
#if defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)

#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include "cudamigrate_hip.h"

#if defined(__HIPCC__) || !defined(__HIP_PLATFORM_AMD__)  // not where the host's compiler reads HIP's headers

namespace cudamigrate {

// The bits of a value as another type of the same size.
template <typename To, typename From>
__host__ __device__ inline To bits(const From &from) {
    static_assert(sizeof(To) == sizeof(From), "bits are taken as they are");
    To to;
    __builtin_memcpy(static_cast<void *>(&to), static_cast<const void *>(&from), sizeof(To));
    return to;
}

// Gives a pointer, which may be a __restrict__ one, the address that an instruction worked out; a number as well.
template <typename T>
__host__ __device__ inline void set_pointer(T &pointer, unsigned long long address) {
    pointer = (T)address;
}

// Address of global memory as a number, and back: the same as in a generic pointer.
__device__ inline size_t global_address(const void *pointer) { return reinterpret_cast<size_t>(pointer); }
__device__ inline void *global_pointer(size_t address) { return reinterpret_cast<void *>(address); }

// Address of shared memory as a number of 32 bits, and back: cvta.to.shared and the addresses of ld.shared.
__device__ inline unsigned int shared_address(const void *pointer) {
#if defined(__AMDGCN__) && defined(__HIP_DEVICE_COMPILE__)
    typedef __attribute__((address_space(3))) const void *shared;
    return static_cast<unsigned int>(reinterpret_cast<unsigned long long>((shared)pointer));
#else
    return static_cast<unsigned int>(reinterpret_cast<unsigned long long>(pointer));
#endif
}
template <typename T>
__device__ inline T *shared_pointer(unsigned int address) {
#if defined(__AMDGCN__) && defined(__HIP_DEVICE_COMPILE__)
    typedef __attribute__((address_space(3))) T *shared;
    return (T *)(shared)address;
#else
    return reinterpret_cast<T *>(static_cast<unsigned long long>(address));
#endif
}

// Whether a pointer leads to shared or to local memory: isspacep. Elsewhere than on AMD GPUs it is not known.
__device__ inline bool is_shared(const void *pointer) {
#if defined(__AMDGCN__) && defined(__HIP_DEVICE_COMPILE__)
    return __builtin_amdgcn_is_shared((const __attribute__((address_space(0))) void *)pointer);
#else
    return static_cast<void>(pointer), false;
#endif
}
__device__ inline bool is_local(const void *pointer) {
#if defined(__AMDGCN__) && defined(__HIP_DEVICE_COMPILE__)
    return __builtin_amdgcn_is_private((const __attribute__((address_space(0))) void *)pointer);
#else
    return static_cast<void>(pointer), false;
#endif
}

// Copies 4, 8 or 16 bytes to shared memory at once, of which those from `size` on become zero: cp.async. Nothing is
// left to wait for, and nothing overlaps with the copy.
template <int Bytes>
__device__ inline void copy_to_shared(void *target, const void *source, unsigned int size = Bytes) {
    static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "cp.async copies 4, 8 or 16 bytes");
    unsigned int words[Bytes / 4] = {};
    if (size >= Bytes) {
        __builtin_memcpy(words, __builtin_assume_aligned(source, Bytes), Bytes);
    } else {
        const unsigned char *from = static_cast<const unsigned char *>(source);
        for (unsigned int at = 0; at < size; ++at) words[at / 4] |= unsigned(from[at]) << (at % 4 * 8);
    }
    __builtin_memcpy(__builtin_assume_aligned(target, Bytes), words, Bytes);
}

// Waits for about this many nanoseconds, a millisecond at most, at a clock of some 1.5 GHz: nanosleep.
__device__ inline void nanosleep(unsigned int nanoseconds) {
#if defined(__AMDGCN__) && defined(__HIP_DEVICE_COMPILE__)
    const unsigned int wanted = nanoseconds < 1000000u ? nanoseconds : 1000000u;
    for (unsigned int waited = 0; waited < wanted; waited += 43) __builtin_amdgcn_s_sleep(1);
#else
    static_cast<void>(nanoseconds);
#endif
}

// Stops in the debugger: brkpt.
__device__ inline void breakpoint() {
#if defined(__AMDGCN__) && defined(__HIP_DEVICE_COMPILE__)
    __builtin_debugtrap();
#endif
}

// Number of the caller's warp of 32 lanes in its block: what %warpid is used for.
__device__ inline unsigned int warp_id() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32u;
}

// The lowest of the mask's lanes that run the call: elect.sync, where any one will do.
__device__ inline unsigned int elected(unsigned int mask) {
    return static_cast<unsigned int>(__ffs(ballot_sync(mask, 1))) - 1u;
}

// The lane that a shuffle reads, its own where the other lies outside its part of the warp, and whether it lies inside.
// `Mode` is the first letter of idx, up, down or bfly; `division` the operand that holds clamp and segment mask: shfl.
template <char Mode>
__device__ inline int shuffle_lane(unsigned int by, unsigned int division, bool &inside) {
    const unsigned int self = lane_id(), segment = division >> 8 & 31u, clamp = division & 31u, step = by & 31u;
    const unsigned int first = self & segment, last = first | (clamp & ~segment);
    int lane = static_cast<int>(Mode == 'u' ? self - step : Mode == 'd' ? self + step : Mode == 'b' ? self ^ step
                                                                                  : first | (step & ~segment));
    inside = Mode == 'u' ? lane >= static_cast<int>(last) : lane <= static_cast<int>(last);
    return inside ? lane : static_cast<int>(self);
}

// Arithmetic that is rounded by itself and never fused with what stands beside it: add.rn, sub.rn, mul.rn.
template <typename T>
__host__ __device__ inline T add_rn(T a, T b) {
#pragma clang fp contract(off)
    return a + b;
}
template <typename T>
__host__ __device__ inline T sub_rn(T a, T b) {
#pragma clang fp contract(off)
    return a - b;
}
template <typename T>
__host__ __device__ inline T mul_rn(T a, T b) {
#pragma clang fp contract(off)
    return a * b;
}

// The root and the quotient rounded to nearest whatever options say of them: sqrt.rn, div.rn, rcp.rn, __fsqrt_rn, __fdiv_rn
// and __frcp_rn. In double nothing is lost that the second rounding could miss, and -fno-hip-fp32-correctly-rounded-divide-sqrt
// is about float alone.
__host__ __device__ inline float sqrt_rn(float a) { return static_cast<float>(sqrt(static_cast<double>(a))); }
__host__ __device__ inline float div_rn(float a, float b) { return static_cast<float>(static_cast<double>(a) / static_cast<double>(b)); }
__host__ __device__ inline float rcp_rn(float a) { return static_cast<float>(1.0 / static_cast<double>(a)); }

namespace detail {

// The float below, above or nearer to zero than an exact value: `near`, which is that value rounded to double, and what
// was lost by it, of which the sign counts.
template <char Mode>
__host__ __device__ inline float toward(double near, double lost) {
    const float made = static_cast<float>(near);
    const double off = near - static_cast<double>(made);
    const bool above = off > 0.0 || (off == 0.0 && lost > 0.0), below = off < 0.0 || (off == 0.0 && lost < 0.0);
    const unsigned int raw = bits<unsigned int>(made);
    const bool negative = raw >> 31 != 0u;
    if (Mode == 'u' ? above : Mode == 'd' ? below : (negative ? above : below))
        return bits<float>(above == negative ? raw - 1u : raw + 1u);
    return made;
}

// An exact sum rounded so; two numbers that cancel give -0 downwards.
template <char Mode>
__host__ __device__ inline float sum_toward(double a, double b) {
#pragma clang fp contract(off)
    const double near = a + b, back = near - a, lost = (a - (near - back)) + (b - back);
    if (Mode == 'd' && near == 0.0 && (bits<unsigned long long>(a) | bits<unsigned long long>(b)) != 0ull) return -0.0f;
    return toward<Mode>(near, lost);
}
template <char Mode>
__host__ __device__ inline float quotient_toward(double a, double b) {
    const double near = a / b, lost = fma(-near, b, a);
    return toward<Mode>(near, b < 0.0 ? -lost : lost);
}
template <char Mode>
__host__ __device__ inline float root_toward(double a) {
    const double near = sqrt(a);
    return toward<Mode>(near, fma(-near, near, a));
}

}  // namespace detail

// Arithmetic rounded to zero, down or up: add.rz, add.rm, add.rp and their kin, and CUDA's functions __fadd_rz,
// __fadd_rd, __fadd_ru. Worked out in double, which takes more time than one instruction.
__host__ __device__ inline float add_rz(float a, float b) { return detail::sum_toward<'z'>(a, b); }
__host__ __device__ inline float add_rd(float a, float b) { return detail::sum_toward<'d'>(a, b); }
__host__ __device__ inline float add_ru(float a, float b) { return detail::sum_toward<'u'>(a, b); }
__host__ __device__ inline float sub_rz(float a, float b) { return detail::sum_toward<'z'>(a, -static_cast<double>(b)); }
__host__ __device__ inline float sub_rd(float a, float b) { return detail::sum_toward<'d'>(a, -static_cast<double>(b)); }
__host__ __device__ inline float sub_ru(float a, float b) { return detail::sum_toward<'u'>(a, -static_cast<double>(b)); }
__host__ __device__ inline float mul_rz(float a, float b) { return detail::toward<'z'>(static_cast<double>(a) * b, 0.0); }
__host__ __device__ inline float mul_rd(float a, float b) { return detail::toward<'d'>(static_cast<double>(a) * b, 0.0); }
__host__ __device__ inline float mul_ru(float a, float b) { return detail::toward<'u'>(static_cast<double>(a) * b, 0.0); }
__host__ __device__ inline float fma_rz(float a, float b, float c) { return detail::sum_toward<'z'>(static_cast<double>(a) * b, c); }
__host__ __device__ inline float fma_rd(float a, float b, float c) { return detail::sum_toward<'d'>(static_cast<double>(a) * b, c); }
__host__ __device__ inline float fma_ru(float a, float b, float c) { return detail::sum_toward<'u'>(static_cast<double>(a) * b, c); }
__host__ __device__ inline float div_rz(float a, float b) { return detail::quotient_toward<'z'>(a, b); }
__host__ __device__ inline float div_rd(float a, float b) { return detail::quotient_toward<'d'>(a, b); }
__host__ __device__ inline float div_ru(float a, float b) { return detail::quotient_toward<'u'>(a, b); }
__host__ __device__ inline float rcp_rz(float a) { return detail::quotient_toward<'z'>(1.0, a); }
__host__ __device__ inline float rcp_rd(float a) { return detail::quotient_toward<'d'>(1.0, a); }
__host__ __device__ inline float rcp_ru(float a) { return detail::quotient_toward<'u'>(1.0, a); }
__host__ __device__ inline float sqrt_rz(float a) { return detail::root_toward<'z'>(a); }
__host__ __device__ inline float sqrt_rd(float a) { return detail::root_toward<'d'>(a); }
__host__ __device__ inline float sqrt_ru(float a) { return detail::root_toward<'u'>(a); }

namespace detail {

typedef unsigned __int128 wide;

__host__ __device__ inline int top_bit(wide x) {
    const unsigned long long high = static_cast<unsigned long long>(x >> 64);
    return high != 0ull ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(static_cast<unsigned long long>(x));
}

// The double below, above or nearer to zero than `size` times two to the power of `power`; `size` is not zero.
template <char Mode>
__host__ __device__ inline double double_toward(bool negative, wide size, int power) {
    const int least = -1074 - power, needed = top_bit(size) - 52;
    const int drop = needed > least ? needed : least;
    unsigned long long digits = 0ull;
    bool more = drop > 127;
    if (drop <= 0) {
        digits = static_cast<unsigned long long>(size << -drop);
    } else if (!more) {
        digits = static_cast<unsigned long long>(size >> drop);
        more = (size & ((static_cast<wide>(1) << drop) - 1)) != 0;
    }
    const bool away = Mode == 'u' ? !negative : Mode == 'd' && negative;
    if (more && away) ++digits;
    unsigned long long raw = (static_cast<unsigned long long>(power + drop + 1074) << 52) + digits;
    if (power + drop + 1074 > 2045 || raw >= 0x7ff0000000000000ull)
        raw = away ? 0x7ff0000000000000ull : 0x7fefffffffffffffull;
    if (Mode == 'o' && more) raw |= 1ull;
    return bits<double>(raw | static_cast<unsigned long long>(negative) << 63);
}

// What a double is made of: its digits as an integer, times two to the power of `power`.
__host__ __device__ inline wide digits_of(double x, int &power) {
    const unsigned long long raw = bits<unsigned long long>(x), digits = raw & 0xfffffffffffffull;
    const int field = static_cast<int>(raw >> 52 & 0x7ffull);
    power = (field > 0 ? field : 1) - 1075;
    return field > 0 ? digits | 1ull << 52 : digits;
}

// The exact a * b + c, rounded once.
template <char Mode>
__host__ __device__ inline double product_sum_toward(double a, double b, double c) {
    const unsigned long long signs = bits<unsigned long long>(a) ^ bits<unsigned long long>(b);
    const bool minus = signs >> 63 != 0ull, other = bits<unsigned long long>(c) >> 63 != 0ull;
    if (!(a - a == 0.0) || !(b - b == 0.0) || !(c - c == 0.0)) return fma(a, b, c);
    int power_a, power_b, power_c;
    wide product = digits_of(a, power_a) * digits_of(b, power_b), third = digits_of(c, power_c);
    if (product == 0) return third != 0 ? c : minus == other ? c : Mode == 'd' ? -0.0 : 0.0;
    int power = power_a + power_b;
    if (third == 0) return double_toward<Mode>(minus, product, power);
    // Both with their highest bit in the same place, the smaller one moved down; what it loses leaves a bit behind.
    const int up = 124 - top_bit(product), up_c = 124 - top_bit(third);
    product <<= up, power -= up, third <<= up_c, power_c -= up_c;
    const bool first = power > power_c || (power == power_c && product >= third);
    const wide larger = first ? product : third, smaller = first ? third : product;
    const int apart = first ? power - power_c : power_c - power;
    wide moved = apart > 126 ? 0 : smaller >> apart;
    if (apart > 126 || moved << apart != smaller) moved |= 1;
    const wide sum = minus == other ? larger + moved : larger - moved;
    if (sum == 0) return Mode == 'd' ? -0.0 : 0.0;
    return double_toward<Mode>(first ? minus : other, sum, first ? power : power_c);
}

// A double that is next to an exact value, moved over it where it lies on the wrong side; `lost` is what is missing.
template <char Mode>
__host__ __device__ inline double moved_toward(double near, double lost) {
    const unsigned long long raw = bits<unsigned long long>(near);
    const bool negative = raw >> 63 != 0ull, above = lost > 0.0, below = lost < 0.0;
    if (Mode == 'u' ? above : Mode == 'd' ? below : (negative ? above : below))
        return bits<double>(above == negative ? raw - 1ull : raw + 1ull);
    return near;
}

template <char Mode>
__host__ __device__ inline double quotient_toward_double(double a, double b) {
    double near = a / b;
    if (!(a - a == 0.0) || !(b - b == 0.0) || a == 0.0 || b == 0.0) return near;
    const bool minus = (bits<unsigned long long>(a) ^ bits<unsigned long long>(b)) >> 63 != 0ull;
    if (!(near - near == 0.0)) return moved_toward<Mode>(near, minus ? 1.0 : -1.0);
    const double scale = fabs(a) < 1e-240 ? bits<double>(0x4c70000000000000ull) : 1.0;
    const double lost = fma(-(near * scale), b, a * scale);
    return moved_toward<Mode>(near, b < 0.0 ? -lost : lost);
}
template <char Mode>
__host__ __device__ inline double root_toward_double(double a) {
    const double near = sqrt(a);
    if (!(a > 0.0) || !(a - a == 0.0)) return near;
    const double scale = a < 1e-240 ? bits<double>(0x4630000000000000ull) : 1.0, root = near * scale;
    return moved_toward<Mode>(near, fma(-root, root, a * scale * scale));
}

// A number as a double, with its last bit set where it does not fit, which keeps a later rounding right.
__host__ __device__ inline double odd_double(double x) { return x; }
__host__ __device__ inline double odd_double(float x) { return x; }
__host__ __device__ inline double odd_double(int x) { return x; }
__host__ __device__ inline double odd_double(unsigned int x) { return x; }
__host__ __device__ inline double odd_double(unsigned long long x) { return x ? double_toward<'o'>(false, x, 0) : 0.0; }
__host__ __device__ inline double odd_double(long long x) {
    const unsigned long long raw = static_cast<unsigned long long>(x);
    return x ? double_toward<'o'>(x < 0, x < 0 ? 0ull - raw : raw, 0) : 0.0;
}
template <char Mode>
__host__ __device__ inline __half half_toward(float x) {
    const unsigned short raw = __half_as_ushort(__float2half_rn(x));
    const float back = __half2float(__ushort_as_half(raw));
    const bool negative = raw >> 15 != 0, above = x > back, below = x < back;
    if (Mode == 'u' ? above : Mode == 'd' ? below : (negative ? above : below))
        return __ushort_as_half(static_cast<unsigned short>(above == negative ? raw - 1 : raw + 1));
    return __ushort_as_half(raw);
}

}  // namespace detail

// The same for doubles: add.rz.f64 and its kin, CUDA's __dadd_rz, __dadd_rd, __dadd_ru. Worked out on integers.
__host__ __device__ inline double dadd_rz(double a, double b) { return detail::product_sum_toward<'z'>(a, 1.0, b); }
__host__ __device__ inline double dadd_rd(double a, double b) { return detail::product_sum_toward<'d'>(a, 1.0, b); }
__host__ __device__ inline double dadd_ru(double a, double b) { return detail::product_sum_toward<'u'>(a, 1.0, b); }
__host__ __device__ inline double dsub_rz(double a, double b) { return detail::product_sum_toward<'z'>(a, 1.0, -b); }
__host__ __device__ inline double dsub_rd(double a, double b) { return detail::product_sum_toward<'d'>(a, 1.0, -b); }
__host__ __device__ inline double dsub_ru(double a, double b) { return detail::product_sum_toward<'u'>(a, 1.0, -b); }
__host__ __device__ inline double dmul_rz(double a, double b) { return detail::product_sum_toward<'z'>(a, b, copysign(0.0, a) * copysign(1.0, b)); }
__host__ __device__ inline double dmul_rd(double a, double b) { return detail::product_sum_toward<'d'>(a, b, copysign(0.0, a) * copysign(1.0, b)); }
__host__ __device__ inline double dmul_ru(double a, double b) { return detail::product_sum_toward<'u'>(a, b, copysign(0.0, a) * copysign(1.0, b)); }
__host__ __device__ inline double dfma_rz(double a, double b, double c) { return detail::product_sum_toward<'z'>(a, b, c); }
__host__ __device__ inline double dfma_rd(double a, double b, double c) { return detail::product_sum_toward<'d'>(a, b, c); }
__host__ __device__ inline double dfma_ru(double a, double b, double c) { return detail::product_sum_toward<'u'>(a, b, c); }
__host__ __device__ inline double ddiv_rz(double a, double b) { return detail::quotient_toward_double<'z'>(a, b); }
__host__ __device__ inline double ddiv_rd(double a, double b) { return detail::quotient_toward_double<'d'>(a, b); }
__host__ __device__ inline double ddiv_ru(double a, double b) { return detail::quotient_toward_double<'u'>(a, b); }
__host__ __device__ inline double drcp_rz(double a) { return detail::quotient_toward_double<'z'>(1.0, a); }
__host__ __device__ inline double drcp_rd(double a) { return detail::quotient_toward_double<'d'>(1.0, a); }
__host__ __device__ inline double drcp_ru(double a) { return detail::quotient_toward_double<'u'>(1.0, a); }
__host__ __device__ inline double dsqrt_rz(double a) { return detail::root_toward_double<'z'>(a); }
__host__ __device__ inline double dsqrt_rd(double a) { return detail::root_toward_double<'d'>(a); }
__host__ __device__ inline double dsqrt_ru(double a) { return detail::root_toward_double<'u'>(a); }

// An integer or a double as a float or a half, and an integer as a double, rounded so: cvt.rz.f32.f64, cvt.rm.f16.f32.
template <typename T>
__host__ __device__ inline float float_rz(T x) { return detail::toward<'z'>(detail::odd_double(x), 0.0); }
template <typename T>
__host__ __device__ inline float float_rd(T x) { return detail::toward<'d'>(detail::odd_double(x), 0.0); }
template <typename T>
__host__ __device__ inline float float_ru(T x) { return detail::toward<'u'>(detail::odd_double(x), 0.0); }
__host__ __device__ inline double double_rz(unsigned long long x) { return x ? detail::double_toward<'z'>(false, x, 0) : 0.0; }
__host__ __device__ inline double double_rd(unsigned long long x) { return double_rz(x); }
__host__ __device__ inline double double_ru(unsigned long long x) { return x ? detail::double_toward<'u'>(false, x, 0) : 0.0; }
__host__ __device__ inline double double_rz(long long x) { return x < 0 ? -double_rz(0ull - static_cast<unsigned long long>(x)) : double_rz(static_cast<unsigned long long>(x)); }
__host__ __device__ inline double double_rd(long long x) { return x < 0 ? -double_ru(0ull - static_cast<unsigned long long>(x)) : double_rd(static_cast<unsigned long long>(x)); }
__host__ __device__ inline double double_ru(long long x) { return x < 0 ? -double_rz(0ull - static_cast<unsigned long long>(x)) : double_ru(static_cast<unsigned long long>(x)); }
__device__ inline __half half_rz(float x) { return detail::half_toward<'z'>(x); }
__device__ inline __half half_rd(float x) { return detail::half_toward<'d'>(x); }
__device__ inline __half half_ru(float x) { return detail::half_toward<'u'>(x); }

// A number as a float, its last bit set where it does not fit: made a half or bfloat16, it is rounded as if at once.
template <typename T>
__host__ __device__ inline float odd_float(T x) {
    const double exact = detail::odd_double(x);
    const float made = detail::toward<'z'>(exact, 0.0);
    return static_cast<double>(made) == exact ? made : bits<float>(bits<unsigned int>(made) | 1u);
}

// One of these functions on two floats packed in 64 bits: add.rz.f32x2 and its kin.
template <float (*Function)(float, float)>
__host__ __device__ inline unsigned long long each_float(unsigned long long a, unsigned long long b) {
    const float2 x = bits<float2>(a), y = bits<float2>(b);
    return bits<unsigned long long>(make_float2(Function(x.x, y.x), Function(x.y, y.y)));
}
template <float (*Function)(float, float, float)>
__host__ __device__ inline unsigned long long each_float(unsigned long long a, unsigned long long b, unsigned long long c) {
    const float2 x = bits<float2>(a), y = bits<float2>(b), z = bits<float2>(c);
    return bits<unsigned long long>(make_float2(Function(x.x, y.x, z.x), Function(x.y, y.y, z.y)));
}

namespace detail {

// The larger and the smaller, or the one that is not a NaN, a signalling NaN too. Of two zeros +0 is the larger.
__host__ __device__ inline float larger(float a, float b) {
    return a == b ? bits<float>(bits<unsigned int>(a) & bits<unsigned int>(b)) : a != a ? b : b != b || a > b ? a : b;
}
__host__ __device__ inline float smaller(float a, float b) {
    return a == b ? bits<float>(bits<unsigned int>(a) | bits<unsigned int>(b)) : a != a ? b : b != b || a < b ? a : b;
}

}  // namespace detail

// The larger and the smaller, PTX's NaN where one of them is any NaN: max.NaN, min.NaN.
__host__ __device__ inline float max_nan(float a, float b) {
    return a != a || b != b ? bits<float>(0x7fffffffu) : detail::larger(a, b);
}
__host__ __device__ inline float min_nan(float a, float b) {
    return a != a || b != b ? bits<float>(0x7fffffffu) : detail::smaller(a, b);
}

// PTX's NaN in the place of any other.
__device__ inline __half canonical(__half x) {
    const unsigned short raw = __half_as_ushort(x);
    return (raw & 0x7fffu) > 0x7c00u ? __ushort_as_half(static_cast<unsigned short>(0x7fffu)) : x;
}
__device__ inline __half2 canonical(__half2 x) {
    const unsigned int raw = bits<unsigned int>(x);
    const unsigned int low = (raw & 0x7fffu) > 0x7c00u ? 0x7fffu : raw & 0xffffu;
    return bits<__half2>((raw & 0x7fff0000u) > 0x7c000000u ? low | 0x7fff0000u : low | (raw & 0xffff0000u));
}

// Zero of the same sign for a subnormal number: .ftz where what comes next would not do the same.
__host__ __device__ inline float flushed(float x) {
    const unsigned int raw = bits<unsigned int>(x);
    return (raw & 0x7f800000u) == 0u ? bits<float>(raw & 0x80000000u) : x;
}

// Zero for what is not above it, a NaN apart: .relu. Between 0 and 1, 0 for a NaN: .sat.
__host__ __device__ inline float relu(float x) { return x <= 0.0f ? 0.0f : x; }
__host__ __device__ inline float saturate(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
__host__ __device__ inline double saturate(double x) { return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; }

// No farther from zero than `most`, a NaN apart: .satfinite.
__host__ __device__ inline float finite(float x, float most) { return x > most ? most : x < -most ? -most : x; }

// An integral value as an integer, the nearest one where it is out of range: cvt from a float. A NaN gives 0, and the
// top bit for 64 bits or from a double.
template <typename To, typename From>
__host__ __device__ inline To to_integer(From x) {
    const bool is_signed = static_cast<To>(-1) < static_cast<To>(0);
    const int bits = static_cast<int>(sizeof(To)) * 8 - (is_signed ? 1 : 0);
    const From above = static_cast<From>(1ull << (bits - 1)) * static_cast<From>(2);
    const To top = static_cast<To>(1ull << (sizeof(To) * 8 - 1));
    if (x != x) return sizeof(To) == 8 || sizeof(From) == 8 ? top : static_cast<To>(0);
    if (x >= above) return is_signed ? static_cast<To>(~top) : static_cast<To>(-1);
    if (is_signed ? x < -above : x < static_cast<From>(0)) return is_signed ? top : static_cast<To>(0);
    return static_cast<To>(x);
}

// The nearest integer of another type: cvt.sat between integers.
template <typename To, typename From>
__host__ __device__ inline To saturated(From x) {
    const bool is_signed = static_cast<To>(-1) < static_cast<To>(0);
    const To top = static_cast<To>(1ull << (sizeof(To) * 8 - 1));
    const To least = is_signed ? top : static_cast<To>(0);
    const To most = is_signed ? static_cast<To>(~top) : static_cast<To>(-1);
    const bool negative = x < static_cast<From>(0);
    if (negative) return is_signed && static_cast<long long>(x) >= static_cast<long long>(least) ? static_cast<To>(x) : least;
    return static_cast<unsigned long long>(x) > static_cast<unsigned long long>(most) ? most : static_cast<To>(x);
}

// Sums and differences that stop at the ends of the range: add.sat.s32, sub.sat.s32.
__host__ __device__ inline int add_sat(int a, int b) { return saturated<int>(static_cast<long long>(a) + b); }
__host__ __device__ inline int sub_sat(int a, int b) { return saturated<int>(static_cast<long long>(a) - b); }

// Sums and differences with the carry of the one before; `carry` becomes that of this one: add.cc, addc, sub.cc, subc.
template <typename T>
__host__ __device__ inline T add_carry(T a, T b, bool before, bool &carry) {
    const T sum = a + b, all = sum + static_cast<T>(before);
    carry = sum < a || all < sum;
    return all;
}
template <typename T>
__host__ __device__ inline T sub_carry(T a, T b, bool before, bool &carry) {
    const T rest = a - b, all = rest - static_cast<T>(before);
    carry = a < b || rest < static_cast<T>(before);
    return all;
}

// Sums, and the larger and the smaller, of two halves of a word; a difference of sizes in any number of bits: sad.
template <bool Signed, typename Operation>
__host__ __device__ inline unsigned int each_16(unsigned int a, unsigned int b, Operation operation) {
    unsigned int result = 0u;
    for (int at = 0; at < 32; at += 16) {
        const int x = Signed ? static_cast<short>(a >> at) : static_cast<int>(a >> at & 0xffffu);
        const int y = Signed ? static_cast<short>(b >> at) : static_cast<int>(b >> at & 0xffffu);
        result |= (static_cast<unsigned int>(operation(x, y)) & 0xffffu) << at;
    }
    return result;
}
#if defined(__AMDGCN__) && defined(__HIP_DEVICE_COMPILE__)
// As vectors they are one instruction each: v_pk_add_u16, v_pk_min_i16 and their kin.
namespace detail {

template <bool Signed>
struct two_shorts {
    typedef short type __attribute__((ext_vector_type(2)));
};
template <>
struct two_shorts<false> {
    typedef unsigned short type __attribute__((ext_vector_type(2)));
};

}  // namespace detail
__device__ inline unsigned int add_x2(unsigned int a, unsigned int b) {
    typedef detail::two_shorts<false>::type pair;
    return bits<unsigned int>(bits<pair>(a) + bits<pair>(b));
}
template <bool Signed>
__device__ inline unsigned int min_x2(unsigned int a, unsigned int b) {
    typedef typename detail::two_shorts<Signed>::type pair;
    const pair x = bits<pair>(a), y = bits<pair>(b);
    return bits<unsigned int>(x < y ? x : y);
}
template <bool Signed>
__device__ inline unsigned int max_x2(unsigned int a, unsigned int b) {
    typedef typename detail::two_shorts<Signed>::type pair;
    const pair x = bits<pair>(a), y = bits<pair>(b);
    return bits<unsigned int>(x > y ? x : y);
}
#else
__host__ __device__ inline unsigned int add_x2(unsigned int a, unsigned int b) {
    return each_16<false>(a, b, [](int x, int y) { return x + y; });
}
template <bool Signed>
__host__ __device__ inline unsigned int min_x2(unsigned int a, unsigned int b) {
    return each_16<Signed>(a, b, [](int x, int y) { return x < y ? x : y; });
}
template <bool Signed>
__host__ __device__ inline unsigned int max_x2(unsigned int a, unsigned int b) {
    return each_16<Signed>(a, b, [](int x, int y) { return x < y ? y : x; });
}
#endif
__host__ __device__ inline unsigned int relu_x2(unsigned int a) { return max_x2<true>(a, 0u); }

// The low bits of a value, widened by zeros or by its sign: szext. With Wrap only five bits of the number count.
template <bool Wrap>
__host__ __device__ inline unsigned int low_bits(unsigned int value, unsigned int count) {
    const unsigned int kept = Wrap ? count & 31u : count < 32u ? count : 32u;
    return kept == 32u ? value : value & ((1u << kept) - 1u);
}
template <bool Wrap>
__host__ __device__ inline int low_bits(int value, unsigned int count) {
    const unsigned int kept = Wrap ? count & 31u : count < 32u ? count : 32u;
    if (kept == 0u || kept == 32u) return kept == 0u ? 0 : value;
    return static_cast<int>(static_cast<unsigned int>(value) << (32u - kept)) >> (32u - kept);
}

// Any function of three bits, from its table of results: lop3.
template <unsigned int Table>
__host__ __device__ inline unsigned int lop3(unsigned int a, unsigned int b, unsigned int c) {
    unsigned int result = 0u;
    for (unsigned int at = 0; at < 8; ++at) {
        if (Table >> at & 1u) result |= (at & 4u ? a : ~a) & (at & 2u ? b : ~b) & (at & 1u ? c : ~c);
    }
    return result;
}

// Four of eight bytes, or copies of their signs: prmt. Each digit of the selector becomes a byte of v_perm_b32's.
__host__ __device__ inline unsigned int prmt(unsigned int a, unsigned int b, unsigned int selector) {
    const unsigned int spread = (selector & 0xffu) | (selector & 0xff00u) << 8;
    const unsigned int digits = (spread & 0x000f000fu) | (spread & 0x00f000f0u) << 4;
#if defined(__AMDGCN__) && defined(__HIP_DEVICE_COMPILE__)
    const unsigned int chosen = __builtin_amdgcn_perm(b, a, digits & 0x07070707u);
#else
    const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
    unsigned int chosen = 0u;
    for (int at = 0; at < 32; at += 8)
        chosen |= (static_cast<unsigned int>(both >> (8u * (digits >> at & 7u))) & 0xffu) << at;
#endif
    const unsigned int signs = (chosen >> 7 & 0x01010101u) * 0xffu, copied = (digits >> 3 & 0x01010101u) * 0xffu;
    return (chosen & ~copied) | (signs & copied);
}

// Four of eight bytes in one of the orders that prmt has names for; the selector's lowest two bits tell where to begin.
namespace detail {

template <typename Order>
__host__ __device__ inline unsigned int ordered_bytes(unsigned int a, unsigned int b, unsigned int selector, Order order) {
    const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
    unsigned int result = 0u;
    for (unsigned int at = 0; at < 4; ++at) {
        result |= (static_cast<unsigned int>(both >> (8u * (order(selector & 3u, at) & 7u))) & 0xffu) << (8u * at);
    }
    return result;
}

}  // namespace detail
__host__ __device__ inline unsigned int prmt_f4e(unsigned int a, unsigned int b, unsigned int selector) {
    return detail::ordered_bytes(a, b, selector, [](unsigned int first, unsigned int at) { return first + at; });
}
__host__ __device__ inline unsigned int prmt_b4e(unsigned int a, unsigned int b, unsigned int selector) {
    return detail::ordered_bytes(a, b, selector, [](unsigned int first, unsigned int at) { return first - at; });
}
__host__ __device__ inline unsigned int prmt_rc8(unsigned int a, unsigned int b, unsigned int selector) {
    return detail::ordered_bytes(a, b, selector, [](unsigned int first, unsigned int) { return first; });
}
__host__ __device__ inline unsigned int prmt_ecl(unsigned int a, unsigned int b, unsigned int selector) {
    return detail::ordered_bytes(a, b, selector, [](unsigned int first, unsigned int at) { return at < first ? first : at; });
}
__host__ __device__ inline unsigned int prmt_ecr(unsigned int a, unsigned int b, unsigned int selector) {
    return detail::ordered_bytes(a, b, selector, [](unsigned int first, unsigned int at) { return at < first ? at : first; });
}
__host__ __device__ inline unsigned int prmt_rc16(unsigned int a, unsigned int b, unsigned int selector) {
    return detail::ordered_bytes(a, b, selector, [](unsigned int first, unsigned int at) { return (first & 1u) * 2u + (at & 1u); });
}

// A field of bits read, zeros or copies of its sign above it, and put in place: bfe, bfi. T tells 32 bits from 64.
template <typename T>
__host__ __device__ inline T bit_field(T value, unsigned int position, unsigned int length) {
    const unsigned int size = sizeof(T) * 8, from = position & 0xffu, count = length & 0xffu;
    const bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
    if (count == 0u || (!is_signed && from >= size)) return static_cast<T>(0);
    // Moved up until its last bit, or the highest there is, is on top, and down again: the sign comes with it.
    const unsigned int end = from + count < size ? from + count : size, up = size - end, down = up + from;
    const T moved = static_cast<T>(static_cast<unsigned long long>(value) << up);
    return moved >> (down < size ? down : size - 1u);
}
template <typename T>
__host__ __device__ inline T insert_bits(T field, T value, unsigned int position, unsigned int length) {
    const unsigned int size = sizeof(T) * 8, from = position & 0xffu, count = length & 0xffu;
    if (from >= size || count == 0u) return value;
    const T mask = (count >= size ? ~static_cast<T>(0) : (static_cast<T>(1) << count) - 1) << from;
    return (value & ~mask) | ((field << from) & mask);
}

// Place of the highest bit that is set, or of a negative number the highest that is not; all ones for none: bfind.
__device__ inline unsigned int find_bit(unsigned int x) { return 31u - static_cast<unsigned int>(__clz(static_cast<int>(x))); }
__device__ inline unsigned int find_bit(int x) { return find_bit(static_cast<unsigned int>(x < 0 ? ~x : x)); }
__device__ inline unsigned int find_bit(unsigned long long x) { return 63u - static_cast<unsigned int>(__clzll(static_cast<long long>(x))); }
__device__ inline unsigned int find_bit(long long x) { return find_bit(static_cast<unsigned long long>(x < 0 ? ~x : x)); }

// Two products of 16 bits and 8 bits, and a sum; the lower or the upper two of the four bytes: dp2a. Each side is read
// as signed or not. GPUs with v_dot2 take the bytes as 16 bits.
template <bool SignedA, bool SignedB, bool Upper>
__host__ __device__ inline unsigned int dp2a(unsigned int a, unsigned int b, unsigned int c) {
    const unsigned int bytes = Upper ? b >> 16 : b;
#if CUDAMIGRATE_DOT == 1 && defined(__HIP_DEVICE_COMPILE__)
    typedef short shorts __attribute__((ext_vector_type(2)));
    typedef unsigned short ushorts __attribute__((ext_vector_type(2)));
    if (SignedA) {
        const shorts y = {static_cast<short>(SignedB ? static_cast<signed char>(bytes) : static_cast<int>(bytes & 0xffu)),
                          static_cast<short>(SignedB ? static_cast<signed char>(bytes >> 8) : static_cast<int>(bytes >> 8 & 0xffu))};
        return static_cast<unsigned int>(__builtin_amdgcn_sdot2(bits<shorts>(a), y, static_cast<int>(c), false));
    }
    if (!SignedB) {
        const ushorts y = {static_cast<unsigned short>(bytes & 0xffu), static_cast<unsigned short>(bytes >> 8 & 0xffu)};
        return __builtin_amdgcn_udot2(bits<ushorts>(a), y, c, false);
    }
#endif
    for (int at = 0; at < 2; ++at) {
        const unsigned int half = a >> (16 * at) & 0xffffu, byte = bytes >> (8 * at) & 0xffu;
        const int x = SignedA ? static_cast<short>(half) : static_cast<int>(half);
        const int y = SignedB ? static_cast<signed char>(byte) : static_cast<int>(byte);
        c += static_cast<unsigned int>(x * y);
    }
    return c;
}

// Four products of bytes where one side is signed and the other is not: dp4a.s32.u32, dp4a.u32.s32. With v_dot4 for
// signed bytes alone, 128 is taken off the unsigned ones and put back by the sum of the others.
template <bool SignedA, bool SignedB>
__host__ __device__ inline unsigned int dp4a_mixed(unsigned int a, unsigned int b, unsigned int c) {
    static_assert(SignedA != SignedB, "one side is signed");
#if CUDAMIGRATE_DOT == 1 && defined(__HIP_DEVICE_COMPILE__)
    const int x = static_cast<int>(SignedA ? a : a ^ 0x80808080u), y = static_cast<int>(SignedB ? b : b ^ 0x80808080u);
    const int sum = __builtin_amdgcn_sdot4(0x01010101, SignedA ? x : y, 0, false);
    const unsigned int start = c + (static_cast<unsigned int>(sum) << 7);
    return static_cast<unsigned int>(__builtin_amdgcn_sdot4(x, y, static_cast<int>(start), false));
#elif CUDAMIGRATE_DOT == 2 && defined(__HIP_DEVICE_COMPILE__)
    const int x = static_cast<int>(a), y = static_cast<int>(b), z = static_cast<int>(c);
    return static_cast<unsigned int>(__builtin_amdgcn_sudot4(SignedA, x, SignedB, y, z, false));
#else
    for (int shift = 0; shift < 32; shift += 8) {
        const int x = SignedA ? static_cast<signed char>(a >> shift) : static_cast<int>(a >> shift & 0xffu);
        const int y = SignedB ? static_cast<signed char>(b >> shift) : static_cast<int>(b >> shift & 0xffu);
        c += static_cast<unsigned int>(x * y);
    }
    return c;
#endif
}

namespace detail {

template <bool First, typename A, typename B>
struct choose {
    typedef A type;
};
template <typename A, typename B>
struct choose<false, A, B> {
    typedef B type;
};

// One operation on each of the parts of two words, the parts signed or not; the results wrap around or stop at the ends.
template <int Bits, bool Signed, typename Operation>
__host__ __device__ inline unsigned int each(unsigned int a, unsigned int b, bool saturate, Operation operation) {
    const unsigned int mask = (1u << Bits) - 1u;
    const int least = Signed ? -(1 << (Bits - 1)) : 0, most = Signed ? (1 << (Bits - 1)) - 1 : static_cast<int>(mask);
    unsigned int result = 0u;
    for (int at = 0; at < 32; at += Bits) {
        int x = static_cast<int>(a >> at & mask), y = static_cast<int>(b >> at & mask);
        if (Signed) x = (x ^ (1 << (Bits - 1))) - (1 << (Bits - 1)), y = (y ^ (1 << (Bits - 1))) - (1 << (Bits - 1));
        int made = operation(x, y);
        if (saturate) made = made < least ? least : made > most ? most : made;
        result |= (static_cast<unsigned int>(made) & mask) << at;
    }
    return result;
}

}  // namespace detail

// Video instructions on two halves or four bytes: vadd2, vsub4, vabsdiff4 and so on.
template <int Bits, bool Signed>
__host__ __device__ inline unsigned int vector_add(unsigned int a, unsigned int b, bool saturate = false) {
    return detail::each<Bits, Signed>(a, b, saturate, [](int x, int y) { return x + y; });
}
template <int Bits, bool Signed>
__host__ __device__ inline unsigned int vector_sub(unsigned int a, unsigned int b, bool saturate = false) {
    return detail::each<Bits, Signed>(a, b, saturate, [](int x, int y) { return x - y; });
}
template <int Bits, bool Signed>
__host__ __device__ inline unsigned int vector_min(unsigned int a, unsigned int b) {
    return detail::each<Bits, Signed>(a, b, false, [](int x, int y) { return x < y ? x : y; });
}
template <int Bits, bool Signed>
__host__ __device__ inline unsigned int vector_max(unsigned int a, unsigned int b) {
    return detail::each<Bits, Signed>(a, b, false, [](int x, int y) { return x < y ? y : x; });
}
template <int Bits, bool Signed>
__host__ __device__ inline unsigned int vector_absdiff(unsigned int a, unsigned int b) {
    return detail::each<Bits, Signed>(a, b, false, [](int x, int y) { return x < y ? y - x : x - y; });
}

template <int Bits, bool Signed>
__host__ __device__ inline unsigned int vector_average(unsigned int a, unsigned int b) {
    return detail::each<Bits, Signed>(a, b, false, [](int x, int y) { return (x + y + (x + y >= 0 ? 1 : 0)) >> 1; });
}
template <int Bits, bool Signed>
__host__ __device__ inline unsigned int vector_eq(unsigned int a, unsigned int b) {
    return detail::each<Bits, Signed>(a, b, false, [](int x, int y) { return x == y ? 1 : 0; });
}
template <int Bits, bool Signed>
__host__ __device__ inline unsigned int vector_ne(unsigned int a, unsigned int b) {
    return detail::each<Bits, Signed>(a, b, false, [](int x, int y) { return x != y ? 1 : 0; });
}
template <int Bits, bool Signed>
__host__ __device__ inline unsigned int vector_lt(unsigned int a, unsigned int b) {
    return detail::each<Bits, Signed>(a, b, false, [](int x, int y) { return x < y ? 1 : 0; });
}
template <int Bits, bool Signed>
__host__ __device__ inline unsigned int vector_le(unsigned int a, unsigned int b) {
    return detail::each<Bits, Signed>(a, b, false, [](int x, int y) { return x <= y ? 1 : 0; });
}
template <int Bits, bool Signed>
__host__ __device__ inline unsigned int vector_gt(unsigned int a, unsigned int b) {
    return detail::each<Bits, Signed>(a, b, false, [](int x, int y) { return x > y ? 1 : 0; });
}
template <int Bits, bool Signed>
__host__ __device__ inline unsigned int vector_ge(unsigned int a, unsigned int b) {
    return detail::each<Bits, Signed>(a, b, false, [](int x, int y) { return x >= y ? 1 : 0; });
}

// The intermediate results of scalar video instructions, which have more than 32 bits: vmin, vmax, vabsdiff; `.clamp` and
// `.wrap` of vshl and vshr. vmad adds a product and a number, shifts and, with `.sat`, stops at the ends of the range.
__host__ __device__ inline long long video_min(long long a, long long b) { return a < b ? a : b; }
__host__ __device__ inline long long video_max(long long a, long long b) { return a < b ? b : a; }
__host__ __device__ inline long long video_absdiff(long long a, long long b) { return a < b ? b - a : a - b; }
template <bool Wrap>
__host__ __device__ inline long long video_shl(long long a, unsigned int by) {
    const unsigned int count = Wrap ? by & 31u : by < 32u ? by : 32u;
    return static_cast<long long>(static_cast<unsigned long long>(a) << count);
}
template <bool Wrap>
__host__ __device__ inline long long video_shr(long long a, unsigned int by) {
    return a >> (Wrap ? by & 31u : by < 32u ? by : 32u);
}
template <bool Signed, int Shift, bool Saturate, typename A, typename B>
__host__ __device__ inline unsigned int video_mad(A a, B b, unsigned int c) {
    typedef typename detail::choose<Signed, long long, unsigned long long>::type wide;
    typedef typename detail::choose<Signed, int, unsigned int>::type narrow;
    const wide sum = (static_cast<wide>(a) * static_cast<wide>(b) + static_cast<wide>(static_cast<narrow>(c))) >> Shift;
    return static_cast<unsigned int>(Saturate ? saturated<narrow>(sum) : static_cast<narrow>(sum));
}

// Sum of the parts of a word, unsigned, and `c`: the `.add` of video instructions.
template <int Bits>
__host__ __device__ inline unsigned int sum_parts(unsigned int parts, unsigned int c) {
    for (int at = 0; at < 32; at += Bits) c += parts >> at & ((1u << Bits) - 1u);
    return c;
}

// The same of sums and differences, none of which is cut to the size of its part first: vadd2, vsub4 with `.add`.
template <int Bits>
__host__ __device__ inline unsigned int vector_add_sum(unsigned int a, unsigned int b, unsigned int c) {
    return sum_parts<Bits>(a, sum_parts<Bits>(b, c));
}
template <int Bits>
__host__ __device__ inline unsigned int vector_sub_sum(unsigned int a, unsigned int b, unsigned int c) {
    return sum_parts<Bits>(a, c) - sum_parts<Bits>(b, 0u);
}

// bfloat16 as its bits, rounded to nearest even; a NaN becomes 0x7fff: cvt.rn.bf16.f32 and back.
__host__ __device__ inline float from_bf16(unsigned short x) { return bits<float>(static_cast<unsigned int>(x) << 16); }
__host__ __device__ inline unsigned short to_bf16(float x) {
    const unsigned int raw = bits<unsigned int>(x);
    if (x != x) return 0x7fffu;
    return static_cast<unsigned short>((raw + 0x7fffu + (raw >> 16 & 1u)) >> 16);
}
__host__ __device__ inline unsigned short to_bf16_rz(float x) {
    return x != x ? static_cast<unsigned short>(0x7fffu) : static_cast<unsigned short>(bits<unsigned int>(x) >> 16);
}
__host__ __device__ inline unsigned int to_bf16x2_rz(float low, float high) {
    return static_cast<unsigned int>(to_bf16_rz(high)) << 16 | to_bf16_rz(low);
}
__host__ __device__ inline unsigned int to_bf16x2(float low, float high) {
    return static_cast<unsigned int>(to_bf16(high)) << 16 | to_bf16(low);
}

// A float with the ten bits of tf32, rounded to nearest with ties away from zero, or to even: cvt.rna.tf32, cvt.rn.tf32.
// A NaN is 0x7fffe000; the first form only leaves out the bits that tf32 has not.
__host__ __device__ inline unsigned int to_tf32_away(float x) {
    const unsigned int raw = bits<unsigned int>(x);
    return (raw + ((raw & 0x7f800000u) == 0x7f800000u ? 0u : 0x1000u)) & 0xffffe000u;
}
__host__ __device__ inline unsigned int to_tf32(float x) {
    const unsigned int raw = bits<unsigned int>(x);
    return x != x ? 0x7fffe000u : (raw + 0xfffu + (raw >> 13 & 1u)) & 0xffffe000u;
}
__host__ __device__ inline unsigned int to_tf32_zero(float x) {
    return x != x ? 0x7fffe000u : bits<unsigned int>(x) & 0xffffe000u;
}

namespace detail {

// One operation on each half of packed bfloat16 numbers, worked out in float and rounded once more.
template <typename Operation>
__host__ __device__ inline unsigned int each_bf16(unsigned int a, unsigned int b, unsigned int c, Operation operation) {
    const float low = operation(bits<float>(a << 16), bits<float>(b << 16), bits<float>(c << 16));
    const float high = operation(bits<float>(a & 0xffff0000u), bits<float>(b & 0xffff0000u), bits<float>(c & 0xffff0000u));
    return to_bf16x2(low, high);
}

// The same for packed halves; exact for what picks one of its operands.
template <typename Operation>
__device__ inline unsigned int each_f16(unsigned int a, unsigned int b, Operation operation) {
    const __half2 x = bits<__half2>(a), y = bits<__half2>(b);
    const float low = operation(__low2float(x), __low2float(y)), high = operation(__high2float(x), __high2float(y));
    return bits<unsigned int>(canonical(__floats2half2_rn(low, high)));
}

}  // namespace detail

// The larger and the smaller by size, with the product of the signs: max.xorsign.abs, min.xorsign.abs.
__host__ __device__ inline float max_xorsign(float a, float b) {
    return copysignf(detail::larger(fabsf(a), fabsf(b)), bits<float>(bits<unsigned int>(a) ^ bits<unsigned int>(b)));
}
__host__ __device__ inline float min_xorsign(float a, float b) {
    return copysignf(detail::smaller(fabsf(a), fabsf(b)), bits<float>(bits<unsigned int>(a) ^ bits<unsigned int>(b)));
}
__host__ __device__ inline float max_nan_xorsign(float a, float b) {
    return copysignf(max_nan(fabsf(a), fabsf(b)), bits<float>(bits<unsigned int>(a) ^ bits<unsigned int>(b)));
}
__host__ __device__ inline float min_nan_xorsign(float a, float b) {
    return copysignf(min_nan(fabsf(a), fabsf(b)), bits<float>(bits<unsigned int>(a) ^ bits<unsigned int>(b)));
}

// Packed bfloat16 arithmetic. The sum and the product are exact; a fused product may be rounded twice.
__host__ __device__ inline unsigned int bf16x2_add(unsigned int a, unsigned int b) {
    return detail::each_bf16(a, b, 0u, [](float x, float y, float) { return add_rn(x, y); });
}
__host__ __device__ inline unsigned int bf16x2_sub(unsigned int a, unsigned int b) {
    return detail::each_bf16(a, b, 0u, [](float x, float y, float) { return sub_rn(x, y); });
}
__host__ __device__ inline unsigned int bf16x2_mul(unsigned int a, unsigned int b) {
    return detail::each_bf16(a, b, 0u, [](float x, float y, float) { return mul_rn(x, y); });
}
__host__ __device__ inline unsigned int bf16x2_fma(unsigned int a, unsigned int b, unsigned int c) {
    return detail::each_bf16(a, b, c, [](float x, float y, float z) { return fmaf(x, y, z); });
}
__host__ __device__ inline unsigned int bf16x2_max(unsigned int a, unsigned int b) {
    return detail::each_bf16(a, b, 0u, [](float x, float y, float) { return detail::larger(x, y); });
}
__host__ __device__ inline unsigned int bf16x2_min(unsigned int a, unsigned int b) {
    return detail::each_bf16(a, b, 0u, [](float x, float y, float) { return detail::smaller(x, y); });
}

// The larger and the smaller of packed halves, and zero for what is negative.
__device__ inline unsigned int f16x2_max(unsigned int a, unsigned int b) {
    return detail::each_f16(a, b, [](float x, float y) { return detail::larger(x, y); });
}
__device__ inline unsigned int f16x2_min(unsigned int a, unsigned int b) {
    return detail::each_f16(a, b, [](float x, float y) { return detail::smaller(x, y); });
}
__host__ __device__ inline unsigned int bf16x2_max_nan(unsigned int a, unsigned int b) {
    return detail::each_bf16(a, b, 0u, [](float x, float y, float) { return max_nan(x, y); });
}
__host__ __device__ inline unsigned int bf16x2_min_nan(unsigned int a, unsigned int b) {
    return detail::each_bf16(a, b, 0u, [](float x, float y, float) { return min_nan(x, y); });
}
__device__ inline unsigned int f16x2_max_nan(unsigned int a, unsigned int b) {
    return detail::each_f16(a, b, [](float x, float y) { return max_nan(x, y); });
}
__device__ inline unsigned int f16x2_min_nan(unsigned int a, unsigned int b) {
    return detail::each_f16(a, b, [](float x, float y) { return min_nan(x, y); });
}

// One of these functions on sizes alone, with the products of the signs: max.xorsign.abs.f16x2 and its kin.
template <unsigned int (*Pick)(unsigned int, unsigned int)>
__device__ inline unsigned int xorsign(unsigned int a, unsigned int b) {
    const unsigned int sizes = Pick(a & 0x7fff7fffu, b & 0x7fff7fffu) & 0x7fff7fffu;
    return sizes | ((a ^ b) & 0x80008000u);
}
__device__ inline unsigned int f16x2_relu(unsigned int a) {
    return detail::each_f16(a, 0u, [](float x, float) { return relu(x); });
}
__device__ inline unsigned int f16x2_tanh(unsigned int a) {
    return detail::each_f16(a, 0u, [](float x, float) { return tanhf(x); });
}
__host__ __device__ inline unsigned int bf16x2_tanh(unsigned int a) {
    return detail::each_bf16(a, 0u, 0u, [](float x, float, float) { return tanhf(x); });
}
__host__ __device__ inline unsigned int bf16x2_exp2(unsigned int a) {
    return detail::each_bf16(a, 0u, 0u, [](float x, float, float) { return exp2f(x); });
}
__host__ __device__ inline unsigned int bf16x2_relu(unsigned int a) {
    return detail::each_bf16(a, 0u, 0u, [](float x, float, float) { return relu(x); });
}

namespace detail {

// A float in few bits: sign, `Exponent` bits, `Mantissa` bits; to nearest even, and to the largest number where it is
// too large. `Most` are the bits of the largest, `Nan` those of a NaN.
template <int Exponent, int Mantissa, unsigned int Most, unsigned int Nan>
__host__ __device__ inline unsigned int to_short(float x) {
    const unsigned int raw = bits<unsigned int>(x), sign = raw >> 31 << (Exponent + Mantissa);
    if (x != x) return Nan;
    const int bias = (1 << (Exponent - 1)) - 1;
    int power = static_cast<int>(raw >> 23 & 0xffu) - 127;
    unsigned int digits = (raw & 0x7fffffu) | 0x800000u;
    int drop = 23 - Mantissa;
    if ((raw & 0x7f800000u) == 0u) return sign;
    if (power < 1 - bias) drop += 1 - bias - power, power = 1 - bias;
    if (drop > 25) return sign;
    const unsigned int kept = digits >> drop, rest = digits & ((1u << drop) - 1u), half = 1u << (drop - 1);
    digits = kept + (rest > half || (rest == half && (kept & 1u) != 0u) ? 1u : 0u);
    const unsigned int made = (static_cast<unsigned int>(power + bias - 1) << Mantissa) + digits;
    return sign | (made > Most ? Most : made);
}

template <int Exponent, int Mantissa>
__host__ __device__ inline float from_short(unsigned int x) {
    const int bias = (1 << (Exponent - 1)) - 1;
    const unsigned int power = x >> Mantissa & ((1u << Exponent) - 1u), digits = x & ((1u << Mantissa) - 1u);
    const float sign = (x >> (Exponent + Mantissa) & 1u) != 0u ? -1.0f : 1.0f;
    const float unit = bits<float>(static_cast<unsigned int>(128 - bias - Mantissa) << 23);
    if (power == 0u) return sign * static_cast<float>(digits) * unit;
    return sign * static_cast<float>(digits | 1u << Mantissa) * unit *
        bits<float>((power - 1u + 127u) << 23);
}

}  // namespace detail

// 8-bit floats, and those of 4 and 6 bits, in the OCP formats, as PTX has them, whatever format the GPU at hand works with: cvt with e4m3 and e5m2.
__host__ __device__ inline unsigned int to_e4m3(float x) { return detail::to_short<4, 3, 0x7eu, 0x7fu>(x); }
__host__ __device__ inline unsigned int to_e5m2(float x) { return detail::to_short<5, 2, 0x7bu, 0x7fu>(x); }
__host__ __device__ inline unsigned int to_e2m1(float x) { return detail::to_short<2, 1, 0x7u, 0x7u>(x); }
__host__ __device__ inline float from_e4m3(unsigned int x) {
    return (x & 0x7fu) == 0x7fu ? bits<float>(0x7fffffffu) : detail::from_short<4, 3>(x);
}
__host__ __device__ inline float from_e5m2(unsigned int x) {
    if ((x & 0x7fu) > 0x7cu) return bits<float>(0x7fffffffu);
    if ((x & 0x7fu) == 0x7cu) return bits<float>(0x7f800000u | (x & 0x80u) << 24);
    return detail::from_short<5, 2>(x);
}

__host__ __device__ inline float from_e2m1(unsigned int x) { return detail::from_short<2, 1>(x); }
__host__ __device__ inline unsigned int to_e2m3(float x) { return detail::to_short<2, 3, 0x1fu, 0x1fu>(x); }
__host__ __device__ inline unsigned int to_e3m2(float x) { return detail::to_short<3, 2, 0x1fu, 0x1fu>(x); }
__host__ __device__ inline float from_e2m3(unsigned int x) { return detail::from_short<2, 3>(x & 0x3fu); }
__host__ __device__ inline float from_e3m2(unsigned int x) { return detail::from_short<3, 2>(x & 0x3fu); }

// Powers of two in 8 bits, upwards or to zero; the sign is not looked at, and what is too large becomes the largest: cvt
// with ue8m0.
__host__ __device__ inline unsigned int to_ue8m0_rp(float x) {
    const unsigned int raw = bits<unsigned int>(x) & 0x7fffffffu, power = raw >> 23;
    if (raw >= 0x7f800000u) return raw == 0x7f800000u ? 0xfeu : 0xffu;
    const bool more = (raw & 0x7fffffu) > (power == 0u ? 0x400000u : 0u);
    return more && power < 0xfeu ? power + 1u : power;
}
__host__ __device__ inline unsigned int to_ue8m0_rz(float x) {
    const unsigned int raw = bits<unsigned int>(x) & 0x7fffffffu;
    if (raw >= 0x7f800000u) return raw == 0x7f800000u ? 0xfeu : 0xffu;
    return raw >> 23;
}
__host__ __device__ inline unsigned int ue8m0x2_to_bf16x2(unsigned int x) {
    unsigned int made = 0u;
    for (int at = 0; at < 16; at += 8) {
        const unsigned int power = x >> at & 0xffu;
        made |= (power == 0xffu ? 0x7fffu : power == 0u ? 0x40u : power << 7) << (2 * at);
    }
    return made;
}

// Pairs of them, from and to packed halves and bfloat16 numbers.
__device__ inline unsigned int e2m1x2_to_f16x2(unsigned int x) {
    return bits<unsigned int>(__floats2half2_rn(from_e2m1(x & 0xfu), from_e2m1(x >> 4 & 0xfu)));
}
__device__ inline unsigned int e2m3x2_to_f16x2(unsigned short x) {
    return bits<unsigned int>(__floats2half2_rn(from_e2m3(x), from_e2m3(static_cast<unsigned int>(x) >> 8)));
}
__device__ inline unsigned int e3m2x2_to_f16x2(unsigned short x) {
    return bits<unsigned int>(__floats2half2_rn(from_e3m2(x), from_e3m2(static_cast<unsigned int>(x) >> 8)));
}
__host__ __device__ inline unsigned int e2m1x2_to_bf16x2(unsigned int x) {
    return to_bf16x2(from_e2m1(x & 0xfu), from_e2m1(x >> 4 & 0xfu));
}
__host__ __device__ inline unsigned int e4m3x2_to_bf16x2(unsigned int x) {
    return to_bf16x2(from_e4m3(x & 0xffu), from_e4m3(x >> 8 & 0xffu));
}
__host__ __device__ inline unsigned int e5m2x2_to_bf16x2(unsigned int x) {
    return to_bf16x2(from_e5m2(x & 0xffu), from_e5m2(x >> 8 & 0xffu));
}
__host__ __device__ inline unsigned short bf16x2_to_e4m3x2(unsigned int x) {
    return static_cast<unsigned short>(to_e4m3(bits<float>(x & 0xffff0000u)) << 8 | to_e4m3(bits<float>(x << 16)));
}
__host__ __device__ inline unsigned short bf16x2_to_ue8m0x2_rp(unsigned int x) {
    return static_cast<unsigned short>(to_ue8m0_rp(bits<float>(x & 0xffff0000u)) << 8 | to_ue8m0_rp(bits<float>(x << 16)));
}
__host__ __device__ inline unsigned short bf16x2_to_ue8m0x2_rz(unsigned int x) {
    return static_cast<unsigned short>(to_ue8m0_rz(bits<float>(x & 0xffff0000u)) << 8 | to_ue8m0_rz(bits<float>(x << 16)));
}
__host__ __device__ inline unsigned short bf16x2_to_e5m2x2(unsigned int x) {
    return static_cast<unsigned short>(to_e5m2(bits<float>(x & 0xffff0000u)) << 8 | to_e5m2(bits<float>(x << 16)));
}
__device__ inline unsigned short f16x2_to_e4m3x2(unsigned int x) {
    const __half2 pair = bits<__half2>(x);
    return static_cast<unsigned short>(to_e4m3(__high2float(pair)) << 8 | to_e4m3(__low2float(pair)));
}
__device__ inline unsigned short f16x2_to_e5m2x2(unsigned int x) {
    const __half2 pair = bits<__half2>(x);
    return static_cast<unsigned short>(to_e5m2(__high2float(pair)) << 8 | to_e5m2(__low2float(pair)));
}
__device__ inline unsigned int e4m3x2_to_f16x2(unsigned short x) {
    return bits<unsigned int>(__floats2half2_rn(from_e4m3(x & 0xffu), from_e4m3(x >> 8)));
}
__device__ inline unsigned int e5m2x2_to_f16x2(unsigned short x) {
    return bits<unsigned int>(__floats2half2_rn(from_e5m2(x & 0xffu), from_e5m2(x >> 8)));
}

// Adds to two packed numbers, each rounded by itself, and returns what was there: atom.add.noftz.f16x2 and bf16x2.
__device__ inline unsigned int atomic_add_f16x2(unsigned int *address, unsigned int value) {
    unsigned int seen = *address, before;
    do {
        before = seen;
        const __half2 sum = __hadd2(bits<__half2>(before), bits<__half2>(value));
        seen = atomicCAS(address, before, bits<unsigned int>(sum));
    } while (seen != before);
    return seen;
}
__device__ inline unsigned int atomic_add_bf16x2(unsigned int *address, unsigned int value) {
    unsigned int seen = *address, before;
    do {
        before = seen;
        seen = atomicCAS(address, before, bf16x2_add(before, value));
    } while (seen != before);
    return seen;
}

// The larger or the smaller of each of two packed numbers, and what was there before: atom.max.noftz.f16x2 and its kin.
template <unsigned int (*Pick)(unsigned int, unsigned int)>
__device__ inline unsigned int atomic_pick(unsigned int *address, unsigned int value) {
    unsigned int seen = *address, before;
    do {
        before = seen;
        seen = atomicCAS(address, before, Pick(before, value));
    } while (seen != before);
    return seen;
}

// The same for one number of 16 bits, by way of the word that it lies in: red.add.noftz.f16 and bf16.
template <typename Pair>
__device__ inline unsigned short atomic_add_16(unsigned short *address, unsigned short value, Pair pair) {
    const unsigned long long at = reinterpret_cast<unsigned long long>(address);
    unsigned int *word = reinterpret_cast<unsigned int *>(at & ~3ull);
    const unsigned int shift = static_cast<unsigned int>(at & 2ull) * 8u, mask = 0xffffu << shift;
    unsigned int seen = *word, before;
    do {
        before = seen;
        const unsigned int sum = pair(before >> shift & 0xffffu, value) & 0xffffu;
        seen = atomicCAS(word, before, (before & ~mask) | sum << shift);
    } while (seen != before);
    return static_cast<unsigned short>(seen >> shift);
}
__device__ inline unsigned short atomic_add_f16(unsigned short *address, unsigned short value) {
    return atomic_add_16(address, value, [](unsigned int a, unsigned int b) {
        return bits<unsigned int>(__hadd2(bits<__half2>(a), bits<__half2>(b)));
    });
}
__device__ inline unsigned short atomic_add_bf16(unsigned short *address, unsigned short value) {
    return atomic_add_16(address, value, [](unsigned int a, unsigned int b) { return bf16x2_add(a, b); });
}

// Puts a number of 16 bits where another one lies, and returns what was there: atom.cas.b16.
__device__ inline unsigned short atomic_cas_16(unsigned short *address, unsigned short expected, unsigned short value) {
    const unsigned long long at = reinterpret_cast<unsigned long long>(address);
    unsigned int *word = reinterpret_cast<unsigned int *>(at & ~3ull);
    const unsigned int shift = static_cast<unsigned int>(at & 2ull) * 8u, mask = 0xffffu << shift;
    unsigned int seen = *word, before;
    do {
        before = seen;
        if ((before >> shift & 0xffffu) != expected) break;
        seen = atomicCAS(word, before, (before & ~mask) | static_cast<unsigned int>(value) << shift);
    } while (seen != before);
    return static_cast<unsigned short>(before >> shift);
}

namespace detail {

template <float (*Pick)(float, float)>
__device__ inline float redux(unsigned int mask, float value) {
    const float found = bits<float>(reduce(mask, bits<unsigned int>(value), [](unsigned int a, unsigned int b) {
        return bits<unsigned int>(Pick(bits<float>(a), bits<float>(b)));
    }));
    return found != found ? bits<float>(0x7fffffffu) : found;
}

}  // namespace detail

// The largest and the smallest float of the mask's lanes, PTX's NaN where all are NaN, or one: redux.sync.max.f32, max.NaN.
__device__ inline float redux_max(unsigned int mask, float value) { return detail::redux<detail::larger>(mask, value); }
__device__ inline float redux_min(unsigned int mask, float value) { return detail::redux<detail::smaller>(mask, value); }
__device__ inline float redux_max_nan(unsigned int mask, float value) { return detail::redux<max_nan>(mask, value); }
__device__ inline float redux_min_nan(unsigned int mask, float value) { return detail::redux<min_nan>(mask, value); }

}  // namespace cudamigrate

#endif

#endif

#endif  // CUDAMIGRATE_PTX_H
