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
  CUDAMIGRATE_FLOAT_MADE(Half, unsigned short)
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
