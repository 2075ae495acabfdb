// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/ATen_fwd.h>

#include <cmath>

namespace at {
template <typename T>
C10_HOST_DEVICE bool _isnan(T value);
template <typename T>
C10_HOST_DEVICE bool _isinf(T value);
template <typename T>
C10_HOST_DEVICE T exp(T x);
template <typename T>
C10_HOST_DEVICE T log(T x);
template <typename T>
C10_HOST_DEVICE T tan(T x);
}  // namespace at
