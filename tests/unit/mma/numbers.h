// Numbers by their bits, from the definitions of their formats and from nothing in the headers under test.
#ifndef NUMBERS_H
#define NUMBERS_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace numbers {

// Sign, exponent and mantissa of so many bits; the highest exponent is for infinities and NaN where `special`.
inline double small(std::uint64_t raw, int exponent, int mantissa, bool special) {
    const int power = static_cast<int>(raw >> mantissa & ((1u << exponent) - 1u));
    const double digits = static_cast<double>(raw & ((std::uint64_t{1} << mantissa) - 1u));
    const double sign = raw >> (exponent + mantissa) & 1u ? -1.0 : 1.0, bias = (1 << (exponent - 1)) - 1;
    if (special && power == (1 << exponent) - 1) return digits != 0.0 ? NAN : sign * INFINITY;
    const int scale = static_cast<int>(1 - bias) - mantissa;
    if (power == 0) return sign * std::ldexp(digits, scale);
    return sign * std::ldexp(digits + std::ldexp(1.0, mantissa), scale + power - 1);
}
inline double f16(std::uint64_t raw) { return small(raw & 0xffffu, 5, 10, true); }
inline double bf16(std::uint64_t raw) { return small(raw & 0xffffu, 8, 7, true); }
inline double tf32(std::uint64_t raw) { return small(raw >> 13 & 0x7ffffu, 8, 10, true); }
inline double e4m3(std::uint64_t raw) { return (raw & 0x7fu) == 0x7fu ? NAN : small(raw & 0xffu, 4, 3, false); }
inline double e5m2(std::uint64_t raw) { return small(raw & 0xffu, 5, 2, true); }

// A double as f16, to nearest even.
inline double to_f16(double x) {
    if (x != x || x == 0.0 || std::isinf(x)) return x;
    int power;
    std::frexp(x, &power);
    const int unit = power - 11 < -24 ? -24 : power - 11;
    const double made = std::ldexp(std::nearbyint(std::ldexp(x, -unit)), unit);
    return std::fabs(made) > 65504.0 ? std::copysign(INFINITY, x) : made;
}

template <typename Out>
Out rounded(double before, double sum, Out) {
    return static_cast<Out>(before + sum);
}
template <>
inline unsigned int rounded<unsigned int>(double, double sum, unsigned int before) {
    return before + static_cast<unsigned int>(static_cast<long long>(sum));
}

}  // namespace numbers

#endif  // NUMBERS_H
