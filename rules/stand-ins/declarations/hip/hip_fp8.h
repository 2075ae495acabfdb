// cudamigrate declarations: 8-bit floating point of HIP 7; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIP_FP8
#define CUDAMIGRATE_DECLARES_HIP_FP8
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

// A GPU that knows one of the two formats has the other on the host only.
#if defined(__gfx942__)
#define HIP_FP8_TYPE_FNUZ 1
#define HIP_FP8_TYPE_OCP 0
#elif defined(__gfx950__) || defined(__gfx1200__) || defined(__gfx1201__)
#define HIP_FP8_TYPE_FNUZ 0
#define HIP_FP8_TYPE_OCP 1
#else
#define HIP_FP8_TYPE_FNUZ 1
#define HIP_FP8_TYPE_OCP 1
#endif

enum __hip_saturation_t { __HIP_NOSAT = 0, __HIP_SATFINITE = 1 };
enum __hip_fp8_interpretation_t { __HIP_E4M3 = 0, __HIP_E5M2 = 1, __HIP_E4M3_FNUZ = 2, __HIP_E5M2_FNUZ = 3 };
typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short int __hip_fp8x2_storage_t;
typedef unsigned int __hip_fp8x4_storage_t;

#define CM_HD __host__ __device__
CM_HD __hip_fp8_storage_t __hip_cvt_float_to_fp8(float, __hip_saturation_t, __hip_fp8_interpretation_t);
CM_HD __hip_fp8x2_storage_t __hip_cvt_float2_to_fp8x2(float2, __hip_saturation_t, __hip_fp8_interpretation_t);
CM_HD __hip_fp8_storage_t __hip_cvt_double_to_fp8(double, __hip_saturation_t, __hip_fp8_interpretation_t);
CM_HD __hip_fp8x2_storage_t __hip_cvt_double2_to_fp8x2(double2, __hip_saturation_t, __hip_fp8_interpretation_t);
CM_HD __hip_fp8_storage_t __hip_cvt_bfloat16raw_to_fp8(
    __hip_bfloat16_raw, __hip_saturation_t, __hip_fp8_interpretation_t);
CM_HD __hip_fp8x2_storage_t __hip_cvt_bfloat16raw2_to_fp8x2(
    __hip_bfloat162_raw, __hip_saturation_t, __hip_fp8_interpretation_t);
CM_HD __hip_fp8_storage_t __hip_cvt_halfraw_to_fp8(__half_raw, __hip_saturation_t, __hip_fp8_interpretation_t);
CM_HD __hip_fp8x2_storage_t __hip_cvt_halfraw2_to_fp8x2(__half2_raw, __hip_saturation_t, __hip_fp8_interpretation_t);
CM_HD __half_raw __hip_cvt_fp8_to_halfraw(__hip_fp8_storage_t, __hip_fp8_interpretation_t);
CM_HD __half2_raw __hip_cvt_fp8x2_to_halfraw2(__hip_fp8x2_storage_t, __hip_fp8_interpretation_t);
#undef CM_HD

#define CM_TRAITS(format, exponent, mantissa) \
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE; \
    static constexpr __hip_fp8_interpretation_t __default_interpret = format; \
    static constexpr unsigned int __we = exponent; \
    static constexpr unsigned int __wm = mantissa;
#define CM_FP8(type, side, format, exponent, mantissa) \
    struct type { \
        __hip_fp8_storage_t __x; \
        CM_TRAITS(format, exponent, mantissa) \
        side type() = default; \
        side type(long int); \
        side type(int); \
        side type(short int); \
        side type(unsigned long int); \
        side type(unsigned int); \
        side type(unsigned short int); \
        side type(double); \
        side type(float); \
        side type(__hip_bfloat16); \
        side type(__half); \
        side operator __half() const; \
        side operator __hip_bfloat16() const; \
        side operator bool() const; \
        side operator char() const; \
        side operator double() const; \
        side operator float() const; \
        side operator int() const; \
        side operator long int() const; \
        side operator long long int() const; \
        side operator short int() const; \
        side operator signed char() const; \
        side operator unsigned char() const; \
        side operator unsigned int() const; \
        side operator unsigned long int() const; \
        side operator unsigned long long int() const; \
        side operator unsigned short int() const; \
    };
#define CM_FP8X2(type, side, format, exponent, mantissa) \
    struct type { \
        __hip_fp8x2_storage_t __x; \
        CM_TRAITS(format, exponent, mantissa) \
        side type() = default; \
        side type(double2); \
        side type(float2); \
        side type(__hip_bfloat162); \
        side type(__half2); \
        side operator __half2() const; \
        side operator float2() const; \
    };
#define CM_FP8X4(type, side, format, exponent, mantissa) \
    struct type { \
        __hip_fp8x4_storage_t __x; \
        CM_TRAITS(format, exponent, mantissa) \
        side type() = default; \
        side type(double4); \
        side type(float4); \
        side type(__hip_bfloat162, __hip_bfloat162); \
        side type(__half2, __half2); \
        side operator float4() const; \
    };
#define CM_FORMAT(end, side, format, exponent, mantissa) \
    CM_FP8(__hip_fp8_##end, side, format, exponent, mantissa) \
    CM_FP8X2(__hip_fp8x2_##end, side, format, exponent, mantissa) \
    CM_FP8X4(__hip_fp8x4_##end, side, format, exponent, mantissa)

#if HIP_FP8_TYPE_FNUZ
#define CM_SIDE __host__ __device__
#else
#define CM_SIDE __host__
#endif
CM_FORMAT(e4m3_fnuz, CM_SIDE, __HIP_E4M3_FNUZ, 4, 3)
CM_FORMAT(e5m2_fnuz, CM_SIDE, __HIP_E5M2_FNUZ, 5, 2)
#undef CM_SIDE
#if HIP_FP8_TYPE_OCP
#define CM_SIDE __host__ __device__
#else
#define CM_SIDE __host__
#endif
CM_FORMAT(e4m3, CM_SIDE, __HIP_E4M3, 4, 3)
CM_FORMAT(e5m2, CM_SIDE, __HIP_E5M2, 5, 2)
#undef CM_SIDE
#undef CM_FORMAT
#undef CM_FP8X4
#undef CM_FP8X2
#undef CM_FP8
#undef CM_TRAITS
#endif
