// Numbers of 16 bits: IEEE half precision and bfloat16, computed as float and rounded to nearest even.
#ifndef CUDAMIGRATE_EMULATION_HALF_H
#define CUDAMIGRATE_EMULATION_HALF_H

#include "language.h"

namespace cudamigrate_emulation {

inline std::uint32_t word_of(float value) {
    std::uint32_t word;
    std::memcpy(&word, &value, 4);
    return word;
}
inline float float_of(std::uint32_t word) {
    float value;
    std::memcpy(&value, &word, 4);
    return value;
}

struct Half {
    static constexpr int mantissa = 10;
    static unsigned short pack(float value) {
        const std::uint32_t word = word_of(value), sign = word >> 16 & 0x8000u, rest = word & 0x7fffffffu;
        if (rest > 0x7f800000u) return static_cast<unsigned short>(sign | 0x7e00u);
        if (rest >= 0x477ff000u) return static_cast<unsigned short>(sign | 0x7c00u);
        if (rest < 0x38800000u) {  // no normal number: counts of the smallest one
            const float count = float_of(rest) * 16777216.0f;
            return static_cast<unsigned short>(sign | static_cast<std::uint32_t>(nearbyintf(count)));
        }
        const std::uint32_t rounded = rest + 0xfffu + (rest >> 13 & 1u);
        return static_cast<unsigned short>(sign | (rounded - 0x38000000u) >> 13);
    }
    static float unpack(unsigned short bits) {
        const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31u, fraction = bits & 1023u;
        if (exponent == 31) return float_of(sign | 0x7f800000u | fraction << 13);
        if (exponent == 0) return float_of(sign | word_of(static_cast<float>(fraction) / 16777216.0f));
        return float_of(sign | (exponent + 112) << 23 | fraction << 13);
    }
};
struct Brain {
    static constexpr int mantissa = 7;
    static unsigned short pack(float value) {
        const std::uint32_t word = word_of(value);
        if ((word & 0x7fffffffu) > 0x7f800000u) return static_cast<unsigned short>(word >> 16 | 0x40u);
        return static_cast<unsigned short>((word + 0x7fffu + (word >> 16 & 1u)) >> 16);
    }
    static float unpack(unsigned short bits) { return float_of(static_cast<std::uint32_t>(bits) << 16); }
};

template <typename Format>
struct Small {
    unsigned short bits;

    Small() = default;
    template <typename T, typename = std::enable_if_t<std::is_arithmetic<T>::value>>
    Small(T value) : bits(Format::pack(static_cast<float>(value))) {}
    operator float() const { return Format::unpack(bits); }
    static Small of_bits(unsigned short bits) {
        Small made;
        made.bits = bits;
        return made;
    }
    Small &operator+=(Small b) { return *this = *this + b; }
    Small &operator-=(Small b) { return *this = *this - b; }
    Small &operator*=(Small b) { return *this = *this * b; }
    Small &operator/=(Small b) { return *this = *this / b; }
    Small operator-() const { return of_bits(static_cast<unsigned short>(bits ^ 0x8000u)); }

