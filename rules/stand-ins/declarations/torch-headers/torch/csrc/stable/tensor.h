// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/csrc/stable/device.h>
#include <torch/headeronly/core/Layout.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>

namespace torch::stable {
using torch::headeronly::IntHeaderOnlyArrayRef;
using torch::headeronly::Layout;
using torch::headeronly::ScalarType;
class Tensor {
 public:
  Tensor();
  explicit Tensor(AtenTensorHandle handle);
  AtenTensorHandle get() const;
  void* data_ptr() const;
  void* mutable_data_ptr() const;
  const void* const_data_ptr() const;
  template <typename T>
  T* mutable_data_ptr() const;
  template <typename T, std::enable_if_t<!std::is_const_v<T>, int> = 0>
  const T* const_data_ptr() const;
  const Tensor& set_requires_grad(bool requires_grad) const;
  int64_t dim() const;
  int64_t numel() const;
  IntHeaderOnlyArrayRef sizes() const;
  IntHeaderOnlyArrayRef strides() const;
  bool is_contiguous() const;
  int64_t stride(int64_t dim) const;
  int8_t get_device() const;
  DeviceIndex get_device_index() const;
  bool is_cuda() const;
  bool is_cpu() const;
  int64_t size(int64_t dim) const;
  bool defined() const;
  int64_t storage_offset() const;
  size_t element_size() const;
  ScalarType scalar_type() const;
  Device device() const;
  Layout layout() const;
};
}  // namespace torch::stable
