// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/Storage.h>
#include <c10/hip/HIPStream.h>

#include <memory>
#include <vector>

namespace c10::cuda::CUDACachingAllocator {
struct CUDAAllocator : c10::Allocator {
  virtual void* raw_alloc(size_t nbytes) = 0;
  virtual void* raw_alloc_with_stream(size_t nbytes, hipStream_t stream) = 0;
  virtual void raw_delete(void* pointer) = 0;
  virtual bool initialized() = 0;
  virtual void emptyCache(MempoolId_t pool = {0, 0}) = 0;
  virtual void recordStream(const DataPtr& pointer, CUDAStream stream) = 0;
  virtual std::string name() = 0;
};
CUDAAllocator* get();
void* raw_alloc(size_t nbytes);
void* raw_alloc_with_stream(size_t nbytes, hipStream_t stream);
void raw_delete(void* pointer);
void init(int device_count);
double getMemoryFraction(DeviceIndex device);
void setMemoryFraction(double fraction, DeviceIndex device);
void emptyCache(MempoolId_t pool = {0, 0});
void cacheInfo(DeviceIndex device, size_t* largest);
void* getBaseAllocation(void* pointer, size_t* size);
void recordStream(const DataPtr& pointer, CUDAStream stream);
void resetPeakStats(DeviceIndex device);
std::shared_ptr<void> getIpcDevPtr(std::string handle);
}  // namespace c10::cuda::CUDACachingAllocator
namespace c10::hip {
namespace HIPCachingAllocator = c10::cuda::CUDACachingAllocator;
}
