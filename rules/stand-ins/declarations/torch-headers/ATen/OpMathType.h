// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/ATen_fwd.h>

namespace at {
template <typename scalar_t>
struct OpMathType {
  using type = scalar_t;
};
#define CUDAMIGRATE_OPMATH(t, of) \
  template <>                     \
  struct OpMathType<t> {          \
    using type = of;              \
  };
CUDAMIGRATE_OPMATH(c10::Half, float)
CUDAMIGRATE_OPMATH(c10::BFloat16, float)
CUDAMIGRATE_OPMATH(c10::Float8_e5m2, float)
CUDAMIGRATE_OPMATH(c10::Float8_e4m3fn, float)
CUDAMIGRATE_OPMATH(c10::Float8_e5m2fnuz, float)
CUDAMIGRATE_OPMATH(c10::Float8_e4m3fnuz, float)
CUDAMIGRATE_OPMATH(c10::Float8_e8m0fnu, float)
CUDAMIGRATE_OPMATH(c10::complex<c10::Half>, c10::complex<float>)
#undef CUDAMIGRATE_OPMATH
template <typename T>
using opmath_type = typename OpMathType<T>::type;
c10::ScalarType toOpMathType(const c10::ScalarType type);
}  // namespace at
