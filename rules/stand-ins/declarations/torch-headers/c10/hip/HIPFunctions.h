// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/Device.h>
#include <c10/hip/HIPException.h>

#include <optional>

namespace c10::cuda {
DeviceIndex device_count() noexcept;
DeviceIndex device_count_ensure_non_zero();
DeviceIndex current_device();
void set_device(DeviceIndex device, const bool force = false);
void device_synchronize();
void warn_or_error_on_sync();
hipError_t GetDeviceCount(int* count);
hipError_t GetDevice(DeviceIndex* device);
hipError_t SetDevice(DeviceIndex device, const bool force = false);
hipError_t MaybeSetDevice(DeviceIndex device);
DeviceIndex ExchangeDevice(DeviceIndex device);
DeviceIndex MaybeExchangeDevice(DeviceIndex device);
void SetTargetDevice();
enum class SyncDebugMode { L_DISABLED = 0, L_WARN, L_ERROR };
void memcpy_and_sync(void* dst, const void* src, int64_t nbytes, hipMemcpyKind kind, hipStream_t stream);
void stream_synchronize(hipStream_t stream);
bool hasPrimaryContext(DeviceIndex index);
std::optional<DeviceIndex> getDeviceIndexWithPrimaryContext();
}  // namespace c10::cuda
namespace c10::hip {
using c10::cuda::GetDevice, c10::cuda::SetDevice, c10::cuda::set_device;
using c10::cuda::device_count, c10::cuda::ExchangeDevice, c10::cuda::GetDeviceCount;
using c10::cuda::MaybeSetDevice, c10::cuda::current_device, c10::cuda::SetTargetDevice;
using c10::cuda::memcpy_and_sync, c10::cuda::hasPrimaryContext, c10::cuda::device_synchronize;
using c10::cuda::stream_synchronize, c10::cuda::MaybeExchangeDevice, c10::cuda::warn_or_error_on_sync;
using c10::cuda::device_count_ensure_non_zero, c10::cuda::getDeviceIndexWithPrimaryContext;
}  // namespace c10::hip
