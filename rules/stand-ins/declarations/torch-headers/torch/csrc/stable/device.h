// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/csrc/stable/accelerator.h>
#include <torch/headeronly/core/DeviceType.h>

#include <string>

namespace torch::stable {
using DeviceType = torch::headeronly::DeviceType;
using DeviceIndex = accelerator::DeviceIndex;
class Device {
 public:
  Device(DeviceType type, DeviceIndex index = -1);
  Device(const std::string& device_string);
  bool operator==(const Device& other) const noexcept;
  bool operator!=(const Device& other) const noexcept;
  void set_index(DeviceIndex index);
  DeviceType type() const noexcept;
  DeviceIndex index() const noexcept;
  bool has_index() const noexcept;
  bool is_cuda() const noexcept;
  bool is_cpu() const noexcept;
};
}  // namespace torch::stable
