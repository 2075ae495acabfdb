// cudamigrate declarations: bfloat16 of HIP 7; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIP_BF16
#define CUDAMIGRATE_DECLARES_HIP_BF16
#include <hip/hip_runtime.h>
#include <climits>
#include <cmath>

#define HIPRT_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80)
#define HIPRT_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0)
#define HIPRT_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80)
#define HIPRT_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7F)
#define HIPRT_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)1)
#define HIPRT_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFF)
#define HIPRT_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)

struct alignas(4) __hip_bfloat162_raw { unsigned short x, y; };
struct alignas(2) __hip_bfloat16_raw { unsigned short x; };
#if __clang_major__ >= 17  // older ones refuse the type for AMD's GPUs, and HIP's headers of their time do without it
#define CM_HAS_BF16
typedef __bf16 __bf16_2 __attribute__((ext_vector_type(2)));
#endif

#define CM_HD __host__ __device__

struct __attribute__((aligned(2))) __hip_bfloat16 {
protected:
#ifdef CM_HAS_BF16
    union { unsigned short __x; __bf16 __x_bf16; };
#else
    unsigned short __x;
#endif
public:
    CM_HD __hip_bfloat16() = default;
    CM_HD __hip_bfloat16(unsigned int);
    CM_HD __hip_bfloat16(int);
    CM_HD __hip_bfloat16(unsigned short);
    CM_HD __hip_bfloat16(short);
    CM_HD __hip_bfloat16(double);
    CM_HD __hip_bfloat16(float);
#ifdef CM_HAS_BF16
    CM_HD __hip_bfloat16(__bf16);
    CM_HD operator __bf16() const;
#endif
    CM_HD constexpr __hip_bfloat16(const __hip_bfloat16_raw &from) : __x(from.x) {}
    CM_HD operator __hip_bfloat16_raw() const;
    CM_HD operator __hip_bfloat16_raw() const volatile;
    CM_HD constexpr operator bool() const { return (__x & 0x7FFF) != 0; }
    CM_HD operator char() const;
    CM_HD operator signed char() const;
    CM_HD operator unsigned char() const;
    CM_HD operator short() const;
    CM_HD operator unsigned short() const;
    CM_HD operator int() const;
    CM_HD operator unsigned int() const;
    CM_HD operator long() const;
    CM_HD operator unsigned long() const;
    CM_HD operator long long() const;
    CM_HD operator unsigned long long() const;
    CM_HD operator float() const;
    CM_HD __hip_bfloat16 &operator=(unsigned int);
    CM_HD __hip_bfloat16 &operator=(int);
    CM_HD __hip_bfloat16 &operator=(unsigned short);
    CM_HD __hip_bfloat16 &operator=(short);
    CM_HD __hip_bfloat16 &operator=(double);
    CM_HD __hip_bfloat16 &operator=(float);
    CM_HD __hip_bfloat16 &operator=(const __hip_bfloat16_raw &);
    CM_HD volatile __hip_bfloat16 &operator=(const __hip_bfloat16_raw &) volatile;
    CM_HD volatile __hip_bfloat16 &operator=(const volatile __hip_bfloat16_raw &) volatile;
};

struct __attribute__((aligned(4))) __hip_bfloat162 {
#ifdef CM_HAS_BF16
    union { struct { __hip_bfloat16 x; __hip_bfloat16 y; }; __bf16_2 __xy_bf162; };
    CM_HD __hip_bfloat162(__bf16_2);
    CM_HD operator __bf16_2() const;
    CM_HD __hip_bfloat162 &operator=(__bf16_2);
#else
    __hip_bfloat16 x, y;
#endif
    CM_HD __hip_bfloat162() = default;
    CM_HD __hip_bfloat162(const __hip_bfloat162_raw &);
    CM_HD __hip_bfloat162(const __hip_bfloat162 &);
    CM_HD constexpr __hip_bfloat162(const __hip_bfloat16 &low, const __hip_bfloat16 &high) : x(low), y(high) {}
    CM_HD operator __hip_bfloat162_raw() const;
    CM_HD operator float2() const;
    CM_HD __hip_bfloat162 &operator=(const __hip_bfloat162_raw &);
    CM_HD __hip_bfloat162 &operator=(const __hip_bfloat162 &);
};

