// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/ATen_fwd.h>

namespace at {
// What Tensor::type() still gives. AT_DISPATCH_* no longer takes it: scalar_type() is the way.
struct DeprecatedTypeProperties {
  ScalarType scalarType() const;
  caffe2::TypeMeta typeMeta() const;
  Layout layout() const;
  bool is_sparse() const;
  bool is_cuda() const;
  DeviceType device_type() const;
  TensorOptions options(int16_t index = -1) const;
  TensorOptions options(std::optional<Device> device) const;
  operator TensorOptions() const;
  bool operator==(const DeprecatedTypeProperties& other) const;
  bool operator!=(const DeprecatedTypeProperties& other) const;
  std::string toString() const;
  DeprecatedTypeProperties& toScalarType(ScalarType type) const;
  DeprecatedTypeProperties& cpu() const;
  DeprecatedTypeProperties& cuda() const;
};
}  // namespace at
