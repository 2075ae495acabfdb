// cudamigrate declarations: half precision of HIP 7; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIP_FP16
#define CUDAMIGRATE_DECLARES_HIP_FP16
#include <hip/hip_runtime.h>
#include <algorithm>
#include <type_traits>
#include <utility>

#define HIPRT_INF_FP16 __ushort_as_half((unsigned short)0x7C00)
#define HIPRT_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFF)
#define HIPRT_MIN_DENORM_FP16 __ushort_as_half((unsigned short)1)
#define HIPRT_NAN_FP16 __ushort_as_half((unsigned short)0x7FFF)
#define HIPRT_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define HIPRT_ONE_FP16 __ushort_as_half((unsigned short)0x3C00)
#define HIPRT_ZERO_FP16 __ushort_as_half((unsigned short)0)

typedef _Float16 _Float16_2 __attribute__((ext_vector_type(2)));
struct __half_raw { union { _Float16 data; unsigned short x; }; };
struct __half2_raw { union { struct { __half_raw x, y; }; _Float16_2 data; }; };

#define CM_HD __host__ __device__
#define CM_IF_FLOAT(T) template <class T, typename std::enable_if<std::is_floating_point<T>::value || std::is_same<T, _Float16>::value>::type * = nullptr>
#define CM_IF_INT(T) template <class T, typename std::enable_if<std::is_integral<T>::value>::type * = nullptr>

struct __half {
protected:
    union { _Float16 data; unsigned short __x; };
public:
    CM_HD __half() = default;
    CM_HD constexpr __half(const __half_raw &from) : __x(from.x) {}
    CM_HD __half(const __half &) = default;
    CM_HD __half(__half &&) = default;
    CM_HD ~__half() = default;
    CM_HD __half &operator=(const __half &) = default;
    CM_HD __half &operator=(__half &&) = default;
    CM_HD __half &operator=(const __half_raw &);
    CM_HD volatile __half &operator=(const __half_raw &) volatile;
    CM_HD operator __half_raw() const;
    CM_HD operator __half_raw() const volatile;
#if !defined(__HIP_NO_HALF_CONVERSIONS__)
    CM_HD __half(_Float16);
    CM_IF_FLOAT(T) CM_HD __half(T);
    CM_IF_INT(T) CM_HD __half(T);
    CM_IF_FLOAT(T) CM_HD __half &operator=(T);
    CM_IF_INT(T) __device__ __half &operator=(T);
    CM_IF_FLOAT(T) CM_HD operator T() const;
    CM_IF_INT(T) CM_HD operator T() const;
#endif
#if !defined(__HIP_NO_HALF_OPERATORS__)
    CM_HD __half &operator+=(const __half &);
    CM_HD __half &operator-=(const __half &);
    CM_HD __half &operator*=(const __half &);
    CM_HD __half &operator/=(const __half &);
    CM_HD __half &operator++();
    CM_HD __half operator++(int);
    CM_HD __half &operator--();
    CM_HD __half operator--(int);
    CM_HD __half operator+() const;
    CM_HD __half operator-() const;
    friend CM_HD __half operator+(const __half &, const __half &);
    friend CM_HD __half operator-(const __half &, const __half &);
    friend CM_HD __half operator*(const __half &, const __half &);
    friend CM_HD __half operator/(const __half &, const __half &);
    friend CM_HD bool operator==(const __half &, const __half &);
    friend CM_HD bool operator!=(const __half &, const __half &);
    friend CM_HD bool operator<(const __half &, const __half &);
    friend CM_HD bool operator>(const __half &, const __half &);
    friend CM_HD bool operator<=(const __half &, const __half &);
    friend CM_HD bool operator>=(const __half &, const __half &);
#endif
};

