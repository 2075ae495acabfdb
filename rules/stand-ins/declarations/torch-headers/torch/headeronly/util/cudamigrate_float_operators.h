// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>

#include <cstdint>
#include <limits>
#include <ostream>

// What every reduced float of c10 has: arithmetic with itself and with int gives the type, with float or double those.
#define CUDAMIGRATE_FLOAT_WITH(Small, Other, Result, op)             \
  C10_HOST_DEVICE Result operator op(Small a, Other b);              \
  C10_HOST_DEVICE Result operator op(Other a, Small b);
#define CUDAMIGRATE_FLOAT_OPERATOR(Small, op)                        \
  C10_HOST_DEVICE Small operator op(const Small& a, const Small& b); \
  CUDAMIGRATE_FLOAT_WITH(Small, float, float, op)                    \
  CUDAMIGRATE_FLOAT_WITH(Small, double, double, op)                  \
  CUDAMIGRATE_FLOAT_WITH(Small, int, Small, op)                      \
  CUDAMIGRATE_FLOAT_WITH(Small, int64_t, Small, op)                  \
  C10_HOST_DEVICE Small& operator op##=(Small& a, const Small& b);   \
  C10_HOST_DEVICE float& operator op##=(float& a, const Small& b);
#define CUDAMIGRATE_FLOAT_ARITHMETIC(Small)        \
  C10_HOST_DEVICE Small operator-(const Small& a); \
  CUDAMIGRATE_FLOAT_OPERATOR(Small, +)             \
  CUDAMIGRATE_FLOAT_OPERATOR(Small, -)             \
  CUDAMIGRATE_FLOAT_OPERATOR(Small, *)             \
  CUDAMIGRATE_FLOAT_OPERATOR(Small, /)
// How each of them is made: of its bits, of a float, and back.
#define CUDAMIGRATE_FLOAT_MADE(Small, Bits)                        \
  Bits x;                                                          \
  C10_HOST_DEVICE operator float() const;                          \
  C10_HOST_DEVICE Small(float number);                             \
  struct from_bits_t {};                                           \
  constexpr C10_HOST_DEVICE Small(Bits bits, from_bits_t) : x{bits} {} \
  constexpr static C10_HOST_DEVICE from_bits_t from_bits() { return {}; } \
  C10_HOST_DEVICE Small() = default;
#define CUDAMIGRATE_FLOAT_COMMON(Small)                                             \
  inline std::ostream& operator<<(std::ostream& out, const Small& value) { return out << static_cast<float>(value); }

#define CUDAMIGRATE_FLOAT_LIMITS(Small, digit_count, largest_exponent)              \
  template <>                                                                       \
  class numeric_limits<Small> {                                                     \
   public:                                                                          \
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false; \
    static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;           \
    static constexpr bool is_iec559 = false, is_bounded = true, is_modulo = false;  \
    static constexpr int digits = digit_count, digits10 = 2, max_digits10 = 5, radix = 2;                \
    static constexpr int min_exponent = 3 - largest_exponent, max_exponent = largest_exponent;           \
    static constexpr Small min() { return Small(0, Small::from_bits()); }           \
    static constexpr Small lowest() { return Small(0, Small::from_bits()); }        \
    static constexpr Small max() { return Small(0, Small::from_bits()); }           \
    static constexpr Small epsilon() { return Small(0, Small::from_bits()); }       \
    static constexpr Small round_error() { return Small(0, Small::from_bits()); }   \
    static constexpr Small infinity() { return Small(0, Small::from_bits()); }      \
    static constexpr Small quiet_NaN() { return Small(0, Small::from_bits()); }     \
    static constexpr Small signaling_NaN() { return Small(0, Small::from_bits()); } \
    static constexpr Small denorm_min() { return Small(0, Small::from_bits()); }    \
  };

#define CUDAMIGRATE_FLOAT_EXPORT(Small) \
  namespace torch::headeronly {         \
  using c10::Small;                     \
  using c10::operator+, c10::operator+=; \
  using c10::operator-, c10::operator-=; \
  using c10::operator*, c10::operator*=; \
  using c10::operator/, c10::operator/=; \
  using c10::operator<<;                 \
  }
