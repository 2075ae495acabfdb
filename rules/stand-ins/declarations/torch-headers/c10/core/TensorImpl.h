// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/Storage.h>
#include <c10/core/TensorOptions.h>
#include <c10/core/DispatchKeySet.h>

namespace c10 {
struct TensorImpl : intrusive_ptr_target {
  int64_t dim() const;
  int64_t numel() const;
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  int64_t storage_offset() const;
  const Storage& storage() const;
  bool is_wrapped_number() const;
  caffe2::TypeMeta dtype() const;
  size_t itemsize() const;
  Device device() const;
  DispatchKeySet key_set() const;
  void set_storage_and_dtype(Storage storage, caffe2::TypeMeta type);
  void set_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides, std::optional<int64_t> offset = std::nullopt);
  const void* data() const;
  void* mutable_data();
};
struct UndefinedTensorImpl final : TensorImpl {};
}  // namespace c10