struct __half2 {
    union { struct { __half x, y; }; _Float16_2 data; };
    CM_HD __half2() = default;
    CM_HD __half2(const __half2_raw &);
    CM_HD __half2(_Float16_2);
    CM_HD constexpr __half2(const __half &low, const __half &high) : x(low), y(high) {}
    CM_HD __half2(const __half2 &) = default;
    CM_HD __half2(__half2 &&) = default;
    CM_HD ~__half2() = default;
    CM_HD __half2 &operator=(const __half2 &) = default;
    CM_HD __half2 &operator=(__half2 &&) = default;
    CM_HD __half2 &operator=(const __half2_raw &);
    CM_HD operator _Float16_2() const;
    CM_HD operator __half2_raw() const;
#if !defined(__HIP_NO_HALF_OPERATORS__)
    CM_HD __half2 &operator+=(const __half2 &);
    CM_HD __half2 &operator-=(const __half2 &);
    CM_HD __half2 &operator*=(const __half2 &);
    CM_HD __half2 &operator/=(const __half2 &);
    CM_HD __half2 &operator++();
    CM_HD __half2 operator++(int);
    CM_HD __half2 &operator--();
    CM_HD __half2 operator--(int);
    CM_HD __half2 operator+() const;
    CM_HD __half2 operator-() const;
    friend CM_HD __half2 operator+(const __half2 &, const __half2 &);
    friend CM_HD __half2 operator-(const __half2 &, const __half2 &);
    friend CM_HD __half2 operator*(const __half2 &, const __half2 &);
    friend CM_HD __half2 operator/(const __half2 &, const __half2 &);
    friend CM_HD bool operator==(const __half2 &, const __half2 &);
    friend CM_HD bool operator!=(const __half2 &, const __half2 &);
    friend CM_HD bool operator<(const __half2 &, const __half2 &);
    friend CM_HD bool operator>(const __half2 &, const __half2 &);
    friend CM_HD bool operator<=(const __half2 &, const __half2 &);
    friend CM_HD bool operator>=(const __half2 &, const __half2 &);
#endif
};

CM_HD __half2 make_half2(__half, __half);
CM_HD __half __low2half(__half2);
CM_HD __half __high2half(__half2);
CM_HD __half2 __half2half2(__half);
CM_HD __half2 __halves2half2(__half, __half);
CM_HD __half2 __low2half2(__half2);
CM_HD __half2 __high2half2(__half2);
CM_HD __half2 __lows2half2(__half2, __half2);
CM_HD __half2 __highs2half2(__half2, __half2);
CM_HD __half2 __lowhigh2highlow(__half2);
CM_HD short __half_as_short(__half);
CM_HD unsigned short __half_as_ushort(__half);
CM_HD __half __short_as_half(short);
CM_HD __half __ushort_as_half(unsigned short);

CM_HD __half __float2half(float);
CM_HD __half __float2half_rn(float);
CM_HD __half __float2half_rz(float);
CM_HD __half __float2half_rd(float);
CM_HD __half __float2half_ru(float);
CM_HD __half2 __float2half2_rn(float);
CM_HD __half2 __floats2half2_rn(float, float);
CM_HD __half2 __float22half2_rn(float2);
CM_HD float __half2float(__half);
CM_HD float __low2float(__half2);
CM_HD float __high2float(__half2);
CM_HD float2 __half22float2(__half2);

CM_HD __half __int2half_rn(int);
__device__ __half __int2half_rz(int);
__device__ __half __int2half_rd(int);
__device__ __half __int2half_ru(int);
#define CM_FROM_HALF(name, type) \
    __device__ type __half2##name##_rn(__half); \
    __device__ type __half2##name##_rz(__half); \
    __device__ type __half2##name##_rd(__half); \
    __device__ type __half2##name##_ru(__half);
#define CM_TO_HALF(name, type) \
    __device__ __half __##name##2half_rn(type); \
    __device__ __half __##name##2half_rz(type); \
    __device__ __half __##name##2half_rd(type); \
    __device__ __half __##name##2half_ru(type);
CM_FROM_HALF(int, int)
CM_FROM_HALF(short, short)
CM_FROM_HALF(ll, long long)
CM_FROM_HALF(uint, unsigned int)
CM_FROM_HALF(ushort, unsigned short)
CM_FROM_HALF(ull, unsigned long long)
CM_TO_HALF(short, short)
CM_TO_HALF(ll, long long)
CM_TO_HALF(uint, unsigned int)
CM_TO_HALF(ushort, unsigned short)
CM_TO_HALF(ull, unsigned long long)
#undef CM_FROM_HALF
#undef CM_TO_HALF

