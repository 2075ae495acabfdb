// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/DeviceGuard.h>
#include <c10/core/Stream.h>
#include <c10/hip/HIPFunctions.h>

#include <tuple>

namespace c10::cuda {
static constexpr int max_compile_time_stream_priorities = 4;
class CUDAStream {
 public:
  enum Unchecked { UNCHECKED };
  explicit CUDAStream(Stream stream);
  explicit CUDAStream(Unchecked, Stream stream);
  bool operator==(const CUDAStream& other) const noexcept;
  bool operator!=(const CUDAStream& other) const noexcept;
  operator hipStream_t() const;
  operator Stream() const;
  DeviceType device_type() const;
  DeviceIndex device_index() const;
  Device device() const;
  StreamId id() const;
  bool query() const;
  void synchronize() const;
  bool is_capturing() const;
  int priority() const;
  hipStream_t stream() const;
  Stream unwrap() const;
  StreamData3 pack3() const;
  static CUDAStream unpack3(StreamId id, DeviceIndex index, DeviceType type);
  static std::tuple<int, int> priority_range();
};
CUDAStream getStreamFromPool(const bool isHighPriority = false, DeviceIndex device = -1);
CUDAStream getStreamFromPool(const int priority, DeviceIndex device = -1);
CUDAStream getStreamFromExternal(hipStream_t stream, DeviceIndex index);
CUDAStream getDefaultCUDAStream(DeviceIndex index = -1);
CUDAStream getCurrentCUDAStream(DeviceIndex index = -1);
void setCurrentCUDAStream(CUDAStream stream);
std::ostream& operator<<(std::ostream& stream, const CUDAStream& s);
}  // namespace c10::cuda
namespace c10::hip {
using c10::cuda::getStreamFromExternal;
using c10::cuda::getStreamFromPool;
c10::cuda::CUDAStream getDefaultHIPStream(DeviceIndex index = -1);
c10::cuda::CUDAStream getCurrentHIPStream(DeviceIndex index = -1);
inline auto& setCurrentHIPStream = c10::cuda::setCurrentCUDAStream;
c10::cuda::CUDAStream getStreamFromPoolMasqueradingAsCUDA(const bool isHighPriority = false, DeviceIndex device = -1);
c10::cuda::CUDAStream getStreamFromPoolMasqueradingAsCUDA(const int priority, DeviceIndex device = -1);
inline auto& getStreamFromExternalMasqueradingAsCUDA = c10::cuda::getStreamFromExternal;
c10::cuda::CUDAStream getDefaultHIPStreamMasqueradingAsCUDA(DeviceIndex index = -1);
c10::cuda::CUDAStream getCurrentHIPStreamMasqueradingAsCUDA(DeviceIndex index = -1);
inline auto& setCurrentHIPStreamMasqueradingAsCUDA = c10::cuda::setCurrentCUDAStream;
}  // namespace c10::hip
template <>
struct std::hash<c10::cuda::CUDAStream> {
  size_t operator()(c10::cuda::CUDAStream hashed) const noexcept;
};
