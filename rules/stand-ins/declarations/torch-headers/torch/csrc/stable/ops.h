// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/csrc/stable/stableivalue_conversions.h>
#include <torch/headeronly/core/MemoryFormat.h>

#include <array>

// Generated from the signatures of PyTorch 2.13.
namespace torch::stable {
using DeleterFnPtr = void (*)(void*);
using Ints = torch::headeronly::IntHeaderOnlyArrayRef;
using torch::headeronly::MemoryFormat;
Tensor empty_like(const Tensor& self);
Tensor fill_(const Tensor& self, double value);
Tensor narrow(Tensor& self, int64_t dim, int64_t start, int64_t length);
Tensor pad(const Tensor& self, Ints pad, const std::string& mode = "constant", double value = 0.0);
Tensor amax(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor amax(const Tensor& self, Ints dims, bool keepdim = false);
Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1);
Tensor zero_(Tensor& self);
Tensor copy_(Tensor& self, const Tensor& src, std::optional<bool> non_blocking = std::nullopt);
Tensor clone(const Tensor& self);
Tensor flatten(const Tensor& self, int64_t start_dim = 0, int64_t end_dim = -1);
Tensor unsqueeze(const Tensor& self, int64_t dim);
Tensor squeeze(const Tensor& self, int64_t dim);
Tensor select(const Tensor& self, int64_t dim, int64_t index);
Tensor matmul(const Tensor& self, const Tensor& other);
template <class F> void parallel_for(const int64_t begin, const int64_t end, const int64_t grain_size, const F& f);
uint32_t get_num_threads();
Tensor empty(Ints size, std::optional<ScalarType> dtype = std::nullopt, std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt, std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor reshape(const Tensor& self, Ints shape);
Tensor view(const Tensor& self, Ints size);
Tensor from_blob(void* data, Ints sizes, Ints strides, Device device, ScalarType dtype, int64_t storage_offset = 0, Layout layout = Layout::Strided);
template <class F, std::enable_if_t<std::is_invocable_v<F, void*>, int> = 0> Tensor from_blob(void* data, Ints sizes, Ints strides, Device device, ScalarType dtype, F deleter, int64_t storage_offset = 0, Layout layout = Layout::Strided);
Tensor to(const Tensor& self, std::optional<ScalarType> dtype = std::nullopt, std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt, bool non_blocking = false, bool copy = false, std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor to(const Tensor& self, Device device, bool non_blocking = false, bool copy = false);
Tensor contiguous(const Tensor& self, MemoryFormat memory_format = MemoryFormat::Contiguous);
Tensor new_empty(const Tensor& self, Ints size, std::optional<ScalarType> dtype = std::nullopt, std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt);
Tensor new_zeros(const Tensor& self, Ints size, std::optional<ScalarType> dtype = std::nullopt, std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt);
Tensor sum(const Tensor& self, std::optional<Ints> dim = std::nullopt, bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt);
Tensor& sum_out(Tensor& out, const Tensor& self, std::optional<Ints> dim = std::nullopt, bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt);
Tensor subtract(const Tensor& self, const Tensor& other, double alpha = 1.0);
Tensor full(Ints size, double fill_value, std::optional<ScalarType> dtype = std::nullopt, std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt);
}  // namespace torch::stable
