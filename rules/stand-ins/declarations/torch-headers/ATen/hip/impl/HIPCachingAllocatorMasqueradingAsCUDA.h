// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/hip/impl/HIPStreamMasqueradingAsCUDA.h>
#include <c10/hip/HIPCachingAllocator.h>

namespace c10::hip::HIPCachingAllocatorMasqueradingAsCUDA {
c10::cuda::CUDACachingAllocator::CUDAAllocator* get();
void recordStreamMasqueradingAsCUDA(const DataPtr& pointer, HIPStreamMasqueradingAsCUDA stream);
}
