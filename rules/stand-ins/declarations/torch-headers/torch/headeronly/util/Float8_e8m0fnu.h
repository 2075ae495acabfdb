// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/util/bit_cast.h>
#include <torch/headeronly/util/cudamigrate_float_operators.h>

#include <cmath>
#include <cstring>

namespace c10 {

struct alignas(1) Float8_e8m0fnu {
  CUDAMIGRATE_FLOAT_MADE(Float8_e8m0fnu, uint8_t)
  C10_HOST_DEVICE bool isnan() const;
};

CUDAMIGRATE_FLOAT_COMMON(Float8_e8m0fnu)

}  // namespace c10
namespace torch::headeronly {
using c10::Float8_e8m0fnu;
using c10::operator<<;
}
namespace std {
CUDAMIGRATE_FLOAT_LIMITS(c10::Float8_e8m0fnu, 1, 128)
}
