// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/StreamGuard.h>
#include <c10/hip/HIPStream.h>
#include <c10/util/ArrayRef.h>

namespace c10::cuda {
struct CUDAGuard {
  explicit CUDAGuard() = delete;
  explicit CUDAGuard(DeviceIndex index);
  explicit CUDAGuard(Device device);
  CUDAGuard(const CUDAGuard&) = delete;
  CUDAGuard& operator=(const CUDAGuard&) = delete;
  CUDAGuard(CUDAGuard&&) = delete;
  CUDAGuard& operator=(CUDAGuard&&) = delete;
  ~CUDAGuard();
  void set_device(Device device);
  void reset_device(Device device);
  void set_index(DeviceIndex index);
  Device original_device() const;
  Device current_device() const;
};
struct OptionalCUDAGuard {
  explicit OptionalCUDAGuard();
  explicit OptionalCUDAGuard(std::optional<Device> device);
  explicit OptionalCUDAGuard(std::optional<DeviceIndex> index);
  OptionalCUDAGuard(const OptionalCUDAGuard&) = delete;
  OptionalCUDAGuard& operator=(const OptionalCUDAGuard&) = delete;
  OptionalCUDAGuard(OptionalCUDAGuard&&) = delete;
  OptionalCUDAGuard& operator=(OptionalCUDAGuard&&) = delete;
  ~OptionalCUDAGuard();
  void set_device(Device device);
  void reset_device(Device device);
  void set_index(DeviceIndex index);
  std::optional<Device> original_device() const;
  std::optional<Device> current_device() const;
  void reset();
};
struct CUDAStreamGuard {
  explicit CUDAStreamGuard() = delete;
  explicit CUDAStreamGuard(Stream stream);
  CUDAStreamGuard(const CUDAStreamGuard&) = delete;
  CUDAStreamGuard& operator=(const CUDAStreamGuard&) = delete;
  CUDAStreamGuard(CUDAStreamGuard&&) = delete;
  CUDAStreamGuard& operator=(CUDAStreamGuard&&) = delete;
  ~CUDAStreamGuard();
  void reset_stream(Stream stream);
  CUDAStream original_stream() const;
  CUDAStream current_stream() const;
  Device current_device() const;
  Device original_device() const;
};
struct OptionalCUDAStreamGuard {
  explicit OptionalCUDAStreamGuard();
  explicit OptionalCUDAStreamGuard(Stream stream);
  explicit OptionalCUDAStreamGuard(std::optional<Stream> stream);
  OptionalCUDAStreamGuard(const OptionalCUDAStreamGuard&) = delete;
  OptionalCUDAStreamGuard& operator=(const OptionalCUDAStreamGuard&) = delete;
  OptionalCUDAStreamGuard(OptionalCUDAStreamGuard&&) = delete;
  OptionalCUDAStreamGuard& operator=(OptionalCUDAStreamGuard&&) = delete;
  ~OptionalCUDAStreamGuard();
  void reset_stream(Stream stream);
  std::optional<CUDAStream> original_stream() const;
  std::optional<CUDAStream> current_stream() const;
  void reset();
};
struct CUDAMultiStreamGuard {
  explicit CUDAMultiStreamGuard(ArrayRef<CUDAStream> streams);
  CUDAMultiStreamGuard(const CUDAMultiStreamGuard&) = delete;
  CUDAMultiStreamGuard& operator=(const CUDAMultiStreamGuard&) = delete;
  CUDAMultiStreamGuard(CUDAMultiStreamGuard&&) = delete;
  CUDAMultiStreamGuard& operator=(CUDAMultiStreamGuard&&) = delete;
  ~CUDAMultiStreamGuard();
};
}  // namespace c10::cuda