    friend Small operator+(Small a, Small b) { return Small(float(a) + float(b)); }
    friend Small operator-(Small a, Small b) { return Small(float(a) - float(b)); }
    friend Small operator*(Small a, Small b) { return Small(float(a) * float(b)); }
    friend Small operator/(Small a, Small b) { return Small(float(a) / float(b)); }
    friend bool operator==(Small a, Small b) { return float(a) == float(b); }
    friend bool operator!=(Small a, Small b) { return float(a) != float(b); }
    friend bool operator<(Small a, Small b) { return float(a) < float(b); }
    friend bool operator>(Small a, Small b) { return float(a) > float(b); }
    friend bool operator<=(Small a, Small b) { return float(a) <= float(b); }
    friend bool operator>=(Small a, Small b) { return float(a) >= float(b); }
};

template <typename Format>
struct __attribute__((aligned(4))) SmallPair {
    Small<Format> x, y;
    SmallPair() = default;
    SmallPair(Small<Format> in_x, Small<Format> in_y) : x(in_x), y(in_y) {}
    friend SmallPair operator+(SmallPair a, SmallPair b) { return {a.x + b.x, a.y + b.y}; }
    friend SmallPair operator-(SmallPair a, SmallPair b) { return {a.x - b.x, a.y - b.y}; }
    friend SmallPair operator*(SmallPair a, SmallPair b) { return {a.x * b.x, a.y * b.y}; }
    friend SmallPair operator/(SmallPair a, SmallPair b) { return {a.x / b.x, a.y / b.y}; }
    SmallPair &operator+=(SmallPair b) { return *this = *this + b; }
};

template <> inline const char *type_name<Small<Half>>() { return "f2"; }
template <> inline const char *type_name<SmallPair<Half>>() { return "f2"; }
template <> inline const char *type_name<Small<Brain>>() { return "b2"; }
template <> inline const char *type_name<SmallPair<Brain>>() { return "b2"; }

template <typename T>
struct IsSmall : std::false_type {};
template <typename Format>
struct IsSmall<Small<Format>> : std::true_type {};
template <typename T>
using IfSmall = std::enable_if_t<IsSmall<T>::value, T>;
template <typename T>
struct PairOf;
template <typename Format>
struct PairOf<Small<Format>> {
    typedef SmallPair<Format> type;
};

}  // namespace cudamigrate_emulation

typedef ::cudamigrate_emulation::Small<::cudamigrate_emulation::Half> __half;
typedef ::cudamigrate_emulation::SmallPair<::cudamigrate_emulation::Half> __half2;
typedef ::cudamigrate_emulation::Small<::cudamigrate_emulation::Brain> CudamigrateEmulationBrain;
typedef ::cudamigrate_emulation::SmallPair<::cudamigrate_emulation::Brain> CudamigrateEmulationBrainPair;
typedef __half half;
typedef __half2 half2;

// The functions that take either format, and pairs of them.
#define CUDAMIGRATE_EMULATION_SMALL(name, result)                                         \
    template <typename T>                                                                 \
    ::cudamigrate_emulation::IfSmall<T> name(T a, T b) {                                  \
        return result;                                                                    \
    }                                                                                     \
    template <typename F>                                                                 \
    ::cudamigrate_emulation::SmallPair<F> name##2(::cudamigrate_emulation::SmallPair<F> p, \
                                                  ::cudamigrate_emulation::SmallPair<F> q) { \
        return {name(p.x, q.x), name(p.y, q.y)};                                          \
    }
CUDAMIGRATE_EMULATION_SMALL(__hadd, a + b)
CUDAMIGRATE_EMULATION_SMALL(__hsub, a - b)
CUDAMIGRATE_EMULATION_SMALL(__hmul, a *b)
CUDAMIGRATE_EMULATION_SMALL(__hdiv, a / b)
// Of a number and what is none, the number; -0 lies below 0.
CUDAMIGRATE_EMULATION_SMALL(__hmax, a > b || b != b || (a == b && std::signbit(float(b))) ? a : b)
CUDAMIGRATE_EMULATION_SMALL(__hmin, a < b || b != b || (a == b && std::signbit(float(a))) ? a : b)
#undef CUDAMIGRATE_EMULATION_SMALL
#define CUDAMIGRATE_EMULATION_SMALL(name, op)              \
    template <typename T, typename = ::cudamigrate_emulation::IfSmall<T>> \
    bool name(T a, T b) {                                  \
        return a op b;                                     \
    }
CUDAMIGRATE_EMULATION_SMALL(__heq, ==)
CUDAMIGRATE_EMULATION_SMALL(__hlt, <)
CUDAMIGRATE_EMULATION_SMALL(__hgt, >)
CUDAMIGRATE_EMULATION_SMALL(__hle, <=)
CUDAMIGRATE_EMULATION_SMALL(__hge, >=)
#undef CUDAMIGRATE_EMULATION_SMALL
// CUDA: what is no number is neither equal nor unequal. HIP compares as C++ does.
template <typename T, typename = ::cudamigrate_emulation::IfSmall<T>>
bool __hne(T a, T b) {
    return CUDAMIGRATE_EMULATION_UNEQUAL(a, b);
}
#define CUDAMIGRATE_EMULATION_SMALL(name, function)  \
    template <typename T>                            \
    ::cudamigrate_emulation::IfSmall<T> name(T a) {  \
        return T(function(float(a)));                \
    }
