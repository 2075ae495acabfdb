// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/Device.h>

#include <functional>
#include <memory>

namespace c10 {
using DeleterFnPtr = void (*)(void*);
using CaptureId_t = unsigned long long;
using MempoolId_t = std::pair<CaptureId_t, CaptureId_t>;
class DataPtr {
 public:
  DataPtr();
  DataPtr(void* data, Device device);
  DataPtr(void* data, void* context, DeleterFnPtr deleter, Device device);
  DataPtr(DataPtr&&) = default;
  DataPtr& operator=(DataPtr&&) = default;
  void* operator->() const;
  void clear();
  void* get() const;
  void* mutable_get();
  void* get_context() const;
  void* release_context();
  operator bool() const;
  Device device() const;
};
struct Allocator {
  virtual ~Allocator() = default;
  virtual DataPtr allocate(size_t n) = 0;
  virtual DeleterFnPtr raw_deleter() const;
  void* raw_allocate(size_t n);
  void raw_deallocate(void* pointer);
};
Allocator* GetAllocator(const DeviceType& type);
Allocator* GetCPUAllocator();
}  // namespace c10
