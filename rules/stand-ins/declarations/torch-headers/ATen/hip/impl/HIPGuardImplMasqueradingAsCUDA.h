// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/hip/impl/HIPCachingAllocatorMasqueradingAsCUDA.h>
#include <ATen/hip/impl/HIPStreamMasqueradingAsCUDA.h>
#include <c10/hip/HIPGuard.h>

namespace c10::hip {
struct HIPGuardMasqueradingAsCUDA final : c10::cuda::CUDAGuard {
  using c10::cuda::CUDAGuard::CUDAGuard;
};
struct OptionalHIPGuardMasqueradingAsCUDA final : c10::cuda::OptionalCUDAGuard {
  using c10::cuda::OptionalCUDAGuard::OptionalCUDAGuard;
};
struct HIPStreamGuardMasqueradingAsCUDA final : c10::cuda::CUDAStreamGuard {
  using c10::cuda::CUDAStreamGuard::CUDAStreamGuard;
};
struct OptionalHIPStreamGuardMasqueradingAsCUDA final : c10::cuda::OptionalCUDAStreamGuard {
  using c10::cuda::OptionalCUDAStreamGuard::OptionalCUDAStreamGuard;
};
struct HIPMultiStreamGuardMasqueradingAsCUDA final : c10::cuda::CUDAMultiStreamGuard {
  using c10::cuda::CUDAMultiStreamGuard::CUDAMultiStreamGuard;
};
}  // namespace c10::hip
