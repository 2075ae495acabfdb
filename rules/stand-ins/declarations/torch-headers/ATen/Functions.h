// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/TensorUtils.h>
#include <ATen/core/Tensor.h>

#include <functional>

namespace at {
#include <ATen/core/functions.inc>
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const std::function<void(void*)>& deleter,
                 const TensorOptions& options = {}, const std::optional<Device> target_device = std::nullopt);
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset,
                 const std::function<void(void*)>& deleter, const TensorOptions& options = {}, const std::optional<Device> target_device = std::nullopt);
Tensor from_blob(void* data, IntArrayRef sizes, std::function<void(void*)> deleter, const TensorOptions& options = {},
                 const std::optional<Device> target_device = std::nullopt);
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options = {});
#define CUDAMIGRATE_TENSOR_OF(type, name)                                      \
  Tensor tensor(ArrayRef<type> values, const TensorOptions& options);          \
  Tensor tensor(ArrayRef<type> values);                                        \
  Tensor tensor(std::initializer_list<type> values, const TensorOptions& options); \
  Tensor tensor(std::initializer_list<type> values);                           \
  Tensor tensor(type value, const TensorOptions& options);                     \
  Tensor tensor(type value);
AT_FORALL_SCALAR_TYPES_AND3(Bool, Half, BFloat16, CUDAMIGRATE_TENSOR_OF)
AT_FORALL_COMPLEX_TYPES(CUDAMIGRATE_TENSOR_OF)
#undef CUDAMIGRATE_TENSOR_OF
int64_t numel(const Tensor& tensor);
int64_t size(const Tensor& tensor, int64_t dim);
int64_t stride(const Tensor& tensor, int64_t dim);
bool is_complex(const Tensor& tensor);
bool is_floating_point(const Tensor& tensor);
bool is_signed(const Tensor& tensor);
bool is_inference(const Tensor& tensor);
bool is_conj(const Tensor& tensor);
bool is_neg(const Tensor& tensor);
Tensor conj(const Tensor& tensor);
Tensor var(const Tensor& self, int dim);
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, int dim);
Tensor std(const Tensor& self, int dim);
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, int dim);
}  // namespace at
