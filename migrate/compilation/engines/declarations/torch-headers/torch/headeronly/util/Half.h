// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/util/bit_cast.h>
#include <torch/headeronly/util/cudamigrate_float_operators.h>

#include <cmath>
#include <cstring>
#ifdef __HIPCC__
#include <hip/hip_fp16.h>
#endif

namespace c10 {

struct alignas(2) Half {
  unsigned short x;

  struct from_bits_t {};
  C10_HOST_DEVICE static constexpr from_bits_t from_bits() { return from_bits_t(); }

  C10_HOST_DEVICE Half() = default;
  constexpr C10_HOST_DEVICE Half(unsigned short bits, from_bits_t) : x(bits) {}
  C10_HOST_DEVICE Half(float value);
  C10_HOST_DEVICE operator float() const;
#ifdef __HIPCC__
  C10_HOST_DEVICE Half(const __half& value);
  C10_HOST_DEVICE operator __half() const;
#endif
};

namespace detail {
C10_HOST_DEVICE float fp16_ieee_to_fp32_value(uint16_t bits);
uint16_t fp16_ieee_from_fp32_value(float value);
uint32_t fp16_ieee_to_fp32_bits(uint16_t bits);
}  // namespace detail

#if defined(__clang__) && defined(__CUDA__)
__device__ Half __ldg(const Half* pointer);
#endif

CUDAMIGRATE_FLOAT_COMMON(Half)
CUDAMIGRATE_FLOAT_ARITHMETIC(Half)

}  // namespace c10
CUDAMIGRATE_FLOAT_EXPORT(Half)
namespace std {
CUDAMIGRATE_FLOAT_LIMITS(c10::Half, 11, 16)
}
