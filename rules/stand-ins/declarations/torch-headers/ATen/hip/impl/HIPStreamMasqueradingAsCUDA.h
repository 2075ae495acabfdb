// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/hip/HIPStream.h>

namespace c10::hip {
class HIPStreamMasqueradingAsCUDA final : public c10::cuda::CUDAStream {
 public:
  using c10::cuda::CUDAStream::CUDAStream;
  static HIPStreamMasqueradingAsCUDA unpack3(StreamId id, DeviceIndex index, c10::DeviceType type);
  c10::cuda::CUDAStream hip_stream() const;
};
}  // namespace c10::hip
