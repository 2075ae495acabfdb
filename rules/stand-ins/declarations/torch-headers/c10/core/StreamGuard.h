// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/DeviceGuard.h>
#include <c10/core/Stream.h>

namespace c10 {
struct StreamGuard {
  explicit StreamGuard() = delete;
  explicit StreamGuard(Stream stream);
  ~StreamGuard();
  StreamGuard(const StreamGuard&) = delete;
  void reset_stream(Stream stream);
  Stream original_stream() const;
  Stream current_stream() const;
  Device current_device() const;
  Device original_device() const;
};
}  // namespace c10