CM_HD float __bfloat162float(__hip_bfloat16);
CM_HD __hip_bfloat16 __float2bfloat16(float);
CM_HD __hip_bfloat16 __double2bfloat16(double);
CM_HD __hip_bfloat16 __int2bfloat16_rn(int);
CM_HD float2 __bfloat1622float2(__hip_bfloat162);
CM_HD __hip_bfloat162 __float22bfloat162_rn(float2);
CM_HD __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16);
CM_HD __hip_bfloat162 __halves2bfloat162(__hip_bfloat16, __hip_bfloat16);
CM_HD short __bfloat16_as_short(__hip_bfloat16);
CM_HD unsigned short __bfloat16_as_ushort(__hip_bfloat16);
CM_HD __hip_bfloat16 __short_as_bfloat16(short);
CM_HD __hip_bfloat16 __ushort_as_bfloat16(unsigned short);
CM_HD __hip_bfloat16 __high2bfloat16(__hip_bfloat162);
CM_HD __hip_bfloat162 __high2bfloat162(__hip_bfloat162);
CM_HD float __high2float(__hip_bfloat162);
CM_HD __hip_bfloat162 __highs2bfloat162(__hip_bfloat162, __hip_bfloat162);
CM_HD __hip_bfloat16 __low2bfloat16(__hip_bfloat162);
CM_HD __hip_bfloat162 __low2bfloat162(__hip_bfloat162);
CM_HD float __low2float(__hip_bfloat162);
CM_HD __hip_bfloat162 __lowhigh2highlow(__hip_bfloat162);
CM_HD __hip_bfloat162 __lows2bfloat162(__hip_bfloat162, __hip_bfloat162);

#if defined(__HIPCC__)
__device__ __hip_bfloat16 __shfl(__hip_bfloat16, int, int = warpSize);
__device__ __hip_bfloat16 __shfl_up(__hip_bfloat16, unsigned int, int = warpSize);
__device__ __hip_bfloat16 __shfl_down(__hip_bfloat16, unsigned int, int = warpSize);
__device__ __hip_bfloat16 __shfl_xor(__hip_bfloat16, int, int = warpSize);
#if !defined(HIP_DISABLE_WARP_SYNC_BUILTINS)
#define CM_SHUFFLES(type) \
    __device__ type __shfl_sync(unsigned long long, type, int, int = warpSize); \
    __device__ type __shfl_up_sync(unsigned long long, type, unsigned int, int = warpSize); \
    __device__ type __shfl_down_sync(unsigned long long, type, unsigned int, int = warpSize); \
    __device__ type __shfl_xor_sync(unsigned long long, type, int, int = warpSize);
CM_SHUFFLES(__hip_bfloat16)
CM_SHUFFLES(__hip_bfloat162)
#undef CM_SHUFFLES
#endif
#endif

CM_HD __hip_bfloat16 __hdiv(__hip_bfloat16, __hip_bfloat16);
CM_HD __hip_bfloat16 __hneg(__hip_bfloat16);
CM_HD __hip_bfloat16 __habs(__hip_bfloat16);
CM_HD __hip_bfloat16 __hmax(__hip_bfloat16, __hip_bfloat16);
CM_HD __hip_bfloat16 __hmin(__hip_bfloat16, __hip_bfloat16);
CM_HD bool __hisnan(__hip_bfloat16);
CM_HD int __hisinf(__hip_bfloat16);
CM_HD __hip_bfloat162 __hisnan2(__hip_bfloat162);
CM_HD __hip_bfloat162 __h2div(__hip_bfloat162, __hip_bfloat162);
CM_HD __hip_bfloat162 __hneg2(__hip_bfloat162);
CM_HD __hip_bfloat162 __habs2(__hip_bfloat162);
CM_HD __hip_bfloat162 __hmax2(__hip_bfloat162, __hip_bfloat162);
CM_HD __hip_bfloat162 __hmin2(__hip_bfloat162, __hip_bfloat162);
__device__ __hip_bfloat16 __hfma(__hip_bfloat16, __hip_bfloat16, __hip_bfloat16);
__device__ __hip_bfloat162 __hfma2(__hip_bfloat162, __hip_bfloat162, __hip_bfloat162);

