// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/macros/Macros.h>

#include <hip/hip_runtime.h>

namespace at::cuda::detail {
template <typename Value>
struct DivMod {
  Value div, mod;
};
template <typename Value>
struct IntDivider {
  IntDivider() = default;
  IntDivider(Value d);
  C10_HOST_DEVICE Value div(Value n) const;
  C10_HOST_DEVICE Value mod(Value n) const;
  C10_HOST_DEVICE DivMod<Value> divmod(Value n) const;
};
}  // namespace at::cuda::detail
