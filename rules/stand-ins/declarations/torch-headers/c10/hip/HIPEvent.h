// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/hip/HIPGuard.h>
#include <c10/hip/HIPStream.h>

namespace c10::cuda {
struct CUDAEvent {
  CUDAEvent(unsigned int flags = hipEventDisableTiming) noexcept;
  CUDAEvent(DeviceIndex index, const hipIpcEventHandle_t* handle);
  ~CUDAEvent();
  CUDAEvent(const CUDAEvent&) = delete;
  CUDAEvent& operator=(const CUDAEvent&) = delete;
  CUDAEvent(CUDAEvent&& other) noexcept;
  CUDAEvent& operator=(CUDAEvent&& other) noexcept;
  operator hipEvent_t() const;
  std::optional<Device> device() const;
  bool isCreated() const;
  DeviceIndex device_index() const;
  hipEvent_t event() const;
  bool query() const;
  void record();
  void recordOnce(const CUDAStream& stream);
  void record(const CUDAStream& stream);
  void block(const CUDAStream& stream);
  float elapsed_time(const CUDAEvent& other) const;
  void synchronize() const;
  void ipc_handle(hipIpcEventHandle_t* handle);
};
}  // namespace c10::cuda
