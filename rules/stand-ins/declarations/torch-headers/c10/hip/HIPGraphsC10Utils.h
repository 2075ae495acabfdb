// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/hip/HIPStream.h>

namespace c10::cuda {
struct CUDAStreamCaptureModeGuard {
  CUDAStreamCaptureModeGuard(hipStreamCaptureMode desired);
  ~CUDAStreamCaptureModeGuard();
};
enum class CaptureStatus : int {
  None = int(hipStreamCaptureStatusNone),
  Active = int(hipStreamCaptureStatusActive),
  Invalidated = int(hipStreamCaptureStatusInvalidated)
};
CaptureStatus currentStreamCaptureStatusMayInitCtx();
}
