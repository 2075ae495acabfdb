// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/DeprecatedTypeProperties.h>
#include <ATen/core/TensorBody.h>
#include <c10/core/GradMode.h>

#include <functional>
#include <iostream>
#include <memory>

namespace at {
class OptionalTensorRef {
 public:
  OptionalTensorRef() = default;
  OptionalTensorRef(const TensorBase& tensor);
  bool has_value() const;
  const Tensor& operator*() const;
  const Tensor* operator->() const;
  operator bool() const;
};
using Stream = c10::Stream;
}  // namespace at
#include <ATen/DeviceGuard.h>
#include <ATen/TensorOperators.h>