#define CM_LOADS(name) \
    __device__ __half name(const __half *); \
    CM_HD __half2 name(const __half2 *);
CM_LOADS(__ldg)
CM_LOADS(__ldcg)
CM_LOADS(__ldca)
CM_LOADS(__ldcs)
#undef CM_LOADS

#define CM_COMPARE(name) \
    CM_HD bool __h##name(__half, __half); \
    CM_HD bool __h##name##u(__half, __half); \
    CM_HD __half2 __h##name##2(__half2, __half2); \
    CM_HD __half2 __h##name##u2(__half2, __half2); \
    CM_HD bool __hb##name##2(__half2, __half2); \
    CM_HD bool __hb##name##u2(__half2, __half2);
CM_COMPARE(eq)
CM_COMPARE(ne)
CM_COMPARE(le)
CM_COMPARE(ge)
CM_COMPARE(lt)
CM_COMPARE(gt)
#undef CM_COMPARE

CM_HD bool __hisnan(__half);
CM_HD bool __hisinf(__half);
__device__ __half2 __hisinf2(__half2);
CM_HD __half2 __hisnan2(__half2);
CM_HD __half __hmax(__half, __half);
CM_HD __half __hmax_nan(__half, __half);
CM_HD __half __hmin(__half, __half);
CM_HD __half __hmin_nan(__half, __half);
__device__ __half __clamp_01(__half);
CM_HD __half __hneg(__half);
CM_HD __half __habs(__half);
CM_HD __half __hdiv(__half, __half);
__device__ __half __hfma(__half, __half, __half);
__device__ __half __hfma_sat(__half, __half, __half);
CM_HD __half2 __hneg2(__half2);
CM_HD __half2 __habs2(__half2);
CM_HD __half2 __h2div(__half2, __half2);
__device__ __half2 __hfma2(__half2, __half2, __half2);
__device__ __half2 __hfma2_sat(__half2, __half2, __half2);
#define CM_ARITHMETIC(name) \
    CM_HD __half __h##name(__half, __half); \
    CM_HD __half __h##name##_rn(__half, __half); \
    CM_HD __half __h##name##_sat(__half, __half); \
    CM_HD __half2 __h##name##2(__half2, __half2); \
    CM_HD __half2 __h##name##2_rn(__half2, __half2); \
    CM_HD __half2 __h##name##2_sat(__half2, __half2);
CM_ARITHMETIC(add)
CM_ARITHMETIC(sub)
CM_ARITHMETIC(mul)
#undef CM_ARITHMETIC

__device__ __half2 unsafeAtomicAdd(__half2 *, __half2);
__device__ __half unsafeAtomicAdd(__half *, __half);
__device__ float amd_mixed_dot(__half2, __half2, float, bool);

#define CM_MATH(name) \
    __device__ __half h##name(__half); \
    __device__ __half2 h2##name(__half2);
CM_MATH(trunc)
CM_MATH(ceil)
CM_MATH(floor)
CM_MATH(rint)
CM_MATH(sin)
CM_MATH(cos)
CM_MATH(exp)
CM_MATH(exp2)
CM_MATH(exp10)
CM_MATH(log)
CM_MATH(log2)
CM_MATH(log10)
CM_MATH(rcp)
CM_MATH(rsqrt)
CM_MATH(sqrt)
#undef CM_MATH

#if !defined(HIP_NO_HALF)
using half = __half;
using half2 = __half2;
#endif

#if defined(__HIPCC__)
#define CM_SHUFFLES(type) \
    __device__ type __shfl(type, int, int = warpSize); \
    __device__ type __shfl_up(type, unsigned int, int = warpSize); \
    __device__ type __shfl_down(type, unsigned int, int = warpSize); \
    __device__ type __shfl_xor(type, int, int = warpSize);
CM_SHUFFLES(__half)
CM_SHUFFLES(__half2)
#undef CM_SHUFFLES
#endif
#undef CM_IF_FLOAT
#undef CM_IF_INT
#undef CM_HD
#endif
