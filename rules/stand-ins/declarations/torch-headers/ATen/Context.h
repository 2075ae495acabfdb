// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

namespace at {
class Context {
 public:
  const Generator& defaultGenerator(Device device);
  Device getDeviceFromPtr(void* data, DeviceType type);
  static bool hasMKL();
  static bool hasMKLDNN();
  static bool hasCUDA();
  static bool hasCUDART();
  static bool hasHIP();
  static bool hasROCM();
  static bool hasXPU();
  static bool hasMPS();
  static bool hasLAPACK();
  bool userEnabledCuDNN() const;
  bool benchmarkCuDNN() const;
  bool deterministicCuDNN() const;
  bool deterministicAlgorithms() const;
  bool deterministicAlgorithmsWarnOnly() const;
  bool deterministicFillUninitializedMemory() const;
  void setDeterministicAlgorithms(bool value, bool warn_only);
  void alertNotDeterministic(std::string_view caller);
  bool allowTF32CuBLAS() const;
  bool allowTF32CuDNN() const;
  bool allowFP16ReductionCuBLAS() const;
  bool allowBF16ReductionCuBLAS() const;
  void lazyInitDevice(DeviceType type);
  Allocator* getPinnedMemoryAllocator(std::optional<DeviceType> type = std::nullopt);
};
Context& globalContext();
Allocator* getCPUAllocator();
DeprecatedTypeProperties& getDeprecatedTypeProperties(DispatchKey key, ScalarType type);
DeprecatedTypeProperties& CPU(ScalarType type);
DeprecatedTypeProperties& CUDA(ScalarType type);
bool hasCUDA();
bool hasHIP();
bool hasMPS();
bool hasXPU();
bool hasMKL();
bool hasLAPACK();
size_t getNumGPUs();
bool hasOpenMP();
void manual_seed(uint64_t seed);
}  // namespace at
