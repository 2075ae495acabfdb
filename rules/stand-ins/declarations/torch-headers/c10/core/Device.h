// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/DeviceType.h>
#include <c10/util/Exception.h>

namespace c10 {
using DeviceIndex = int8_t;
struct Device final {
  using Type = DeviceType;
  Device(DeviceType type, DeviceIndex index = -1);
  Device(const std::string& device_string);
  bool operator==(const Device& other) const noexcept;
  bool operator!=(const Device& other) const noexcept;
  void set_index(DeviceIndex index);
  DeviceType type() const noexcept;
  DeviceIndex index() const noexcept;
  bool has_index() const noexcept;
  bool is_cuda() const noexcept;
  bool is_privateuseone() const noexcept;
  bool is_mps() const noexcept;
  bool is_hip() const noexcept;
  bool is_ve() const noexcept;
  bool is_xpu() const noexcept;
  bool is_ipu() const noexcept;
  bool is_xla() const noexcept;
  bool is_mtia() const noexcept;
  bool is_hpu() const noexcept;
  bool is_lazy() const noexcept;
  bool is_vulkan() const noexcept;
  bool is_metal() const noexcept;
  bool is_maia() const noexcept;
  bool is_meta() const noexcept;
  bool is_cpu() const noexcept;
  bool supports_as_strided() const noexcept;
  std::string str() const;
};
std::ostream& operator<<(std::ostream& stream, const Device& device);
}  // namespace c10
template <>
struct std::hash<c10::Device> {
  size_t operator()(c10::Device hashed) const noexcept;
};
