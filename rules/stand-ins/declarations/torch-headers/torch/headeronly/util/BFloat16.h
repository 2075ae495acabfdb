// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/util/bit_cast.h>
#include <torch/headeronly/util/cudamigrate_float_operators.h>

#include <cmath>
#include <cstring>

// PyTorch's own build for ROCm 7.2 and newer sets this; extensions do not get it, and so no conversion to HIP's type.
#if defined(__HIPCC__) && defined(TORCH_HIP_VERSION) && TORCH_HIP_VERSION >= 702
#include <hip/hip_bf16.h>
#define CUDAMIGRATE_BFLOAT16_CONVERTS
#endif

namespace c10 {

struct alignas(2) BFloat16 {
  CUDAMIGRATE_FLOAT_MADE(BFloat16, uint16_t)
#ifdef CUDAMIGRATE_BFLOAT16_CONVERTS
  C10_HOST_DEVICE BFloat16(const __hip_bfloat16& value);
  explicit C10_HOST_DEVICE operator __hip_bfloat16() const;
#endif
};

namespace detail {
C10_HOST_DEVICE float f32_from_bits(uint16_t bits);
C10_HOST_DEVICE uint16_t bits_from_f32(float value);
C10_HOST_DEVICE uint16_t round_to_nearest_even(float value);
}  // namespace detail

#ifdef __HIPCC__
__device__ BFloat16 __ldg(const BFloat16* pointer);
#endif

CUDAMIGRATE_FLOAT_COMMON(BFloat16)
CUDAMIGRATE_FLOAT_ARITHMETIC(BFloat16)
C10_HOST_DEVICE BFloat16& operator|(BFloat16& a, const BFloat16& b);
C10_HOST_DEVICE BFloat16& operator^(BFloat16& a, const BFloat16& b);
C10_HOST_DEVICE BFloat16& operator&(BFloat16& a, const BFloat16& b);
C10_HOST_DEVICE bool operator>(BFloat16& left, BFloat16& right);
C10_HOST_DEVICE bool operator<(BFloat16& left, BFloat16& right);

}  // namespace c10
CUDAMIGRATE_FLOAT_EXPORT(BFloat16)
namespace std {
CUDAMIGRATE_FLOAT_LIMITS(c10::BFloat16, 8, 128)
}
