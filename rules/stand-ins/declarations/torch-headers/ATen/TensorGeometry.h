// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/TensorBase.h>

namespace at {
bool geometry_is_contiguous(IntArrayRef sizes, IntArrayRef strides);
struct TensorGeometry {
  TensorGeometry();
  explicit TensorGeometry(IntArrayRef sizes);
  explicit TensorGeometry(const TensorBase& t);
  bool is_contiguous() const;
  int64_t dim() const;
  int64_t size(int64_t dim) const;
  IntArrayRef sizes() const;
  int64_t stride(int64_t dim) const;
  IntArrayRef strides() const;
  int64_t storage_offset() const;
  int64_t numel() const;
};
struct TensorGeometryArg;
}  // namespace at
