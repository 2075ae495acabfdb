// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/util/bit_cast.h>
#include <torch/headeronly/util/cudamigrate_float_operators.h>

#include <cmath>
#include <cstring>

namespace c10 {

struct alignas(1) Float8_e5m2 {
  CUDAMIGRATE_FLOAT_MADE(Float8_e5m2, uint8_t)
  C10_HOST_DEVICE bool isnan() const;
  C10_HOST_DEVICE bool isinf() const;
};

CUDAMIGRATE_FLOAT_COMMON(Float8_e5m2)
CUDAMIGRATE_FLOAT_ARITHMETIC(Float8_e5m2)

}  // namespace c10
CUDAMIGRATE_FLOAT_EXPORT(Float8_e5m2)
namespace std {
CUDAMIGRATE_FLOAT_LIMITS(c10::Float8_e5m2, 3, 16)
}
