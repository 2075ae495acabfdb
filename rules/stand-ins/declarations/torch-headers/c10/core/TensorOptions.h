// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <c10/util/Optional.h>

namespace c10 {
ScalarType dtype_or_default(std::optional<ScalarType> dtype);
Device device_or_default(std::optional<Device> device);
Layout layout_or_default(std::optional<Layout> layout);
struct TensorOptions {
  TensorOptions();
  explicit TensorOptions(Layout layout);
  template <typename T, typename = std::enable_if_t<std::is_same_v<std::decay_t<T>, Device>>>
  TensorOptions(T&& device);
  template <typename... Args, typename = std::enable_if_t<std::is_constructible_v<Device, Args&&...>>>
  TensorOptions(Args&&... args) : TensorOptions(Device(static_cast<Args&&>(args)...)) {}
  TensorOptions(caffe2::TypeMeta dtype);
  TensorOptions(ScalarType dtype);
  TensorOptions(MemoryFormat memory_format);
  [[nodiscard]] TensorOptions device(std::optional<Device> device) const noexcept;
  template <typename... Args>
  [[nodiscard]] TensorOptions device(Args&&... args) const noexcept {
    return device(std::optional<Device>(std::in_place, static_cast<Args&&>(args)...));
  }
  [[nodiscard]] TensorOptions device_index(DeviceIndex index) const noexcept;
  [[nodiscard]] TensorOptions dtype(std::optional<caffe2::TypeMeta> dtype) const noexcept;
  [[nodiscard]] TensorOptions dtype(std::optional<ScalarType> dtype) const noexcept;
  template <typename T>
  TensorOptions& dtype();
  [[nodiscard]] TensorOptions layout(std::optional<Layout> layout) const noexcept;
  [[nodiscard]] TensorOptions requires_grad(std::optional<bool> value) const noexcept;
  [[nodiscard]] TensorOptions pinned_memory(std::optional<bool> value) const noexcept;
  [[nodiscard]] TensorOptions memory_format(std::optional<MemoryFormat> value) const noexcept;
  Device device() const noexcept;
  bool has_device() const noexcept;
  std::optional<Device> device_opt() const noexcept;
  int32_t device_index() const noexcept;
  caffe2::TypeMeta dtype() const noexcept;
  bool has_dtype() const noexcept;
  std::optional<caffe2::TypeMeta> dtype_opt() const noexcept;
  Layout layout() const noexcept;
  bool has_layout() const noexcept;
  std::optional<Layout> layout_opt() const noexcept;
  bool requires_grad() const noexcept;
  bool has_requires_grad() const noexcept;
  std::optional<bool> requires_grad_opt() const noexcept;
  bool pinned_memory() const noexcept;
  bool has_pinned_memory() const noexcept;
  std::optional<bool> pinned_memory_opt() const noexcept;
  bool is_sparse() const;
  bool has_memory_format() const noexcept;
  std::optional<MemoryFormat> memory_format_opt() const noexcept;
  TensorOptions merge_in(TensorOptions options) const noexcept;
};
TensorOptions dtype(caffe2::TypeMeta dtype);
TensorOptions dtype(ScalarType dtype);
template <typename T>
TensorOptions dtype();
TensorOptions layout(Layout layout);
TensorOptions device(Device device);
TensorOptions device_index(DeviceIndex index);
TensorOptions requires_grad(bool value = true);
TensorOptions memory_format(MemoryFormat format);
std::ostream& operator<<(std::ostream& stream, const TensorOptions& options);
}  // namespace c10
