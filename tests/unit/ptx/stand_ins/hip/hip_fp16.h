// A stand-in for HIP's halves on a CPU: kept as bits, calculated in double, rounded once to nearest even.
#ifndef STAND_IN_HIP_FP16_H
#define STAND_IN_HIP_FP16_H

#include "hip_runtime.h"

struct __half {
    unsigned short bits;
};
struct __half2 {
    __half x, y;
};

inline double half_value(__half h) {
    const int power = h.bits >> 10 & 31, digits = h.bits & 1023;
    const double sign = h.bits >> 15 ? -1 : 1;
    if (power == 31) return digits ? NAN : sign * INFINITY;
    return sign * (power ? std::ldexp(1024 + digits, power - 25) : std::ldexp(digits, -24));
}
inline __half half_of(double x) {
    const unsigned short sign = std::signbit(x) ? 0x8000 : 0;
    if (std::isnan(x)) return {0x7e00};
    x = std::fabs(x);
    if (x == 0) return {sign};
    if (x >= 65520) return {static_cast<unsigned short>(sign | 0x7c00)};
    int power = 0;
    std::frexp(x, &power);
    power = power - 1 < -14 ? -14 : power - 1;
    const int digits = static_cast<int>(std::nearbyint(std::ldexp(x, 10 - power)));
    return {static_cast<unsigned short>(sign | (digits + ((power + 14) << 10)))};
}
inline __half __ushort_as_half(unsigned short bits) { return {bits}; }
inline unsigned short __half_as_ushort(__half h) { return h.bits; }
inline float __half2float(__half h) { return static_cast<float>(half_value(h)); }
inline __half __float2half_rn(float x) { return half_of(x); }
inline float __low2float(__half2 h) { return __half2float(h.x); }
inline float __high2float(__half2 h) { return __half2float(h.y); }
inline __half2 __floats2half2_rn(float low, float high) { return {half_of(low), half_of(high)}; }
inline __half2 __halves2half2(__half low, __half high) { return {low, high}; }
inline double clipped(double x) { return x != x ? 0 : x < 0 ? 0 : x > 1 ? 1 : x; }
inline __half __hadd(__half a, __half b) { return half_of(half_value(a) + half_value(b)); }
inline __half __hsub(__half a, __half b) { return half_of(half_value(a) - half_value(b)); }
inline __half __hmul(__half a, __half b) { return half_of(half_value(a) * half_value(b)); }
// A long double holds the product and its sum with the third exactly enough for one rounding.
inline __half __hfma(__half a, __half b, __half c) {
    const long double sum = static_cast<long double>(half_value(a) * half_value(b)) + half_value(c);
    double near = static_cast<double>(sum);
    if (static_cast<long double>(near) != sum && !(taken<unsigned long long>(near) & 1))
        near = std::nextafter(near, sum > near ? INFINITY : -INFINITY);
    return half_of(near);
}
inline __half2 __hadd2(__half2 a, __half2 b) { return {__hadd(a.x, b.x), __hadd(a.y, b.y)}; }
inline __half2 __hsub2(__half2 a, __half2 b) { return {__hsub(a.x, b.x), __hsub(a.y, b.y)}; }
inline __half2 __hmul2(__half2 a, __half2 b) { return {__hmul(a.x, b.x), __hmul(a.y, b.y)}; }
inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
inline __half2 sat2(__half2 h) { return {half_of(clipped(half_value(h.x))), half_of(clipped(half_value(h.y)))}; }
inline __half2 __hadd2_sat(__half2 a, __half2 b) { return sat2(__hadd2(a, b)); }
inline __half2 __hsub2_sat(__half2 a, __half2 b) { return sat2(__hsub2(a, b)); }
inline __half2 __hmul2_sat(__half2 a, __half2 b) { return sat2(__hmul2(a, b)); }
inline __half2 __hfma2_sat(__half2 a, __half2 b, __half2 c) { return sat2(__hfma2(a, b, c)); }
inline __half hexp2(__half h) { return half_of(std::exp2(half_value(h))); }
inline __half2 h2exp2(__half2 h) { return {hexp2(h.x), hexp2(h.y)}; }

#endif  // STAND_IN_HIP_FP16_H
