// cudamigrate declarations: 4-bit floating point of HIP 7; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIP_FP4
#define CUDAMIGRATE_DECLARES_HIP_FP4
#include <hip/hip_fp8.h>

#ifndef CUDAMIGRATE_DECLARES_HIP_ROUND_MODE
#define CUDAMIGRATE_DECLARES_HIP_ROUND_MODE
enum hipRoundMode { hipRoundNearest = 0, hipRoundZero = 1, hipRoundPosInf = 2, hipRoundMinInf = 3 };
#endif
typedef __hip_fp8_storage_t __hip_fp4_storage_t;
typedef __hip_fp8_storage_t __hip_fp4x2_storage_t;
typedef __hip_fp8x2_storage_t __hip_fp4x4_storage_t;
enum __hip_fp4_interpretation_t { __HIP_E2M1 = 0 };

#define CM_HD __host__ __device__
#define CM_ONE(from, type) \
    CM_HD __hip_fp4_storage_t __hip_cvt_##from##_to_fp4(type, __hip_fp4_interpretation_t, enum hipRoundMode);
#define CM_TWO(from, type) \
    CM_HD __hip_fp4x2_storage_t __hip_cvt_##from##_to_fp4x2(type, __hip_fp4_interpretation_t, enum hipRoundMode);
CM_ONE(bfloat16raw, __hip_bfloat16_raw)
CM_ONE(double, double)
CM_ONE(float, float)
CM_ONE(halfraw, __half_raw)
CM_TWO(bfloat16raw2, __hip_bfloat162_raw)
CM_TWO(double2, double2)
CM_TWO(float2, float2)
CM_TWO(halfraw2, __half2_raw)
#undef CM_ONE
#undef CM_TWO
CM_HD __half_raw __hip_cvt_fp4_to_halfraw(__hip_fp4_storage_t, __hip_fp4_interpretation_t);
CM_HD __half2_raw __hip_cvt_fp4x2_to_halfraw2(__hip_fp4x2_storage_t, __hip_fp4_interpretation_t);

struct __hip_fp4_e2m1 {
    __hip_fp4_storage_t __x;
    CM_HD __hip_fp4_e2m1() = default;
#if !defined(__HIP_NO_FP4_CONVERSIONS__)
    CM_HD explicit __hip_fp4_e2m1(__half);
    CM_HD explicit __hip_fp4_e2m1(__hip_bfloat16);
    CM_HD explicit __hip_fp4_e2m1(double);
    CM_HD explicit __hip_fp4_e2m1(float);
    CM_HD explicit __hip_fp4_e2m1(int);
    CM_HD explicit __hip_fp4_e2m1(long int);
    CM_HD explicit __hip_fp4_e2m1(long long int);
    CM_HD explicit __hip_fp4_e2m1(short int);
    CM_HD explicit __hip_fp4_e2m1(unsigned int);
    CM_HD explicit __hip_fp4_e2m1(unsigned long int);
    CM_HD explicit __hip_fp4_e2m1(unsigned long long int);
    CM_HD explicit __hip_fp4_e2m1(unsigned short int);
#endif
#if !defined(__HIP_NO_FP4_CONVERSION_OPERATORS__)
    CM_HD operator __half_raw() const;
    CM_HD operator __hip_bfloat16_raw() const;
    CM_HD operator float() const;
    CM_HD operator double() const;
#endif
};
struct __hip_fp4x2_e2m1 {
    __hip_fp4x2_storage_t __x;
    CM_HD __hip_fp4x2_e2m1() = default;
#if !defined(__HIP_NO_FP4_CONVERSIONS__)
    CM_HD explicit __hip_fp4x2_e2m1(__half2);
    CM_HD explicit __hip_fp4x2_e2m1(__hip_bfloat162);
    CM_HD explicit __hip_fp4x2_e2m1(double2);
    CM_HD explicit __hip_fp4x2_e2m1(float2);
#endif
#if !defined(__HIP_NO_FP4_CONVERSION_OPERATORS__)
    CM_HD operator __half2_raw() const;
    CM_HD operator __hip_bfloat162_raw() const;
    CM_HD operator float2() const;
    CM_HD operator double2() const;
#endif
};
struct __hip_fp4x4_e2m1 {
    __hip_fp4x4_storage_t __x;
    CM_HD __hip_fp4x4_e2m1() = default;
#if !defined(__HIP_NO_FP4_CONVERSIONS__)
    CM_HD explicit __hip_fp4x4_e2m1(__half2, __half2);
    CM_HD explicit __hip_fp4x4_e2m1(__hip_bfloat162, __hip_bfloat162);
    CM_HD explicit __hip_fp4x4_e2m1(double4);
    CM_HD explicit __hip_fp4x4_e2m1(float4);
#endif
#if !defined(__HIP_NO_FP4_CONVERSION_OPERATORS__)
    CM_HD operator float4() const;
    CM_HD operator double4() const;
#endif
};
#undef CM_HD
#endif