#define CM_ARITHMETIC(name, sign) \
    CM_HD __hip_bfloat16 __h##name(__hip_bfloat16, __hip_bfloat16); \
    CM_HD __hip_bfloat16 __h##name##_rn(__hip_bfloat16, __hip_bfloat16); \
    CM_HD __hip_bfloat162 __h##name##2(__hip_bfloat162, __hip_bfloat162); \
    CM_HD __hip_bfloat162 __h##name##2_rn(__hip_bfloat162, __hip_bfloat162);
CM_ARITHMETIC(add, +)
CM_ARITHMETIC(sub, -)
CM_ARITHMETIC(mul, *)
#undef CM_ARITHMETIC

#define CM_OPERATORS(type) \
    CM_HD type operator+(const type &, const type &); \
    CM_HD type operator-(const type &, const type &); \
    CM_HD type operator*(const type &, const type &); \
    CM_HD type operator/(const type &, const type &); \
    CM_HD type &operator+=(type &, const type &); \
    CM_HD type &operator-=(type &, const type &); \
    CM_HD type &operator*=(type &, const type &); \
    CM_HD type &operator/=(type &, const type &); \
    CM_HD type operator+(const type &); \
    CM_HD type operator-(const type &); \
    CM_HD type operator++(type &, int); \
    CM_HD type &operator++(type &); \
    CM_HD type operator--(type &, int); \
    CM_HD type &operator--(type &); \
    CM_HD bool operator==(const type &, const type &); \
    CM_HD bool operator!=(const type &, const type &); \
    CM_HD bool operator<(const type &, const type &); \
    CM_HD bool operator<=(const type &, const type &); \
    CM_HD bool operator>(const type &, const type &); \
    CM_HD bool operator>=(const type &, const type &);
CM_OPERATORS(__hip_bfloat16)
CM_OPERATORS(__hip_bfloat162)
#undef CM_OPERATORS

#define CM_COMPARE(name) \
    CM_HD bool __h##name(__hip_bfloat16, __hip_bfloat16); \
    CM_HD bool __h##name##u(__hip_bfloat16, __hip_bfloat16); \
    CM_HD __hip_bfloat162 __h##name##2(__hip_bfloat162, __hip_bfloat162); \
    CM_HD bool __hb##name##2(__hip_bfloat162, __hip_bfloat162); \
    CM_HD bool __hb##name##u2(__hip_bfloat162, __hip_bfloat162);
CM_COMPARE(eq)
CM_COMPARE(ne)
CM_COMPARE(le)
CM_COMPARE(ge)
CM_COMPARE(lt)
CM_COMPARE(gt)
#undef CM_COMPARE

#define CM_MATH(name) \
    __device__ __hip_bfloat16 h##name(__hip_bfloat16); \
    __device__ __hip_bfloat162 h2##name(__hip_bfloat162);
CM_MATH(ceil)
CM_MATH(cos)
CM_MATH(exp)
CM_MATH(exp10)
CM_MATH(exp2)
CM_MATH(floor)
CM_MATH(log)
CM_MATH(log10)
CM_MATH(log2)
CM_MATH(rcp)
CM_MATH(rint)
CM_MATH(rsqrt)
CM_MATH(sin)
CM_MATH(sqrt)
CM_MATH(trunc)
#undef CM_MATH

__device__ __hip_bfloat162 unsafeAtomicAdd(__hip_bfloat162 *, __hip_bfloat162);
__device__ __hip_bfloat16 unsafeAtomicAdd(__hip_bfloat16 *, __hip_bfloat16);
#undef CM_HD
#endif
