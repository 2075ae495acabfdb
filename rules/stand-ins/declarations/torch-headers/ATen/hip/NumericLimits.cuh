// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/macros/Macros.h>

#include <limits>

namespace at {
template <typename T>
struct numeric_limits {
  static C10_HOST_DEVICE T lowest();
  static C10_HOST_DEVICE T max();
  static C10_HOST_DEVICE T lower_bound();
  static C10_HOST_DEVICE T upper_bound();
};
}  // namespace at