CUDAMIGRATE_EMULATION_SMALL(hexp, expf)
CUDAMIGRATE_EMULATION_SMALL(hlog, logf)
CUDAMIGRATE_EMULATION_SMALL(hsqrt, sqrtf)
CUDAMIGRATE_EMULATION_SMALL(hrsqrt, 1.0f / sqrtf)
CUDAMIGRATE_EMULATION_SMALL(hrcp, 1.0f /)
CUDAMIGRATE_EMULATION_SMALL(htanh, tanhf)
CUDAMIGRATE_EMULATION_SMALL(__habs, fabsf)
CUDAMIGRATE_EMULATION_SMALL(__hneg, -)
#undef CUDAMIGRATE_EMULATION_SMALL
template <typename T>
::cudamigrate_emulation::IfSmall<T> __hfma(T a, T b, T c) {
    return T(fmaf(float(a), float(b), float(c)));
}
template <typename F>
::cudamigrate_emulation::SmallPair<F> __hfma2(::cudamigrate_emulation::SmallPair<F> a,
                                              ::cudamigrate_emulation::SmallPair<F> b,
                                              ::cudamigrate_emulation::SmallPair<F> c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
template <typename T>
bool __hisnan(T a) {
    return std::isnan(float(a));
}
template <typename F>
::cudamigrate_emulation::Small<F> __low2half(::cudamigrate_emulation::SmallPair<F> a) {
    return a.x;
}
template <typename F>
::cudamigrate_emulation::Small<F> __high2half(::cudamigrate_emulation::SmallPair<F> a) {
    return a.y;
}
template <typename F> float __low2float(::cudamigrate_emulation::SmallPair<F> a) { return a.x; }
template <typename F> float __high2float(::cudamigrate_emulation::SmallPair<F> a) { return a.y; }

inline float __half2float(__half value) { return value; }
inline __half __float2half(float value) { return __half(value); }
inline __half __float2half_rn(float value) { return __half(value); }
inline __half __int2half_rn(int value) { return __half(value); }
inline __half __double2half(double value) { return __half(value); }
inline int __half2int_rn(__half value) { return __float2int_rn(value); }
inline __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
inline __half2 __float2half2_rn(float a) { return {__half(a), __half(a)}; }
inline float2 __half22float2(__half2 value) { return float2{float(value.x), float(value.y)}; }
inline __half2 __float22half2_rn(float2 value) { return {__half(value.x), __half(value.y)}; }
inline __half2 __halves2half2(__half a, __half b) { return {a, b}; }
inline __half2 __half2half2(__half a) { return {a, a}; }
inline __half2 make_half2(__half a, __half b) { return {a, b}; }
inline __half __ushort_as_half(unsigned short bits) { return __half::of_bits(bits); }
inline unsigned short __half_as_ushort(__half value) { return value.bits; }

inline float __bfloat162float(CudamigrateEmulationBrain value) { return value; }
inline CudamigrateEmulationBrain __float2bfloat16(float value) { return CudamigrateEmulationBrain(value); }
inline CudamigrateEmulationBrain __float2bfloat16_rn(float value) { return CudamigrateEmulationBrain(value); }
inline CudamigrateEmulationBrainPair __floats2bfloat162_rn(float a, float b) { return {a, b}; }
inline CudamigrateEmulationBrainPair __float2bfloat162_rn(float a) { return {a, a}; }
inline float2 __bfloat1622float2(CudamigrateEmulationBrainPair value) { return float2{float(value.x), float(value.y)}; }
inline CudamigrateEmulationBrainPair __halves2bfloat162(CudamigrateEmulationBrain a, CudamigrateEmulationBrain b) {
    return {a, b};
}

#endif  // CUDAMIGRATE_EMULATION_HALF_H
