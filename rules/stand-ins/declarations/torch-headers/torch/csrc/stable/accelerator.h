// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/csrc/stable/macros.h>

#include <memory>

namespace torch::stable::accelerator {
using DeleterFnPtr = void (*)(void*);
using DeviceIndex = int32_t;
using StreamId = int64_t;
class DeviceGuard {
 public:
  explicit DeviceGuard() = delete;
  explicit DeviceGuard(DeviceIndex index);
  DeviceGuard(const DeviceGuard&) = delete;
  ~DeviceGuard();
  void set_index(DeviceIndex index);
};
class Stream {
 public:
  explicit Stream() = delete;
  explicit Stream(StreamHandle stream);
  StreamId id() const;
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_13_0
  void* nativeHandle() const;
#endif
};
Stream getCurrentStream(DeviceIndex index);
DeviceIndex getCurrentDeviceIndex();
}  // namespace torch::stable::accelerator
